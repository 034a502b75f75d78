#include "embedded/admission.h"

#include <utility>

#include "api/cluster_queue.h"
#include "api/cohort.h"
#include "api/local_queue.h"
#include "api/namespace.h"
#include "api/registry.h"
#include "api/workload_priority_class.h"
#include "jobs/integration_set.h"
#include "schema/decode.h"
#include "store/failure.h"

namespace berth::embedded {
namespace {

namespace json = store::json;

// What the server itself has.
class ServiceLookup final : public webhook::Lookup {
 public:
  explicit ServiceLookup(apiserver::Service& service) : service_(service) {}

  api::Labels NamespaceLabels(std::string_view name) const override {
    const auto text = service_.Find(store::ResourceOf<api::Namespace>(), "", std::string(name));
    if (text == nullptr) return {};
    const auto read = schema::Decode<api::Namespace>(*text);
    return read ? read->metadata.labels : api::Labels();
  }

  bool HasLocalQueue(std::string_view namespace_name, std::string_view name) const override {
    return service_.Find(store::ResourceOf<api::LocalQueue>(), std::string(namespace_name),
                         std::string(name)) != nullptr;
  }

  // Reads are answered at once.
  std::vector<api::ClusterQueue> ClusterQueues() const override { return All<api::ClusterQueue>(); }
  std::vector<api::Cohort> Cohorts() const override { return All<api::Cohort>(); }

  bool HasWorkloadPriorityClass(std::string_view name) const override {
    return service_.Find(store::ResourceOf<api::WorkloadPriorityClass>(), "", std::string(name)) !=
           nullptr;
  }

  std::optional<json::value> FindOwner(std::string_view namespace_name,
                                       const api::OwnerReference& owner) const override {
    const auto resource = ResourceOf(owner);
    if (!resource) return std::nullopt;
    const auto text = service_.Find(
        *resource, resource->is_namespaced ? std::string(namespace_name) : "", owner.name);
    if (text == nullptr) return std::nullopt;
    auto tree = store::ParseJson(*text);
    if (!tree || store::JsonStringAt(*tree, {"metadata", "uid"}) != owner.uid) return std::nullopt;
    return std::move(*tree);
  }

 private:
  std::optional<store::Resource> ResourceOf(const api::OwnerReference& owner) const {
    const auto catalog = service_.Current();
    for (const apiserver::ServedKind& served : catalog->kinds())
      if (served.resource.kind == owner.kind && served.resource.ApiVersion() == owner.api_version)
        return served.resource;
    return std::nullopt;
  }

  std::vector<store::Object> Listed(const store::Resource& resource) const {
    std::vector<store::Object> items;
    const apiserver::Caller caller;
    apiserver::Service::Done keep = [&items](store::Outcome<store::Reply> reply) {
      if (reply) items = std::move(reply->items);
    };
    service_.Do(store::List{.resource = resource, .selection = {}}, caller, std::move(keep));
    return items;
  }

  template <class T>
  std::vector<T> All() const {
    std::vector<T> all;
    for (const store::Object& object : Listed(store::ResourceOf<T>()))
      if (auto read = object.Decode<T>()) all.push_back(*std::move(read));
    return all;
  }

  apiserver::Service& service_;
};

webhook::Attempt AttemptOf(const apiserver::AdmissionAttempt& attempt,
                           const std::string& api_version) {
  return {.api_version = api_version,
          .kind = attempt.resource.kind,
          .subresource = attempt.subresource,
          .namespace_ = attempt.namespace_,
          .old_object = attempt.old_object,
          .reading = attempt.reading,
          .old_reading = attempt.old_reading};
}

}  // namespace

store::Outcome<void> Admission::Mutate(const apiserver::AdmissionAttempt& attempt,
                                       json::value& object) {
  if (!attempt.subresource.empty()) return {};
  const std::string api_version = attempt.resource.ApiVersion();
  auto changed =
      reviewer_.Mutate(AttemptOf(attempt, api_version), std::move(object), ServiceLookup(service_));
  if (!changed) return std::unexpected(store::BadRequest(changed.error().message));
  object = std::move(*changed);
  return {};
}

store::Outcome<void> Admission::Validate(const apiserver::AdmissionAttempt& attempt,
                                         const json::value& object) {
  if (attempt.operation == apiserver::Operation::kDelete) return {};
  const std::string api_version = attempt.resource.ApiVersion();
  const schema::Problems problems = reviewer_.Validate(AttemptOf(attempt, api_version), object,
                                                       ServiceLookup(service_), attempt.warnings);
  if (problems.empty()) return {};
  store::Failure failure = store::Forbidden(attempt.resource, attempt.name, "");
  failure.status.message = webhook::DenialMessage(attempt.resource.kind, problems);
  return std::unexpected(std::move(failure));
}

}  // namespace berth::embedded
