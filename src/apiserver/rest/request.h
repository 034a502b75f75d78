#pragma once

#include <cstdint>
#include <variant>

#include "apiserver/rest/accept.h"
#include "apiserver/rest/catalog.h"
#include "apiserver/rest/target.h"
#include "http/message.h"
#include "store/call.h"
#include "store/failure.h"

namespace berth::apiserver {

// The object included in a Table row.
enum class RowObject : uint8_t { kNone, kMetadata, kObject };

enum class Verb : uint8_t {
  kGet,
  kList,
  kWatch,
  kCreate,
  kUpdate,
  kPatch,
  kDelete,
  kDeleteCollection
};

// Subject and presentation of the response.
struct RestView {
  const ServedKind* kind = nullptr;  // points into the catalog
  std::string subresource;
  Verb verb = Verb::kGet;
  Presentation presentation;
  RowObject row_object = RowObject::kMetadata;
};

// An object request as a call of the store.
struct RestPlan {
  std::variant<store::Call, store::Watch> operation;
  RestView view;
};

// Translates a request whose target is of kind kObjects; moves the body out of it. Rejects it with
// the status, reason and, where clients depend on it, message of Kubernetes' API server.
store::Outcome<RestPlan> PlanRequest(http::Request& request, const RestTarget& target,
                                     const Catalog& catalog);

// Moves the body out of the request and converts YAML or protobuf to JSON. The default Content-Type
// is JSON.
store::Outcome<std::string> TakeBodyAsJson(http::Request& request);

// "the server could not find the requested resource".
store::Failure UnknownResource();

}  // namespace berth::apiserver
