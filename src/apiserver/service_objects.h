#pragma once

// Reading, defaulting and checking the objects of requests, by their description or the schema of
// their definition.

#include <optional>
#include <string_view>

#include "api/object.h"
#include "apiserver/service_request.h"
#include "store/failure.h"
#include "store/json.h"

namespace berth::apiserver {

// The tree of a request's body, in the form in which objects are stored. The kind and version in it
// are the request's. Fields that the kind does not know, and keys that stand twice, are treated as
// request.options says. The tree is in the memory that is given.
store::Outcome<store::json::value> ReadBody(ServiceRequest& request, std::string_view body,
                                            store::json::storage_ptr memory);

// An object in a former version of the API, if the request is in one, becomes today's.
store::Outcome<void> UpgradeIfFormer(const ServiceRequest& request, store::json::value& object);

// Drops what the kind does not know from an object that came about otherwise than by ReadBody, with
// the warnings or the error that the request wants; also finds values of a wrong type.
store::Outcome<void> DropUnknown(ServiceRequest& request, store::json::value& object);

// Whether DropUnknown would find nothing in an object of a described kind that has nothing but
// this.
bool IsAllKnown(const ServiceRequest& request, std::string_view text);

// An object that is stored, in both forms.
struct StoredTree {
  const store::json::value& tree;
  std::string_view text;
};

// An object and what it replaces, as their description reads them. Absent for kinds that are not
// described; the old one also when creating.
struct Readings {
  std::optional<api::Object> object;
  std::optional<api::Object> old_object;
};

// Fills in defaults, then reports everything that is wrong with the object as one Invalid. `old` is
// what is stored now, null when creating.
store::Outcome<Readings> Settle(const ServiceRequest& request, const StoredTree* old,
                                store::json::value& object);

}  // namespace berth::apiserver
