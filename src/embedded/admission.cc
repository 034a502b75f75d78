#include "embedded/admission.h"

#include <utility>

#include "api/core/limit_range.h"
#include "api/core/namespace.h"
#include "api/kueue/cluster_queue.h"
#include "api/kueue/cohort.h"
#include "api/kueue/local_queue.h"
#include "api/kueue/resource_flavor.h"
#include "api/kueue/workload_priority_class.h"
#include "api/meta/registry.h"
#include "jobs/integration_set.h"
#include "schema/decode.h"
#include "store/failure.h"

namespace berth::embedded {
namespace {

// Looks objects up in the server.
class HandlerLookup final : public webhook::Lookup {
 public:
  explicit HandlerLookup(apiserver::ApiHandler& handler) : handler_(handler) {}

  api::Labels NamespaceLabels(std::string_view name) const override {
    const auto text = handler_.Find(store::ResourceOf<api::Namespace>(), "", std::string(name));
    if (text == nullptr) return {};
    const auto read = schema::Decode<api::Namespace>(*text);
    return read ? read->metadata.labels : api::Labels();
  }

  bool HasLocalQueue(std::string_view namespace_name, std::string_view name) const override {
    return handler_.Find(store::ResourceOf<api::LocalQueue>(), std::string(namespace_name),
                         std::string(name)) != nullptr;
  }

  // Reads are answered synchronously.
  std::vector<api::ClusterQueue> ClusterQueues() const override { return All<api::ClusterQueue>(); }
  std::vector<api::Cohort> Cohorts() const override { return All<api::Cohort>(); }
  std::optional<api::ClusterQueue> FindClusterQueue(std::string_view name) const override {
    return Found<api::ClusterQueue>("", name);
  }
  std::optional<api::LocalQueue> FindLocalQueue(std::string_view namespace_name,
                                                std::string_view name) const override {
    return Found<api::LocalQueue>(namespace_name, name);
  }
  std::optional<api::ResourceFlavor> FindResourceFlavor(std::string_view name) const override {
    return Found<api::ResourceFlavor>("", name);
  }
  std::vector<api::LimitRange> LimitRanges(std::string_view namespace_name) const override {
    return All<api::LimitRange>(namespace_name);
  }

  bool HasWorkloadPriorityClass(std::string_view name) const override {
    return handler_.Find(store::ResourceOf<api::WorkloadPriorityClass>(), "", std::string(name)) !=
           nullptr;
  }

  std::optional<json::value> FindOwner(std::string_view namespace_name,
                                       const api::OwnerReference& owner) const override {
    const auto resource = ResourceOf(owner);
    if (!resource) return std::nullopt;
    const auto text = handler_.Find(
        *resource, resource->is_namespaced ? std::string(namespace_name) : "", owner.name);
    if (text == nullptr) return std::nullopt;
    auto tree = json::Parse(*text);
    if (!tree || json::StringAt(*tree, {"metadata", "uid"}) != owner.uid) return std::nullopt;
    return std::move(*tree);
  }

 private:
  std::optional<store::Resource> ResourceOf(const api::OwnerReference& owner) const {
    const auto catalog = handler_.Current();
    for (const apiserver::ServedKind& served : catalog->kinds())
      if (served.resource.kind == owner.kind && served.resource.ApiVersion() == owner.api_version)
        return served.resource;
    return std::nullopt;
  }

  template <class T>
  std::optional<T> Found(std::string_view namespace_name, std::string_view name) const {
    const auto text =
        handler_.Find(store::ResourceOf<T>(), std::string(namespace_name), std::string(name));
    if (text == nullptr) return std::nullopt;
    auto read = schema::Decode<T>(*text);
    return read ? std::optional<T>(std::move(*read)) : std::nullopt;
  }

  std::vector<store::Object> Listed(const store::Resource& resource,
                                    std::string_view namespace_name) const {
    std::vector<store::Object> items;
    const apiserver::Caller caller;
    apiserver::ApiHandler::Done keep = [&items](store::Outcome<store::Reply> reply) {
      if (reply) items = std::move(reply->items);
    };
    handler_.Do(
        store::List{.resource = resource, .selection = {.namespace_ = std::string(namespace_name)}},
        caller, std::move(keep));
    return items;
  }

  template <class T>
  std::vector<T> All(std::string_view namespace_name = "") const {
    std::vector<T> all;
    for (const store::Object& object : Listed(store::ResourceOf<T>(), namespace_name))
      if (auto read = object.Decode<T>()) all.push_back(*std::move(read));
    return all;
  }

  apiserver::ApiHandler& handler_;
};

}  // namespace

store::Outcome<void> Admission::Mutate(const store::AdmissionRequest& request, json::value& object,
                                       std::vector<std::string>&) {
  if (!request.subresource.empty()) return {};
  auto changed = reviewer_.Mutate(request, std::move(object), HandlerLookup(handler_));
  if (!changed) return std::unexpected(store::BadRequest(base::ToString(changed.error())));
  object = std::move(*changed);
  return {};
}

store::Outcome<void> Admission::Validate(const store::AdmissionRequest& request,
                                         const json::value& object,
                                         std::vector<std::string>& warnings) {
  if (request.operation == store::Operation::kDelete) return {};
  const schema::Problems problems =
      reviewer_.Validate(request, object, HandlerLookup(handler_), warnings);
  if (problems.empty()) return {};
  store::Failure failure = store::Forbidden(request.resource, request.name, "");
  failure.status.message = webhook::DenialMessage(request.resource.kind, problems);
  return std::unexpected(std::move(failure));
}

}  // namespace berth::embedded
