#pragma once

// Nodes and topologies of a random walk of the engine: two flavors of hosts that share nodes, and
// one whose leaves are racks.

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "engine/engine.h"

namespace berth::engine::testing {

class WalkNodes {
 public:
  using Choose = std::function<uint64_t(uint64_t bound)>;
  static constexpr std::array<std::string_view, 3> kFlavors = {"f1", "f2", "f3"};

  // The engine must outlive this, and stay where it is.
  WalkNodes(Choose choose, Engine& engine) : choose_(std::move(choose)), engine_(engine) {
    engine_.SetTopology({.name = "hosts", .levels = {"rack", std::string(kHostnameLevel)}});
    engine_.SetTopology({.name = "racks", .levels = {"rack"}});
    for (size_t i = 0; i < kFlavors.size(); ++i) SetFlavor(i);
    for (int i = 0; i < kNodes; ++i) SetNode();
  }

  // One event of nodes, flavors or topologies.
  void Step() {
    switch (Pick(8)) {
      case 0:
        return engine_.RemoveNode(AnyNode());
      case 1:
      case 2:
        return SetOtherUsage();
      case 3:
        return SetLevels();
      case 4:
        return SetFlavor(Pick(kFlavors.size()));
      case 5:
        return engine_.RemoveTopologyFlavor(engine_.Flavor(kFlavors[Pick(kFlavors.size())]));
      default:
        return SetNode();
    }
  }

  // A request of one podset, or none. `code` tells different ones apart.
  std::optional<WorkloadTopology> SomeRequest(int64_t cpu, uint64_t& code) {
    code = Pick(8);
    if (code == 0) return std::nullopt;
    PodSetTopology request{.slices = {}, .per_pod = {{engine_.Resource("cpu"), cpu}}};
    request.kind = code < 3   ? TopologyKind::kRequired
                   : code < 5 ? TopologyKind::kPreferred
                              : TopologyKind::kUnconstrained;
    request.level = code % 2 == 0 ? "rack" : std::string(kHostnameLevel);
    if (request.kind == TopologyKind::kUnconstrained) request.level_choice = LevelChoice::kLowest;
    if (code == 4) request.slices = {{std::string(kHostnameLevel), 2}};
    if (code == 7) {
      request.level_choice = LevelChoice::kHighest;
      request.slices = {{"rack", 2}};
    }
    return WorkloadTopology{.pod_sets = {request}};
  }

  // --- Invariants --------------------------------------------------------------------------------

  // The usage of leaves is what the reservations hold there.
  std::string Violation(const std::vector<WorkloadId>& workloads) const {
    const Topologies& topologies = *engine_.state().topologies;
    std::map<std::tuple<uint32_t, DomainPathId, NodeColumn>, int64_t> sums;
    for (const WorkloadId id : workloads) {
      ForEachPlacement(id, [&](const PodSetTopology& request, const PodSetPlacement& placement) {
        const TopologyForest* forest = topologies.Find(placement.flavor);
        if (forest == nullptr) return;
        for (const DomainPods& pods : placement.domains) {
          const uint32_t array = forest->usage().lasting;
          sums[{array, pods.path, kPodsColumn}] += pods.count;
          for (const Request& r : request.per_pod)
            sums[{array, pods.path, topologies.ColumnOf(r.resource)}] += r.amount * pods.count;
        }
      });
    }
    for (const std::string_view name : kFlavors) {
      const TopologyForest* forest = topologies.Find(engine_.Flavor(name));
      for (LeafIndex leaf = 0; forest != nullptr && leaf < forest->leaf_count(); ++leaf)
        for (NodeColumn column = 0; column < topologies.usage().column_count(); ++column)
          sums.try_emplace({forest->usage().lasting, forest->PathOf(leaf), column});
    }
    for (const auto& [at, amount] : sums) {
      const auto& [array, path, column] = at;
      const int64_t* row = topologies.usage().Row(array, path);
      if ((row == nullptr ? 0 : row[column]) != amount)
        return "usage of " + std::string(topologies.LastValueOf(path)) + " is not what is reserved";
    }
    return "";
  }

  // Before a cycle: what workloads hold that it may place again.
  void Remember(const std::vector<WorkloadId>& workloads) {
    before_.clear();
    for (const WorkloadId id : workloads) before_[id] = PodsOf(id);
  }

  // After a cycle, beside those that it preempted or evicted: the pods that it placed have room,
  // and each has a place.
  std::string ViolationOfPlaced(WorkloadId id) const {
    const Topologies& topologies = *engine_.state().topologies;
    std::string problem;
    ForEachPlacement(id, [&](const PodSetTopology& request, const PodSetPlacement& placement) {
      if (topologies.Find(placement.flavor) == nullptr) return;
      const TopologyForest& forest = *topologies.Find(placement.flavor);
      int32_t pods_with_a_place = 0;
      for (const DomainPods& pods : placement.domains) {
        pods_with_a_place += pods.count;
        if (pods.count <= HeldBefore(id, pods.path)) continue;
        const DomainIndex domain = forest.FindLeaf(pods.path);
        if (domain == kNoDomain) {
          problem = "has pods in no domain";
          continue;
        }
        const LeafIndex leaf = forest.domain(domain).leaf;
        if (topologies.FreeIn(forest, leaf, kPodsColumn) < 0) problem = "has too many pods there";
        for (const Request& r : request.per_pod)
          if (r.amount > 0 && topologies.FreeIn(forest, leaf, topologies.ColumnOf(r.resource)) < 0)
            problem = "overfills a node";
      }
      const Reservation& reservation = *engine_.state().workload(id).reservation;
      if (!placement.is_delayed &&
          pods_with_a_place != reservation.pod_sets[placement.pod_set].count)
        problem = "has pods without a place";
    });
    return problem;
  }

 private:
  static constexpr int kNodes = 6;
  using Pods = std::map<DomainPathId, int32_t>;

  uint64_t Pick(uint64_t bound) { return choose_(bound); }
  std::string AnyNode() { return "n" + std::to_string(Pick(kNodes)); }

  template <class Visit>
  void ForEachPlacement(WorkloadId id, Visit visit) const {
    const Workload& w = engine_.state().workload(id);
    if (!w.reservation || !w.reservation->topology || w.topology() == nullptr) return;
    for (const PodSetPlacement& placement : w.reservation->topology->placements)
      visit(w.topology()->pod_sets[placement.pod_set], placement);
  }

  Pods PodsOf(WorkloadId id) const {
    Pods pods;
    ForEachPlacement(id, [&](const PodSetTopology&, const PodSetPlacement& placement) {
      for (const DomainPods& at : placement.domains) pods[at.path] += at.count;
    });
    return pods;
  }

  int32_t HeldBefore(WorkloadId id, DomainPathId path) const {
    const auto workload = before_.find(id);
    if (workload == before_.end()) return 0;
    const auto held = workload->second.find(path);
    return held == workload->second.end() ? 0 : held->second;
  }

  void SetNode() {
    const std::string name = AnyNode();
    ClusterNodeSpec node{.name = name,
                         .labels = {{std::string(kHostnameLevel), name},
                                    {"pool", "p" + std::to_string(Pick(2))},
                                    {"rack", "r" + std::to_string(Pick(2))}},
                         .allocatable = {{engine_.Resource("cpu"), static_cast<int64_t>(Pick(12))},
                                         {engine_.Resource("pods"), static_cast<int64_t>(Pick(6))}},
                         .is_usable = Pick(5) != 0};
    engine_.SetNode(node);
    engine_.RequeueUsersOf(name);
  }

  void SetOtherUsage() {
    const auto cpu = static_cast<int64_t>(Pick(4));
    const std::string name = AnyNode();
    const Request requests[] = {{engine_.Resource("cpu"), cpu}, {engine_.Resource("pods"), 1}};
    engine_.SetOtherNodeUsage(name, cpu == 0 ? std::span<const Request>() : requests);
    engine_.RequeueUsersOf(name);
  }

  void SetLevels() {
    std::vector<std::string> levels = {std::string(kHostnameLevel)};
    if (Pick(4) == 0) return engine_.RemoveTopology("hosts");
    if (Pick(2) == 0) levels.insert(levels.begin(), "rack");
    engine_.SetTopology({.name = "hosts", .levels = levels});
  }

  // The second flavor has a part of the nodes of the first.
  void SetFlavor(size_t i) {
    TopologyFlavorSpec spec{.flavor = engine_.Flavor(kFlavors[i]),
                            .topology = i == 2 ? "racks" : "hosts",
                            .node_labels = {}};
    if (i == 1) spec.node_labels = {{"pool", "p1"}};
    engine_.SetTopologyFlavor(spec);
  }

  Choose choose_;
  Engine& engine_;
  std::map<WorkloadId, Pods> before_;
};

}  // namespace berth::engine::testing
