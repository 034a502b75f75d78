#pragma once

// An auditor of placements: adds up what an outcome puts on the nodes of its scenario.
//
// It knows the objects and the outcome, and none of the rules of placement. A fault is
//   - a leaf domain that gets pods for which it has no room beside the pods of workloads that hold
//     quota and of others;
//   - a podset that is placed with fewer places than pods;
//   - pods that stay on a failed node that no flavor has any more, although such workloads are
//     replaced or evicted at once (TASFailedNodeReplacementFailFast).
// Workloads that the last cycle preempts or evicts count: their pods still run. What is overfull or
// without a place from the start is no fault unless it gets worse.

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "api/core/node.h"
#include "api/core/pod.h"
#include "api/kueue/resource_flavor.h"
#include "api/kueue/topology.h"
#include "api/kueue/topology_assignment.h"
#include "api/kueue/well_known.h"
#include "api/kueue/workload.h"
#include "engine/engine.h"
#include "scenario/any_object.h"
#include "scenario/outcome.h"
#include "scenario/scenario.h"
#include "workload/convert/convert_topology.h"
#include "workload/convert/convert_workload.h"
#include "workload/status_changes.h"

namespace berth::scenario::testing {

class PlacementAudit {
 public:
  explicit PlacementAudit(const Scenario& scenario) : names_(engine::EngineOptions{}) {
    shares_hosts_ = scenario.gates.IsOn(api::Gate::kTASHandleOverlappingFlavors);
    fails_fast_ = scenario.gates.IsOn(api::Gate::kTASFailedNodeReplacementFailFast);
    for (const AnyObject& job : scenario.steps.at(0).jobs) {
      const std::optional<api::Pod> pod = PodOf(job);
      if (pod && workload::OccupiesNode(*pod)) pods_.push_back(*pod);
    }
    const std::vector<api::Object>& objects = scenario.steps.at(0).apply;
    for (const api::Object& object : objects) {
      if (const auto* topology = object.As<api::Topology>())
        levels_[topology->metadata.name] = workload::ToEngine(*topology).levels;
      if (const auto* flavor = object.As<api::ResourceFlavor>())
        flavors_[flavor->metadata.name] = flavor;
      if (const auto* workload = object.As<api::Workload>())
        workloads_[workload::NamespacedName(workload->metadata)] = workload;
    }
    for (const api::Object& object : objects) {
      if (const auto* node = object.As<api::Node>()) AddNode(*node);
    }
  }

  // A line for each fault; empty if there is none.
  std::vector<std::string> FaultsOf(const Outcome& outcome) {
    faults_.clear();
    used_.clear();
    gains_.clear();
    for (const auto& [name, admission] : *outcome.admissions) {
      if (IsFinished(name, outcome)) continue;
      Add(name, admission,
          {.is_new = IsNew(name, outcome), .is_evicted = IsEvicted(name, outcome)});
    }
    for (const auto& [leaf, gains] : gains_) {
      if (!capacity_.contains(leaf)) continue;
      for (const auto& [resource, gain] : gains) {
        const int64_t room = capacity_[leaf][resource];
        const int64_t amount = used_[leaf][resource];
        if (gain > 0 && amount > room)
          faults_.push_back(leaf + " holds " + std::to_string(amount) + " of " +
                            names_.ResourceName(resource) + " and has room for " +
                            std::to_string(room));
      }
    }
    return faults_;
  }

 private:
  using Amounts = std::map<engine::ResourceId, int64_t>;
  using PodsByLeaf = std::map<std::string, int32_t>;

  // Hosts are shared between flavors, other leaves are not.
  std::string LeafOf(const std::string& flavor, const std::vector<std::string>& values,
                     bool is_host) const {
    std::string leaf = is_host && shares_hosts_ ? "" : flavor + ":";
    for (const std::string& value : values) leaf += "/" + value;
    return leaf;
  }

  static const std::string* LabelOf(const engine::ClusterNodeSpec& node, const std::string& key) {
    const auto label = std::ranges::find(node.labels, key, &engine::NodeLabel::key);
    return label == node.labels.end() ? nullptr : &label->value;
  }

  void AddNode(const api::Node& node) {
    const engine::ClusterNodeSpec spec = workload::ToEngine(node, names_);
    Amounts free;
    for (const engine::Request& r : spec.allocatable) free[r.resource] += r.amount;
    for (const api::Pod& pod : pods_) {
      if (pod.spec.node_name != spec.name) continue;
      for (const engine::Request& r : workload::NodeRequests(pod.spec, names_))
        free[r.resource] -= r.amount;
    }
    std::vector<std::string> known;  // leaves that this node has been added to
    for (const auto& [name, flavor] : flavors_) {
      const std::string leaf = LeafOfNode(spec, *flavor);
      if (leaf.empty() || std::ranges::find(known, leaf) != known.end()) continue;
      known.push_back(leaf);
      for (const auto& [resource, amount] : free) capacity_[leaf][resource] += amount;
    }
  }

  // "" if the node does not belong to the flavor.
  std::string LeafOfNode(const engine::ClusterNodeSpec& node, const api::ResourceFlavor& flavor) {
    const auto levels = levels_.find(flavor.spec.topology_name.value_or(""));
    if (levels == levels_.end() || !node.is_usable) return "";
    for (const auto& [key, value] : flavor.spec.node_labels) {
      const std::string* label = LabelOf(node, key);
      if (label == nullptr || *label != value) return "";
    }
    std::vector<std::string> values;
    for (const std::string& level : levels->second) {
      const std::string* value = LabelOf(node, level);
      if (value == nullptr) return "";
      values.push_back(*value);
    }
    const bool is_host = levels->second.back() == api::kHostnameLabel;
    if (is_host) values = {values.back()};
    return LeafOf(flavor.metadata.name, values, is_host);
  }

  static bool IsNew(const std::string& name, const Outcome& outcome) {
    return std::ranges::find(*outcome.newly_admitted, name) != outcome.newly_admitted->end();
  }

  static bool IsFinished(const std::string& name, const Outcome& outcome) {
    return outcome.finished &&
           std::ranges::find(*outcome.finished, name) != outcome.finished->end();
  }

  static bool IsEvicted(const std::string& name, const Outcome& outcome) {
    const bool is_last = outcome.per_cycle && !outcome.per_cycle->empty();
    const auto& evicted = is_last ? outcome.per_cycle->back().evicted : outcome.evicted;
    return evicted && evicted->Contains(name);
  }

  // What the workload, or the slice that it replaces, held before.
  PodsByLeaf HeldBefore(const std::string& name, const std::string& pod_set, bool is_new) const {
    std::string from = name;
    if (is_new) {
      from = workloads_.at(name)->metadata.annotations.ValueOrEmpty(
          api::kWorkloadSliceReplacementForAnnotation);
    }
    const auto known = workloads_.find(from);
    if (known == workloads_.end() || !known->second->status.admission) return {};
    for (const api::PodSetAssignment& a : known->second->status.admission->pod_set_assignments)
      if (a.name == pod_set) return PlacesOf(a);
    return {};
  }

  static int32_t CountPods(const PodsByLeaf& places) {
    int32_t count = 0;
    for (const auto& [leaf, pods] : places) count += pods;
    return count;
  }
  bool WasPlaced(const std::string& name) const {
    return workload::HasPlacement(*workloads_.at(name));
  }

  // The flavor with a topology; "" if there is none.
  std::string TopologyFlavorOf(const api::PodSetAssignment& assignment) const {
    for (const auto& [resource, flavor] : assignment.flavors) {
      const auto known = flavors_.find(flavor);
      if (known != flavors_.end() && known->second->spec.topology_name) return flavor;
    }
    return "";
  }

  PodsByLeaf PlacesOf(const api::PodSetAssignment& assignment) const {
    PodsByLeaf places;
    if (!assignment.topology_assignment) return places;
    const api::TopologyAssignment& topology = *assignment.topology_assignment;
    const bool is_host = topology.levels.back() == api::kHostnameLabel;
    for (const api::TopologyDomain& domain : api::UnpackTopologyAssignment(topology))
      places[LeafOf(TopologyFlavorOf(assignment), domain.values, is_host)] += domain.count;
    return places;
  }

  struct Disposition {
    bool is_new = false;      // admitted in these cycles
    bool is_evicted = false;  // in the last cycle
  };

  void Add(const std::string& name, const api::Admission& admission, Disposition disposition) {
    const api::Workload& workload = *workloads_.at(name);
    for (const api::PodSetAssignment& assignment : admission.pod_set_assignments) {
      if (!assignment.topology_assignment) continue;
      const auto pod_set =
          std::ranges::find(workload.spec.pod_sets, assignment.name, &api::PodSet::name);
      const PodsByLeaf places = PlacesOf(assignment);
      const PodsByLeaf before = HeldBefore(name, assignment.name, disposition.is_new);
      int32_t placed = 0;
      for (const auto& [leaf, pods] : places) {
        placed += pods;
        const auto held = before.find(leaf);
        const int32_t more = std::max(0, pods - (held == before.end() ? 0 : held->second));
        for (const engine::Request& r : workload::NodeRequests(pod_set->template_.spec, names_)) {
          used_[leaf][r.resource] += r.amount * pods;
          gains_[leaf][r.resource] += r.amount * more;
        }
      }
      const int32_t count = assignment.count.value_or(pod_set->count.value_or(1));
      const bool is_worse = disposition.is_new || placed < CountPods(before) || !WasPlaced(name);
      if (placed < count && is_worse)
        faults_.push_back(name + ": " + std::to_string(placed) + " of " + std::to_string(count) +
                          " pods of \"" + assignment.name + "\" have a place");
      if (fails_fast_ && !disposition.is_evicted)
        CheckFailedNode(name, workload, TopologyFlavorOf(assignment), places);
    }
  }

  // Replacement handles one failed node at a time, of workloads that run.
  void CheckFailedNode(const std::string& name, const api::Workload& workload,
                       const std::string& flavor, const PodsByLeaf& places) {
    if (!workload::IsAdmitted(workload) || workload.status.unhealthy_nodes.empty()) return;
    const std::string& node = workload.status.unhealthy_nodes[0].name;
    const std::string leaf = LeafOf(flavor, {node}, true);
    if (places.contains(leaf) && !capacity_.contains(leaf))
      faults_.push_back(name + ": pods stay on the failed node " + node);
  }

  engine::Engine names_;
  bool shares_hosts_ = true;
  bool fails_fast_ = true;
  std::vector<api::Pod> pods_;                                 // of others, on nodes
  std::map<std::string, std::vector<std::string>> levels_;     // by Topology
  std::map<std::string, const api::ResourceFlavor*> flavors_;  // by name
  std::map<std::string, const api::Workload*> workloads_;      // by namespaced name
  std::map<std::string, Amounts> capacity_;                    // by leaf
  // Of the current outcome.
  std::map<std::string, Amounts> used_;   // by leaf
  std::map<std::string, Amounts> gains_;  // of additional pods, by leaf
  std::vector<std::string> faults_;
};

}  // namespace berth::scenario::testing
