#pragma once

#include <memory>
#include <string>

#include "apiserver/handler/api_handler.h"
#include "base/time.h"
#include "json/json.h"
#include "store/failure.h"

namespace berth::apiserver {

namespace testing {

inline const store::Resource kNamespaces{
    .version = "v1", .plural = "namespaces", .kind = "Namespace"};
inline const store::Resource kConfigMaps{
    .version = "v1", .plural = "configmaps", .kind = "ConfigMap", .is_namespaced = true};
inline const store::Resource kPods{
    .version = "v1", .plural = "pods", .kind = "Pod", .is_namespaced = true};
inline const store::Resource kJobs{
    .group = "batch", .version = "v1", .plural = "jobs", .kind = "Job", .is_namespaced = true};

// An in-memory ApiHandler with blocking calls. Objects are in the namespace "default".
class TestHandler {
 public:
  explicit TestHandler(ApiHandler::Options options = {});

  ApiHandler& operator*() { return *handler_; }
  ApiHandler* operator->() { return handler_.get(); }

  store::Outcome<store::Reply> Do(const store::Call& call);
  // The JSON of the reply's object, or "404 NotFound" and the like.
  std::string Text(const store::Call& call);
  // "" on success, otherwise "409 Conflict: message".
  std::string Error(const store::Call& call);

  store::Outcome<store::Reply> Create(const store::Resource& resource, std::string object);
  store::Outcome<store::Reply> Update(const store::Resource& resource, const std::string& name,
                                      std::string object, std::string subresource = "");
  store::Outcome<store::Reply> Merge(const store::Resource& resource, const std::string& name,
                                     std::string patch, std::string subresource = "");
  store::Outcome<store::Reply> Delete(const store::Resource& resource, const std::string& name,
                                      store::DeleteOptions options = {});
  // The object as a tree; null if absent.
  json::value Get(const store::Resource& resource, const std::string& name);
  bool Has(const store::Resource& resource, const std::string& name);

  base::Time now = *base::ParseTime("2026-01-02T15:04:05Z");

 private:
  std::unique_ptr<ApiHandler> handler_;
};

// The tree of the reply's object; null if there is none.
json::value TreeOf(const store::Outcome<store::Reply>& reply);
// The JSON at a path such as "spec.template.metadata.labels" (keys without dots); "" if absent.
std::string At(const json::value& object, std::string_view path);
std::string ErrorOf(const store::Outcome<store::Reply>& reply);

}  // namespace testing
}  // namespace berth::apiserver
