#pragma once

// The placement of all podsets of a workload, for the flavors that quota chose.
//
// Requests are grouped by flavor, flavors in the order of their names, podsets in the order of the
// spec; podsets of one group are placed together at the place of the first one. Each placement sees
// what earlier podsets of the workload took: in the same flavor, and in other flavors if both use
// hostnames. The first failure ends the search.
//
// In a group the podset with fewer pods is the leader, with one pod; if they are equal, the second
// one. Level, slices and node requirements are those of the workers. Other groups have no place.
//
// A workload slice that replaces another one keeps its pods (gate
// ElasticJobsViaWorkloadSlicesWithTAS): only additional pods are placed, and of fewer pods the
// first ones stay. As in Kueue, the kept pods count twice while the additional ones are placed, so
// these may go to other nodes. If a domain is gone, everything is placed again.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/flavor/assignment.h"
#include "engine/state.h"
#include "engine/topology/placement.h"
#include "engine/topology/placement_request.h"

namespace berth::engine {

struct PlacerInput {
  WorkloadId workload;
  const Assignment* assignment = nullptr;  // flavors and counts
  // The reservation of the workload slice that this one replaces.
  const Reservation* replaced = nullptr;
  // The placement so far of a workload with quota.
  const ReservedTopology* held = nullptr;
  bool ignores_usage = false;  // as if no workload were placed
};

// The index of the leader among two podsets that are placed together.
inline size_t LeaderOf(int32_t first_count, int32_t second_count) {
  return second_count > first_count ? 0 : 1;
}

// Whether pods of the queue in this flavor are placed only after their admission checks are ready.
bool DelaysPlacement(const ClusterQueueSpec& queue, FlavorId flavor);

enum class PlacerResult : uint8_t {
  kPlaced,
  kNoRoom,
  kTooLarge,     // the placement cannot be written, see placement_size.h
  kNoFlavor,     // a podset has none or several flavors with a topology
  kUnsupported,  // elastic jobs are unconstrained
};

class WorkloadPlacer {
 public:
  explicit WorkloadPlacer(State& state) : state_(state) {}

  // The placements of all podsets, by podset, if the result is kPlaced. Those that were delayed or
  // held before are among them.
  PlacerResult Place(const PlacerInput& input, std::vector<PodSetPlacement>& placements);
  // Of a kNoRoom or kTooLarge: the first podset of those that have no place together.
  uint32_t failed_pod_set() const { return failed_pod_set_; }
  const PlacementShortage& shortage() const { return shortage_; }
  // Podsets that the last call tried to place.
  bool WasWanted(uint32_t pod_set) const;

  // Whether the placements fit now, as Kueue checks it before admission: each podset and domain on
  // its own, without the number of pods. Pods that are held already do not count again.
  bool FitsNow(WorkloadId workload, std::span<const PodSetPlacement> placements,
               const ReservedTopology* held) const;
  // Whether no node becomes overfull: all podsets together, with the number of pods, beside the
  // lasting usage of all flavors and what the current cycle has decided.
  bool FitsForGood(WorkloadId workload, std::span<const PodSetPlacement> placements,
                   const ReservedTopology* held);

  // The request for `count` pods in a flavor with a topology, and for one of the leader unless it
  // is null, beside all usage. Nullopt if the topology has no such levels or the slices contradict.
  std::optional<PlacementRequest> Describe(FlavorId flavor, const PodSetTopology& workers,
                                           int32_t count, const PodSetTopology* leader) const;
  // The request for all pods that Place would place, beside all usage. Nullopt if they are more
  // than one podset or group, if others stay where they are, and for those of failed nodes.
  std::optional<PlacementRequest> DescribeOnly(const PlacerInput& input);

 private:
  struct Wanted {
    uint32_t pod_set = 0;
    FlavorId flavor;
    int32_t count = 0;
  };

  // Leader and workers; null workers if the podsets are no group.
  struct Group {
    const Wanted* workers = nullptr;
    const Wanted* leader = nullptr;
  };
  static Group GroupOf(std::span<const Wanted> members);

  void Begin(const PlacerInput& input, std::vector<PodSetPlacement>& placements);
  PlacerResult Collect();
  PlacerResult CollectPodSet(uint32_t pod_set);
  PlacerResult FindFlavor(uint32_t pod_set, FlavorId& flavor) const;
  bool IsDelayed(FlavorId flavor) const;
  bool PlaceGroup(std::span<const Wanted> members);
  bool PlaceLeaderAndWorkers(const Wanted& workers, const Wanted* leader);
  bool PlaceReplacement(const Wanted& wanted);

  // Elastic jobs.
  const PodSetPlacement* FindPrevious(const Wanted* wanted) const;
  bool IsCurrent(const PodSetPlacement& placement) const;
  bool KeepPrevious(const Wanted& workers, const Wanted* leader, bool& is_placed);

  bool Find(const Wanted& workers, const PodSetTopology& request, const Wanted* leader,
            DomainIndex within, Placement& out);
  bool Resolve(const PodSetTopology& request, PlacementRequest& out) const;
  bool ResolveSlices(const PodSetTopology& request, const TopologyForest& forest,
                     PlacementRequest& out) const;
  std::vector<NodeRequest> NodeRequestsOf(const PodSetTopology& request) const;
  void Assume(const Wanted& wanted, std::span<const DomainPods> domains);
  void Put(const Wanted& wanted, std::vector<DomainPods> domains);

  const WorkloadTopology& topology() const { return *state_.workload(input_->workload).topology(); }
  const PodSetTopology& RequestOf(const Wanted& wanted) const {
    return topology().pod_sets[wanted.pod_set];
  }
  const TopologyForest& ForestOf(FlavorId flavor) const { return *state_.topologies->Find(flavor); }

  State& state_;
  PlacementSearch search_;
  // Of the current call.
  const PlacerInput* input_ = nullptr;
  std::vector<Wanted> wanted_;
  std::vector<AssumedUsage> assumed_;        // in the current flavor
  std::vector<AssumedUsage> assumed_hosts_;  // in earlier flavors that share nodes
  std::vector<PodSetPlacement>* out_ = nullptr;
  uint32_t failed_pod_set_ = 0;
  PlacementShortage shortage_;
};

}  // namespace berth::engine
