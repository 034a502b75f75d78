#include "webhook_server/cluster_lookup.h"

#include <string>
#include <utility>

#include "api/core/limit_range.h"
#include "api/core/namespace.h"
#include "api/kueue/cluster_queue.h"
#include "api/kueue/cohort.h"
#include "api/kueue/local_queue.h"
#include "api/kueue/resource_flavor.h"
#include "api/kueue/workload_priority_class.h"
#include "api/meta/registry.h"
#include "control/reconcile/job_cache.h"
#include "store/wait_for.h"

namespace berth::webhook_server {
namespace {

constexpr base::Duration kOwnerLimit = base::Duration::Seconds(5);

template <class T>
std::vector<T> DecodedObjects(const store::Informer& informer) {
  std::vector<T> objects;
  for (const auto& entry : informer.objects())
    if (auto read = entry.second.template Decode<T>()) objects.push_back(std::move(*read));
  return objects;
}

template <class T>
std::optional<T> DecodedObject(const store::Informer& informer, std::string_view namespace_name,
                               std::string_view name) {
  const store::Object* found =
      informer.Find({.namespace_ = std::string(namespace_name), .name = std::string(name)});
  if (found == nullptr) return std::nullopt;
  auto read = found->Decode<T>();
  return read ? std::optional<T>(std::move(*read)) : std::nullopt;
}

}  // namespace

ClusterLookup::ClusterLookup(store::Store& store, store::Executor& executor,
                             const jobs::IntegrationSet& integrations)
    : store_(store),
      integrations_(integrations),
      namespaces_(store, executor, store::ResourceOf<api::Namespace>(), {}, {}),
      local_queues_(store, executor, store::ResourceOf<api::LocalQueue>(), {}, {}),
      priority_classes_(store, executor, store::ResourceOf<api::WorkloadPriorityClass>(), {}, {}),
      cluster_queues_(store, executor, store::ResourceOf<api::ClusterQueue>(), {}, {}),
      cohorts_(store, executor, store::ResourceOf<api::Cohort>(), {}, {}),
      flavors_(store, executor, store::ResourceOf<api::ResourceFlavor>(), {}, {}),
      limit_ranges_(store, executor, store::ResourceOf<api::LimitRange>(), {}, {}) {}

bool ClusterLookup::is_synced() const {
  return namespaces_.is_synced() && local_queues_.is_synced() && priority_classes_.is_synced() &&
         cluster_queues_.is_synced() && cohorts_.is_synced();
}

api::Labels ClusterLookup::NamespaceLabels(std::string_view name) const {
  const store::Object* found = namespaces_.Find({.namespace_ = "", .name = std::string(name)});
  if (found == nullptr) return {};
  const auto read = found->Decode<api::Namespace>();
  return read ? read->metadata.labels : api::Labels();
}

bool ClusterLookup::HasLocalQueue(std::string_view namespace_name, std::string_view name) const {
  return local_queues_.Find(
             {.namespace_ = std::string(namespace_name), .name = std::string(name)}) != nullptr;
}

bool ClusterLookup::HasWorkloadPriorityClass(std::string_view name) const {
  return priority_classes_.Find({.namespace_ = "", .name = std::string(name)}) != nullptr;
}

std::vector<api::ClusterQueue> ClusterLookup::ClusterQueues() const {
  return DecodedObjects<api::ClusterQueue>(cluster_queues_);
}

std::vector<api::Cohort> ClusterLookup::Cohorts() const {
  return DecodedObjects<api::Cohort>(cohorts_);
}

std::optional<api::ClusterQueue> ClusterLookup::FindClusterQueue(std::string_view name) const {
  return DecodedObject<api::ClusterQueue>(cluster_queues_, "", name);
}

std::optional<api::LocalQueue> ClusterLookup::FindLocalQueue(std::string_view namespace_name,
                                                             std::string_view name) const {
  return DecodedObject<api::LocalQueue>(local_queues_, namespace_name, name);
}

// Without LimitRanges, limits would count as requests where a default request is smaller.
std::optional<api::ResourceFlavor> ClusterLookup::FindResourceFlavor(std::string_view name) const {
  if (!flavors_.is_synced() || !limit_ranges_.is_synced()) return std::nullopt;
  return DecodedObject<api::ResourceFlavor>(flavors_, "", name);
}

std::vector<api::LimitRange> ClusterLookup::LimitRanges(std::string_view namespace_name) const {
  std::vector<api::LimitRange> ranges = DecodedObjects<api::LimitRange>(limit_ranges_);
  std::erase_if(ranges, [&](const auto& r) { return r.metadata.namespace_ != namespace_name; });
  return ranges;
}

std::optional<store::Resource> ClusterLookup::ResourceOf(const api::OwnerReference& owner) const {
  if (const auto* integration = integrations_.Find(owner.api_version, owner.kind))
    return control::ResourceOf(*integration);
  const api::FoundKind found = api::FindKind(owner.api_version, owner.kind);
  if (!found || found.kind->plural.empty()) return std::nullopt;
  return store::ResourceOf(*found.kind);
}

std::optional<json::value> ClusterLookup::FindOwner(std::string_view namespace_name,
                                                    const api::OwnerReference& owner) const {
  const auto resource = ResourceOf(owner);
  if (!resource) return std::nullopt;
  const auto got =
      store::WaitFor(store_,
                     store::Get{.resource = *resource,
                                .namespace_ = resource->is_namespaced ? std::string(namespace_name)
                                                                      : std::string(),
                                .name = owner.name},
                     kOwnerLimit);
  if (!got || got->object.uid != owner.uid) return std::nullopt;
  auto tree = json::Parse(got->object.text());
  return tree ? std::optional(std::move(*tree)) : std::nullopt;
}

}  // namespace berth::webhook_server
