#pragma once

#include <memory>
#include <string>

#include "apiserver/service.h"
#include "base/time.h"
#include "store/failure.h"
#include "store/json.h"

namespace berth::apiserver {

namespace json = boost::json;

namespace testing {

inline const store::Resource kNamespaces{
    .version = "v1", .plural = "namespaces", .kind = "Namespace"};
inline const store::Resource kConfigMaps{
    .version = "v1", .plural = "configmaps", .kind = "ConfigMap", .is_namespaced = true};
inline const store::Resource kPods{
    .version = "v1", .plural = "pods", .kind = "Pod", .is_namespaced = true};
inline const store::Resource kJobs{
    .group = "batch", .version = "v1", .plural = "jobs", .kind = "Job", .is_namespaced = true};

// A service in memory whose calls wait for their answers. Objects are in the namespace "default".
class TestService {
 public:
  explicit TestService(Service::Options options = {});

  Service& operator*() { return *service_; }
  Service* operator->() { return service_.get(); }

  store::Outcome<store::Reply> Do(const store::Call& call);
  // The JSON of the answer's object, or "404 NotFound" and the like.
  std::string Text(const store::Call& call);
  // "" if it went well, otherwise "409 Conflict: message".
  std::string Error(const store::Call& call);

  store::Outcome<store::Reply> Create(const store::Resource& resource, std::string object);
  store::Outcome<store::Reply> Update(const store::Resource& resource, const std::string& name,
                                      std::string object, std::string subresource = "");
  store::Outcome<store::Reply> Merge(const store::Resource& resource, const std::string& name,
                                     std::string patch, std::string subresource = "");
  store::Outcome<store::Reply> Delete(const store::Resource& resource, const std::string& name,
                                      store::DeleteOptions options = {});
  // The object, as a tree; null if it is not there.
  store::json::value Get(const store::Resource& resource, const std::string& name);
  bool Has(const store::Resource& resource, const std::string& name);

  base::Time now = *base::ParseTime("2026-01-02T15:04:05Z");

 private:
  std::unique_ptr<Service> service_;
};

// The tree of an answer's object; null if there is none.
store::json::value TreeOf(const store::Outcome<store::Reply>& reply);
// What stands at a path such as "spec.template.metadata.labels" (keys without dots), as JSON; "" if
// nothing does.
std::string At(const store::json::value& object, std::string_view path);
std::string ErrorOf(const store::Outcome<store::Reply>& reply);

}  // namespace testing
}  // namespace berth::apiserver
