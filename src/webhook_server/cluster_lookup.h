#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "jobs/integration_set.h"
#include "store/informer.h"
#include "store/store.h"
#include "webhook/admission_reviewer.h"

namespace berth::webhook_server {

// The Lookup of a cluster: small kinds are cached by informers; an owner, which few objects have,
// is fetched with a blocking call. Runs on the executor only.
class ClusterLookup final : public webhook::Lookup {
 public:
  // All must outlive the lookup.
  ClusterLookup(store::Store& store, store::Executor& executor,
                const jobs::IntegrationSet& integrations);

  // Lookups are valid only after the sync.
  bool is_synced() const;

  api::Labels NamespaceLabels(std::string_view name) const override;
  bool HasLocalQueue(std::string_view namespace_name, std::string_view name) const override;
  bool HasWorkloadPriorityClass(std::string_view name) const override;
  std::optional<json::value> FindOwner(std::string_view namespace_name,
                                       const api::OwnerReference& owner) const override;
  std::vector<api::ClusterQueue> ClusterQueues() const override;
  std::vector<api::Cohort> Cohorts() const override;
  std::optional<api::ClusterQueue> FindClusterQueue(std::string_view name) const override;
  std::optional<api::LocalQueue> FindLocalQueue(std::string_view namespace_name,
                                                std::string_view name) const override;
  // Nothing before the flavors, and LimitRanges, are synced: warnings do without.
  std::optional<api::ResourceFlavor> FindResourceFlavor(std::string_view name) const override;
  std::vector<api::LimitRange> LimitRanges(std::string_view namespace_name) const override;

 private:
  std::optional<store::Resource> ResourceOf(const api::OwnerReference& owner) const;

  store::Store& store_;
  const jobs::IntegrationSet& integrations_;
  store::Informer namespaces_;
  store::Informer local_queues_;
  store::Informer priority_classes_;
  store::Informer cluster_queues_;
  store::Informer cohorts_;
  store::Informer flavors_;
  store::Informer limit_ranges_;
};

}  // namespace berth::webhook_server
