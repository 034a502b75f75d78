#include "engine/explain/topology_search.h"

#include <algorithm>

#include "engine/topology/workload_placer.h"

namespace berth::engine {
namespace {

class TopologySearcher {
 public:
  TopologySearcher(State& state, WorkloadId workload, const Assignment& assignment)
      : state_(state),
        workload_(state.workload(workload)),
        topology_(*workload_.topology()),
        assignment_(assignment) {
    // Empty if nothing was tried.
    if (!assignment.pod_sets.empty())
      WorkloadPlacer(state).Place({.workload = workload, .assignment = &assignment}, placed_);
  }

  void Add(const FlavorSearch& search) {
    const std::vector<uint32_t> pod_sets = PodSetsOf(search);
    if (pod_sets.empty()) return;
    for (const FlavorStep& step : search.flavors) {
      if (step.mismatch || state_.topologies->Find(step.flavor) == nullptr) continue;
      const bool is_known = std::ranges::any_of(out_, [&](const TopologySearch& known) {
        return known.flavor == step.flavor && known.pod_sets == pod_sets;
      });
      if (!is_known) out_.push_back(SearchIn(step.flavor, pod_sets));
    }
  }

  std::vector<TopologySearch> Take() { return std::move(out_); }

 private:
  int32_t CountOf(uint32_t pod_set) const {
    return state_.shape(workload_.shape).pod_sets[pod_set].count;
  }

  // Those that are placed, the workers first.
  std::vector<uint32_t> PodSetsOf(const FlavorSearch& search) const {
    std::vector<uint32_t> pod_sets;
    for (const uint32_t i : search.pod_sets) {
      if (topology_.pod_sets[i].kind != TopologyKind::kNone && CountOf(i) > 0)
        pod_sets.push_back(i);
    }
    if (pod_sets.size() == 2 && LeaderOf(CountOf(pod_sets[0]), CountOf(pod_sets[1])) == 0)
      std::swap(pod_sets[0], pod_sets[1]);
    return pod_sets;
  }

  TopologySearch SearchIn(FlavorId flavor, const std::vector<uint32_t>& pod_sets) {
    TopologySearch search{.pod_sets = pod_sets, .flavor = flavor, .room = {}};
    search.is_chosen = IsChosen(flavor, pod_sets.front());
    search.is_delayed = DelaysPlacement(state_.queue(workload_.cluster_queue).spec, flavor);
    if (search.is_delayed) return search;
    TopologyTrial trial(state_.topologies->usage(), UsageLayer::kLasting);
    for (const PodSetPlacement& placement : placed_) {
      if (placement.pod_set < *std::ranges::min_element(pod_sets))
        state_.topologies->AddUsage(topology_.pod_sets[placement.pod_set], placement, 1);
    }
    const PodSetTopology* leader = pod_sets.size() < 2 ? nullptr : &topology_.pod_sets[pod_sets[1]];
    search.room =
        FindRoom(state_, flavor, topology_.pod_sets[pod_sets[0]], CountOf(pod_sets[0]), leader);
    return search;
  }

  bool IsChosen(FlavorId flavor, uint32_t pod_set) const {
    return pod_set < assignment_.pod_sets.size() &&
           std::ranges::any_of(
               assignment_.pod_sets[pod_set].resources,
               [&](const AssignedResource& r) { return r.flavor == flavor; });
  }

  State& state_;
  const Workload& workload_;
  const WorkloadTopology& topology_;
  const Assignment& assignment_;
  std::vector<PodSetPlacement> placed_;
  std::vector<TopologySearch> out_;
};

}  // namespace

std::vector<TopologySearch> SearchTopologies(State& state, WorkloadId workload,
                                             const Assignment& assignment,
                                             const std::vector<FlavorSearch>& searches) {
  if (!state.topologies || state.workload(workload).topology() == nullptr) return {};
  TopologySearcher searcher(state, workload, assignment);
  for (const FlavorSearch& search : searches) searcher.Add(search);
  return searcher.Take();
}

bool HasRoomInAll(const std::vector<TopologySearch>& searches) {
  return std::ranges::all_of(searches, [](const TopologySearch& search) {
    return !search.is_chosen || search.is_delayed || search.room.fits;
  });
}

}  // namespace berth::engine
