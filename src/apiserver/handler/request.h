#pragma once

#include <memory>
#include <string>
#include <vector>

#include "apiserver/handler/admission.h"
#include "apiserver/kinds.h"
#include "apiserver/storage/storage.h"
#include "store/call.h"
#include "store/failure.h"
#include "store/object.h"

namespace berth::apiserver {

// A resolved request.
struct HandlerRequest {
  std::shared_ptr<const KindTable> kinds;  // owns the following
  const StoredKind* kind = nullptr;
  const KindVersion* version = nullptr;
  std::string namespace_;
  std::string name;  // "" until known
  std::string subresource;
  std::string api_version;  // of the objects in request and response
  // The API version of field names in managedFields. Objects of previous versions are already
  // converted by then.
  std::string owners_version;
  bool is_apply = false;
  Caller caller;
  size_t most_bytes = 0;  // of the object as stored
  store::WriteOptions options;
  std::vector<std::string> warnings;

  const store::Resource& resource() const { return kind->resource; }
  // The kind in whose form the object is stored; differs from `kind` for events.k8s.io.
  const StoredKind& stored() const {
    return kind->is_events_v1 ? *kinds->FindCollection(kEventCollection) : *kind;
  }
  ObjectId id() const {
    return {.collection = kind->collection, .namespace_ = namespace_, .name = name};
  }
  // The apiVersion of objects in requests and responses.
  const std::string& ApiVersion() const { return api_version; }
  // True for a previous version of a described kind, whose objects are converted when decoded.
  bool is_previous() const {
    return kind->described != nullptr && version->name != kind->resource.version;
  }
  bool IsStatus() const { return subresource == store::kStatusSubresource; }
  bool IsScale() const { return subresource == store::kScaleSubresource; }
  // True if the status is writable only through its subresource.
  bool has_status() const { return version->has_status; }
};

// The object would be larger than `most_bytes`.
inline store::Failure OverLimit(const HandlerRequest& request) {
  return store::TooLarge("limit is " + std::to_string(request.most_bytes) + " bytes");
}

// An object in the version and subresource of the request.
store::Object Present(const HandlerRequest& request, std::string namespace_, std::string name,
                      const Item& item);

}  // namespace berth::apiserver
