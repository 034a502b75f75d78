#pragma once

#include <memory>
#include <string>
#include <vector>

#include "apiserver/kinds.h"
#include "apiserver/service_admission.h"
#include "apiserver/storage.h"
#include "store/call.h"
#include "store/object.h"

namespace berth::apiserver {

// A request whose kind was found, on its way through the service.
struct ServiceRequest {
  std::shared_ptr<const KindTable> kinds;  // keeps what follows alive
  const StoredKind* kind = nullptr;
  const KindVersion* version = nullptr;
  std::string namespace_;
  std::string name;  // "" until it is known
  std::string subresource;
  std::string api_version;  // of the request's objects
  // The one whose names fields have where it is noted who owns them: objects of former versions are
  // today's by then.
  std::string owners_version;
  bool is_apply = false;
  Caller caller;
  store::WriteOptions options;
  std::vector<std::string> warnings;

  const store::Resource& resource() const { return kind->resource; }
  // The kind in whose form the object is stored: not the request's for events.k8s.io.
  const StoredKind& stored() const {
    return kind->is_events_v1 ? *kinds->FindCollection(kEventCollection) : *kind;
  }
  ObjectId id() const {
    return {.collection = kind->collection, .namespace_ = namespace_, .name = name};
  }
  // The apiVersion of objects in requests and answers.
  const std::string& ApiVersion() const { return api_version; }
  // A former version of a described kind, whose objects are turned into today's while they are
  // read.
  bool is_former() const {
    return kind->described != nullptr && version->name != kind->resource.version;
  }
  bool IsStatus() const { return subresource == store::kStatusSubresource; }
  bool IsScale() const { return subresource == store::kScaleSubresource; }
  // Whether the status can only be written through its subresource.
  bool has_status() const { return version->has_status; }
};

// An object as the request's version and subresource show it.
store::Object Present(const ServiceRequest& request, std::string namespace_, std::string name,
                      const Item& item);

}  // namespace berth::apiserver
