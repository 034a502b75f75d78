#pragma once

#include <cstdint>
#include <variant>

#include "apiserver/http_message.h"
#include "apiserver/rest_accept.h"
#include "apiserver/rest_catalog.h"
#include "apiserver/rest_target.h"
#include "store/call.h"
#include "store/failure.h"

namespace berth::apiserver {

// What a Table row carries of its object.
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

// What the answer is about and how it is to look.
struct RestView {
  const ServedKind* kind = nullptr;  // of the catalog that was given
  std::string subresource;
  Verb verb = Verb::kGet;
  Presentation presentation;
  RowObject row_object = RowObject::kMetadata;
};

// A request for objects, in the store's terms.
struct RestPlan {
  std::variant<store::Call, store::Watch> what;
  RestView view;
};

// What the request asks for. The target is that of the request, of kind kObjects. The body is moved
// out of the request. What cannot be done is refused with the status, the reason and, as far as
// clients look at it, the message of Kubernetes' API server.
store::Outcome<RestPlan> PlanRequest(HttpRequest& request, const RestTarget& target,
                                     const Catalog& catalog);

// The body, moved out of the request, as JSON: it may also be YAML or a protocol buffer. Clients
// that say nothing of its type mean JSON.
store::Outcome<std::string> TakeBodyAsJson(HttpRequest& request);

// "the server could not find the requested resource".
store::Failure UnknownResource();

}  // namespace berth::apiserver
