#pragma once

#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "api/kueue/admission_check.h"
#include "api/kueue/resource_flavor.h"
#include "api/kueue/topology.h"
#include "workload/convert/convert_queue.h"
#include "workload/flavor_match.h"
#include "workload/state/object_map.h"

namespace berth::workload {

// The objects that ClusterQueues refer to: ResourceFlavors, AdmissionChecks and Topologies.
class QueueReferenceCache final : public QueueReferences {
 public:
  // Without topologies, a flavor is active even if its Topology is missing.
  explicit QueueReferenceCache(bool has_topologies) : has_topologies_(has_topologies) {}

  // An AdmissionCheck without the condition Active is inactive from now on.
  void TrustStatus() { trusts_status_ = true; }

  // False if decisions do not depend on the change.
  bool Upsert(const api::ResourceFlavor& flavor);
  bool Upsert(const api::Topology& topology);
  void Upsert(const api::AdmissionCheck& check);
  // False if there was none.
  bool EraseFlavor(std::string_view name) { return flavors_.Erase(name); }
  bool EraseCheck(std::string_view name) { return checks_.Erase(name); }
  bool EraseTopology(std::string_view name) { return topologies_.Erase(name); }

  // Null if there is none.
  const api::ResourceFlavor* FindFlavor(std::string_view name) const;
  // In the order of names.
  void ForEachFlavor(const std::function<void(const api::ResourceFlavor&)>& visit) const {
    for (const auto& [name, flavor] : flavors_) visit(flavor.object);
  }
  const FlavorMatcher* FindMatcher(std::string_view flavor) const;
  const api::Topology* FindTopology(std::string_view name) const { return topologies_.Find(name); }
  std::vector<std::string_view> FlavorsOf(std::string_view topology) const;

  State FlavorState(std::string_view flavor) const override;
  State CheckState(std::string_view check) const override;
  std::string_view CheckController(std::string_view check) const override;

 private:
  struct Flavor {
    api::ResourceFlavor object;
    std::optional<FlavorMatcher> matcher;  // of its spec
  };

  bool has_topologies_;
  bool trusts_status_ = false;
  ObjectMap<Flavor> flavors_;
  ObjectMap<api::AdmissionCheck> checks_;
  ObjectMap<api::Topology> topologies_;
};

}  // namespace berth::workload
