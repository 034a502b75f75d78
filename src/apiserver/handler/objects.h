#pragma once

// Decoding, defaulting and validation of request objects, by description or by the schema of their
// definition.

#include <optional>
#include <string_view>

#include "api/meta/object.h"
#include "apiserver/handler/request.h"
#include "json/json.h"
#include "store/failure.h"

namespace berth::apiserver {

// Parses a request body into the storage form, allocated from `memory`. Kind and version must match
// the request. Unknown fields and duplicate keys are treated as request.options says.
store::Outcome<json::value> ReadBody(HandlerRequest& request, std::string_view body,
                                     json::storage_ptr memory);

// Converts an object of a previous API version to the current one if the request uses one.
store::Outcome<void> UpgradeIfPrevious(const HandlerRequest& request, json::value& object);

// Drops unknown fields of an object that did not come from ReadBody, with the warnings or the error
// that the request wants. Also rejects values of the wrong type.
store::Outcome<void> DropUnknown(HandlerRequest& request, json::value& object);

// True if DropUnknown would find nothing in an object of a described kind with this text.
bool IsAllKnown(const HandlerRequest& request, std::string_view text);

// A stored object as tree and as text.
struct StoredTree {
  const json::value& tree;
  std::string_view text;
};

// An object and its predecessor, decoded. Absent for kinds without a description; `old_object` also
// for a create.
struct DecodedObjects {
  std::optional<api::Object> object;
  std::optional<api::Object> old_object;
};

// Applies defaults, then reports all problems as one Invalid failure. `old` is the stored object,
// null for a create.
store::Outcome<DecodedObjects> DefaultAndValidate(const HandlerRequest& request,
                                                  const StoredTree* old, json::value& object);

}  // namespace berth::apiserver
