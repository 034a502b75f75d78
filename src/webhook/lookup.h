#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "api/core/limit_range.h"
#include "api/kueue/cluster_queue.h"
#include "api/kueue/cohort.h"
#include "api/kueue/local_queue.h"
#include "api/kueue/resource_flavor.h"
#include "api/meta/meta.h"
#include "api/meta/selector.h"
#include "json/json.h"

namespace berth::webhook {

// The objects of the cluster that a review may look at besides the one under review.
class Lookup {
 public:
  virtual ~Lookup() = default;
  virtual api::Labels NamespaceLabels(std::string_view name) const = 0;
  virtual bool HasLocalQueue(std::string_view namespace_name, std::string_view name) const = 0;
  virtual bool HasWorkloadPriorityClass(std::string_view name) const = 0;
  // Nullopt if there is no such object, or one of another uid.
  virtual std::optional<json::value> FindOwner(std::string_view namespace_name,
                                               const api::OwnerReference& owner) const = 0;

  // Empty where the objects cannot be seen; then nothing is refused or warned of because of them.
  virtual std::vector<api::ClusterQueue> ClusterQueues() const { return {}; }
  virtual std::vector<api::Cohort> Cohorts() const { return {}; }
  virtual std::optional<api::ClusterQueue> FindClusterQueue(std::string_view) const { return {}; }
  virtual std::optional<api::LocalQueue> FindLocalQueue(std::string_view /*namespace_name*/,
                                                        std::string_view) const {
    return {};
  }
  virtual std::optional<api::ResourceFlavor> FindResourceFlavor(std::string_view) const {
    return {};
  }
  virtual std::vector<api::LimitRange> LimitRanges(std::string_view /*namespace_name*/) const {
    return {};
  }
};

}  // namespace berth::webhook
