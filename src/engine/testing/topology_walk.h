#pragma once

// A random walk over the events of nodes and placements: every step applies one chosen event to the
// topologies and to the naive model. The nodes belong to two flavors: the leaves of one are hosts,
// those of the other are racks.

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "engine/testing/naive_topology.h"
#include "engine/testing/topology_world.h"

namespace berth::engine::testing {

class TopologyWalk {
 public:
  // Returns a number below the bound. Precondition: the bound is positive.
  using Choose = std::function<uint64_t(uint64_t bound)>;

  explicit TopologyWalk(Choose choose) : choose_(std::move(choose)) {
    world_.topologies.SetTopology({.name = "racks", .levels = {"block", "rack"}});
    SetRackFlavor();
  }

  void Step() {
    switch (Pick(9)) {
      case 0:
        return RemoveNode();
      case 1:
        return SetOtherUsage();
      case 2:
        return RemovePods();
      case 3:
        return Rebuild();
      case 4:
        return TryAndUndo();
      case 5:
      case 6:
        return PlacePods();
      case 7:
        return PlaceInRack();
      default:
        return SetNode();
    }
  }

  // The first difference between the two; "" if there is none.
  std::string Difference() {
    if (!problem_.empty()) return problem_;
    for (int i = 0; i < kNodes; ++i) {
      const std::string host = "n" + std::to_string(i);
      const DomainIndex domain = world_.forest().FindLeaf(world_.Path(host));
      if ((domain != kNoDomain) != naive_.Exists(host)) return host + ": existence";
      if (domain == kNoDomain) continue;
      if (FreeOf(domain, kPods) != naive_.Free(host, kPods, true)) return host + ": pods";
      if (FreeOf(domain, kCpu) != naive_.Free(host, kCpu, false)) return host + ": cpu";
    }
    if (const std::string rack = DifferentRack(); !rack.empty()) return rack;
    if (!naive_.HasTwins() && !HasSameParents(kFlavor)) return "nodes below a domain of hosts";
    if (!HasSameParents(kRacks)) return "nodes below a domain of racks";
    for (const bool ignores_usage : {false, true})
      for (const int32_t slice_size : {1, 2})
        if (!AreCachedFitsCurrent(slice_size, ignores_usage)) return "cached fits";
    return "";
  }

 private:
  static constexpr int kNodes = 6;
  static constexpr FlavorId kRacks = FlavorId(1);

  // --- Racks -------------------------------------------------------------------------------------

  DomainPathId RackPath(const NaiveTopology::Rack& rack) {
    const std::string values[] = {rack.first, rack.second};
    return world_.topologies.Path(values);
  }

  // The first rack where the two differ; "" if there is none.
  std::string DifferentRack() {
    const TopologyForest& forest = *world_.topologies.Find(kRacks);
    for (const char* block : {"b0", "b1"}) {
      for (const char* name : {"r0", "r1"}) {
        const NaiveTopology::Rack rack{block, name};
        const DomainIndex domain = forest.FindLeaf(RackPath(rack));
        const bool exists = !naive_.NodesOf(rack).empty();
        if ((domain != kNoDomain) != exists) return rack.first + "/" + rack.second + ": existence";
        if (!exists) continue;
        const LeafIndex leaf = forest.domain(domain).leaf;
        const int64_t free =
            world_.topologies.FreeIn(forest, leaf, world_.topologies.ColumnOf(kCpu));
        if (free != naive_.FreeCpu(rack)) return rack.first + "/" + rack.second + ": cpu";
      }
    }
    return "";
  }

  // The number of nodes below each domain above the leaves.
  bool HasSameParents(FlavorId flavor) const {
    const TopologyForest& forest = *world_.topologies.Find(flavor);
    for (const DomainIndex index : forest.DomainsAt(0)) {
      const TopologyForest::Domain& block = forest.domain(index);
      size_t nodes = 0;
      for (const DomainIndex child : block.children) {
        const TopologyForest::Domain& rack = forest.domain(child);
        const NaiveTopology::Rack path(forest.ValueOf(index), forest.ValueOf(child));
        if (rack.nodes != naive_.NodesOf(path).size()) return false;
        nodes += rack.nodes;
      }
      if (nodes != block.nodes) return false;
    }
    return true;
  }

  void SetRackFlavor() {
    world_.topologies.SetFlavor({.flavor = kRacks, .topology = "racks", .node_labels = {}});
  }

  void PlaceInRack() {
    const NaiveTopology::Rack rack{"b" + std::to_string(Pick(2)), "r" + std::to_string(Pick(2))};
    naive_.placed_in_racks.emplace_back(rack, static_cast<int32_t>(Pick(4)));
    AddRackUsage(naive_.placed_in_racks.back());
  }
  void AddRackUsage(const std::pair<NaiveTopology::Rack, int32_t>& placed) {
    world_.topologies.AddUsage(
        TopologyWorld::OneCpu(),
        {.flavor = kRacks, .domains = {{RackPath(placed.first), placed.second}}}, 1);
  }

  // --- Hosts -------------------------------------------------------------------------------------

  // With a leader if there are slices.
  bool AreCachedFitsCurrent(int32_t slice_size, bool ignores_usage) {
    Topologies& topologies = world_.topologies;
    const std::vector<NodeRequest> pod = {{kPodsColumn, 1}, {topologies.ColumnOf(kCpu), 1}};
    const PlacementRequest request{.flavor = kFlavor,
                                   .has_leader = slice_size > 1,
                                   .slice_level = slice_size > 1 ? 1u : 2u,
                                   .slice_size = slice_size,
                                   .inner_sizes = {},
                                   .worker = pod,
                                   .leader = pod,
                                   .ignores_usage = ignores_usage,
                                   .assumed = {}};
    std::vector<DomainFit> counted;
    CountFits(world_.forest(), topologies.usage(), nullptr, request, counted);
    return topologies.FitsOf(request) == counted;
  }

  uint64_t Pick(uint64_t bound) { return choose_(bound); }
  std::string AnyHost() { return "n" + std::to_string(Pick(kNodes)); }
  // A node of the host; now and then a second one with the same hostname.
  std::string NodeOf(const std::string& host) { return Pick(5) == 0 ? host + "-twin" : host; }
  std::string AnyPath() {
    return "b" + std::to_string(Pick(2)) + "/r" + std::to_string(Pick(2)) + "/" + AnyHost();
  }

  int64_t FreeOf(DomainIndex domain, ResourceId resource) const {
    const TopologyForest& forest = world_.forest();
    const NodeColumn column = world_.topologies.ColumnOf(resource);
    if (column == kNoNodeColumn) return 0;
    const LeafIndex leaf = forest.domain(domain).leaf;
    return forest.CapacityOf(leaf)[column] - world_.Used(forest.PathOf(leaf), column);
  }

  void SetNode() {
    ClusterNodeSpec node =
        world_.Node(AnyPath(), static_cast<int64_t>(Pick(9)), static_cast<int64_t>(Pick(6)));
    node.name = NodeOf(*NaiveTopology::Label(node, kHostnameLevel));
    node.is_usable = Pick(4) != 0;
    if (Pick(6) == 0)
      std::erase_if(node.labels, [](const NodeLabel& l) { return l.key == "rack"; });
    world_.topologies.SetNode(node);
    if (NaiveTopology::Label(node, "rack") == nullptr) node.is_usable = false;
    naive_.nodes[node.name] = std::move(node);
  }

  void RemoveNode() {
    const std::string name = NodeOf(AnyHost());
    world_.topologies.RemoveNode(name);
    naive_.nodes.erase(name);
  }

  void SetOtherUsage() {
    const std::string host = AnyHost();
    const auto cpu = static_cast<int64_t>(Pick(4));
    const Request requests[] = {{kCpu, cpu}, {kPods, 1}};
    world_.topologies.SetOtherUsage(host, cpu == 0 ? std::span<const Request>() : requests);
    naive_.other_cpu.erase(host);
    if (cpu != 0) naive_.other_cpu[host] = cpu;
  }

  void AddUsage(const NaiveTopology::Pods& pods, int32_t times) {
    world_.topologies.AddUsage(
        {.slices = {}, .per_pod = {{kCpu, pods.cpu}}},
        {.flavor = kFlavor, .domains = {{world_.Path(pods.host), pods.count}}}, times);
  }

  void RemovePods() {
    if (naive_.placed.empty()) return;
    const size_t at = Pick(naive_.placed.size());
    AddUsage(naive_.placed[at], -1);
    naive_.placed.erase(naive_.placed.begin() + static_cast<std::ptrdiff_t>(at));
  }

  // A change of the flavor forgets usage, which is then added again.
  void Rebuild() {
    if (Pick(2) == 0)
      world_.topologies.SetFlavor({.flavor = kFlavor, .topology = "t", .node_labels = {}});
    else
      SetRackFlavor();
    for (const NaiveTopology::Pods& pods : naive_.placed) AddUsage(pods, 1);
    for (const auto& placed : naive_.placed_in_racks) AddRackUsage(placed);
  }

  void TryAndUndo() {
    TopologyTrial trial(world_.topologies.usage(), UsageLayer::kTried);
    AddUsage({AnyHost(), static_cast<int32_t>(Pick(5)), static_cast<int64_t>(Pick(3))}, 1);
  }

  // Places pods. Every pod gets a place, and no node is overfull.
  void PlacePods() {
    PlacementRequest request{.kind = static_cast<TopologyKind>(1 + Pick(3)),
                             .count = static_cast<int32_t>(1 + Pick(9)),
                             .has_leader = Pick(4) == 0,
                             .level = Pick(3),
                             .slice_level = 2,
                             .inner_sizes = {},
                             .worker = {},
                             .leader = {},
                             .takes_least_free = Pick(2) == 0,
                             .may_balance = Pick(2) == 0,
                             .assumed = {}};
    if (Pick(2) == 0) {
      request.slice_level = request.level + Pick(3 - request.level);
      request.slice_size = static_cast<int32_t>(1 + Pick(3));
    }
    request.may_balance = request.may_balance && request.kind == TopologyKind::kPreferred;
    request.takes_least_free =
        request.takes_least_free && request.kind == TopologyKind::kUnconstrained;
    const Placement placement = world_.Find(request);
    if (!placement.is_found) return;
    int32_t workers = 0, leaders = 0;
    for (const DomainPods& pods : placement.workers) workers += Place(pods);
    for (const DomainPods& pods : placement.leader) leaders += Place(pods);
    if (workers != request.count || leaders != (request.has_leader ? 1 : 0))
      problem_ = "pods without a place";
    for (const NaiveTopology::Pods& pods : naive_.placed) {
      const bool is_new =
          &pods - naive_.placed.data() >=
          static_cast<std::ptrdiff_t>(naive_.placed.size() - placement.workers.size() -
                                      placement.leader.size());
      if (is_new &&
          (naive_.Free(pods.host, kCpu, false) < 0 || naive_.Free(pods.host, kPods, true) < 0))
        problem_ = pods.host + " is overfull";
    }
  }

  int32_t Place(const DomainPods& pods) {
    naive_.placed.push_back({std::string(world_.topologies.LastValueOf(pods.path)), pods.count, 1});
    AddUsage(naive_.placed.back(), 1);
    return pods.count;
  }

  Choose choose_;
  TopologyWorld world_;
  NaiveTopology naive_;
  std::string problem_;
};

}  // namespace berth::engine::testing
