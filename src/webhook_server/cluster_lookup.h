#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "jobs/integration_set.h"
#include "store/informer.h"
#include "store/store.h"
#include "webhook/reviewer.h"

namespace berth::webhook_server {

// What reviews look up, in a cluster: small kinds are kept as copies; an owner, which few objects
// have, is fetched and waited for. Everything on the executor.
class ClusterLookup final : public webhook::Lookup {
 public:
  // All must outlive it.
  ClusterLookup(store::Store& store, store::Executor& executor,
                const jobs::IntegrationSet& integrations);

  // Before that, answers would be wrong.
  bool is_synced() const;

  api::Labels NamespaceLabels(std::string_view name) const override;
  bool HasLocalQueue(std::string_view namespace_name, std::string_view name) const override;
  bool HasWorkloadPriorityClass(std::string_view name) const override;
  std::optional<store::json::value> FindOwner(std::string_view namespace_name,
                                              const api::OwnerReference& owner) const override;
  std::vector<api::ClusterQueue> ClusterQueues() const override;
  std::vector<api::Cohort> Cohorts() const override;

 private:
  std::optional<store::Resource> ResourceOf(const api::OwnerReference& owner) const;

  store::Store& store_;
  const jobs::IntegrationSet& integrations_;
  store::Informer namespaces_;
  store::Informer local_queues_;
  store::Informer priority_classes_;
  store::Informer cluster_queues_;
  store::Informer cohorts_;
};

}  // namespace berth::webhook_server
