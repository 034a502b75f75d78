#include "engine/topology/workload_placer.h"

#include <algorithm>

#include "engine/topology/node_replacement.h"
#include "engine/topology/state_trial.h"

namespace berth::engine {
namespace {

int32_t CountPods(std::span<const DomainPods> domains) {
  int32_t count = 0;
  for (const DomainPods& pods : domains) count += pods.count;
  return count;
}

std::vector<DomainPods> FirstPods(std::span<const DomainPods> domains, int32_t count) {
  std::vector<DomainPods> first;
  for (const DomainPods& pods : domains) {
    if (count <= 0) break;
    first.push_back({pods.path, std::min(pods.count, count)});
    count -= pods.count;
  }
  return first;
}

bool HasFailedNode(const Topologies& topologies, const ReservedTopology& held,
                   const PodSetPlacement& placement) {
  return std::ranges::any_of(placement.domains, [&](const DomainPods& pods) {
    const std::string_view node = topologies.LastValueOf(pods.path);
    return std::ranges::find(held.failed_nodes, node) != held.failed_nodes.end();
  });
}

}  // namespace

bool DelaysPlacement(const ClusterQueueSpec& queue, FlavorId flavor) {
  const std::vector<FlavorId>& delayed = queue.delayed_topology_flavors;
  return queue.delays_all_topologies || std::ranges::find(delayed, flavor) != delayed.end();
}

void WorkloadPlacer::Begin(const PlacerInput& input, std::vector<PodSetPlacement>& placements) {
  input_ = &input;
  out_ = &placements;
  placements.clear();
  wanted_.clear();
  assumed_.clear();
  assumed_hosts_.clear();
}

PlacerResult WorkloadPlacer::Place(const PlacerInput& input,
                                   std::vector<PodSetPlacement>& placements) {
  Begin(input, placements);
  if (const PlacerResult result = Collect(); result != PlacerResult::kPlaced) return result;
  for (size_t begin = 0, end = 0; begin < wanted_.size(); begin = end) {
    const auto key = [&](const Wanted& w) { return std::pair(w.flavor, RequestOf(w).group); };
    while (end < wanted_.size() && key(wanted_[end]) == key(wanted_[begin])) ++end;
    if (begin > 0 && wanted_[begin].flavor != wanted_[begin - 1].flavor) {
      const bool shares_hosts = state_.options.tas_handle_overlapping_flavors &&
                                ForestOf(wanted_[begin - 1].flavor).is_hostname_lowest();
      if (shares_hosts)
        assumed_hosts_.insert(assumed_hosts_.end(), assumed_.begin(), assumed_.end());
      assumed_.clear();
    }
    failed_pod_set_ = wanted_[begin].pod_set;
    shortage_ = {.pod_set = failed_pod_set_, .flavor = wanted_[begin].flavor};
    if (!PlaceGroup(std::span(wanted_).subspan(begin, end - begin))) return PlacerResult::kNoRoom;
  }
  std::ranges::sort(placements, {}, &PodSetPlacement::pod_set);
  return IsTooLarge(*state_.topologies, state_.placement_sizer, placements)
             ? PlacerResult::kTooLarge
             : PlacerResult::kPlaced;
}

bool WorkloadPlacer::WasWanted(uint32_t pod_set) const {
  return std::ranges::find(wanted_, pod_set, &Wanted::pod_set) != wanted_.end();
}

// --- What is placed ------------------------------------------------------------------------------

PlacerResult WorkloadPlacer::Collect() {
  for (uint32_t i = 0; i < topology().pod_sets.size(); ++i) {
    if (const PlacerResult result = CollectPodSet(i); result != PlacerResult::kPlaced)
      return result;
  }
  const auto place_of_group = [&](const Wanted& w) {
    const auto first = std::ranges::find_if(wanted_, [&](const Wanted& other) {
      return other.flavor == w.flavor && RequestOf(other).group == RequestOf(w).group;
    });
    return first->pod_set;
  };
  std::vector<Wanted> sorted = wanted_;
  std::ranges::stable_sort(sorted, [&](const Wanted& a, const Wanted& b) {
    if (a.flavor != b.flavor)
      return state_.forest.FlavorName(a.flavor) < state_.forest.FlavorName(b.flavor);
    return place_of_group(a) < place_of_group(b);
  });
  wanted_ = std::move(sorted);
  return PlacerResult::kPlaced;
}

PlacerResult WorkloadPlacer::CollectPodSet(uint32_t pod_set) {
  const PodSetTopology& request = topology().pod_sets[pod_set];
  const PodSetPlacement* held = input_->held == nullptr ? nullptr : input_->held->Find(pod_set);
  const int32_t count = input_->assignment->pod_sets[pod_set].count;
  const bool is_held =
      held != nullptr && (count == 0 || (!held->is_delayed &&
                                         !HasFailedNode(*state_.topologies, *input_->held, *held)));
  if (is_held) {
    out_->push_back(*held);
    return PlacerResult::kPlaced;
  }
  if (request.kind == TopologyKind::kNone || count == 0) return PlacerResult::kPlaced;
  const bool is_elastic = state_.options.elastic_jobs_with_topology && topology().is_elastic;
  if (is_elastic && request.kind != TopologyKind::kUnconstrained) return PlacerResult::kUnsupported;
  FlavorId flavor;
  if (const PlacerResult result = FindFlavor(pod_set, flavor); result != PlacerResult::kPlaced)
    return result;
  if (IsDelayed(flavor)) {
    out_->push_back({.pod_set = pod_set, .flavor = flavor, .is_delayed = true, .domains = {}});
    return PlacerResult::kPlaced;
  }
  wanted_.push_back({pod_set, flavor, count});
  return PlacerResult::kPlaced;
}

// The one flavor of the podset that has a topology. A member of a group without requests takes that
// of the group.
PlacerResult WorkloadPlacer::FindFlavor(uint32_t pod_set, FlavorId& flavor) const {
  const std::vector<AssignedPodSet>& assigned = input_->assignment->pod_sets;
  bool is_unique = true;
  const auto add = [&](const AssignedPodSet& from) {
    for (const AssignedResource& resource : from.resources) {
      if (resource.flavor == flavor || state_.topologies->Find(resource.flavor) == nullptr)
        continue;
      is_unique = flavor.is_none();
      flavor = resource.flavor;
    }
  };
  add(assigned[pod_set]);
  const int32_t group = topology().pod_sets[pod_set].group;
  for (uint32_t i = 0; assigned[pod_set].resources.empty() && i < assigned.size(); ++i)
    if (topology().pod_sets[i].group == group) add(assigned[i]);
  return flavor.is_none() || !is_unique ? PlacerResult::kNoFlavor : PlacerResult::kPlaced;
}

bool WorkloadPlacer::IsDelayed(FlavorId flavor) const {
  const ClusterQueueSpec& queue =
      state_.queue(state_.workload(input_->workload).cluster_queue).spec;
  if (queue.delays_all_topologies) return true;
  return input_->held == nullptr && DelaysPlacement(queue, flavor);
}

// --- Groups --------------------------------------------------------------------------------------

bool WorkloadPlacer::PlaceGroup(std::span<const Wanted> members) {
  if (input_->held != nullptr && !input_->held->failed_nodes.empty())
    return std::ranges::all_of(members, [&](const Wanted& w) { return PlaceReplacement(w); });
  const Group group = GroupOf(members);
  return group.workers != nullptr && PlaceLeaderAndWorkers(*group.workers, group.leader);
}

// A third podset, or a second pod of the leader, would have no place.
WorkloadPlacer::Group WorkloadPlacer::GroupOf(std::span<const Wanted> members) {
  if (members.size() == 1) return {.workers = &members[0]};
  const size_t leader = LeaderOf(members[0].count, members[1].count);
  if (members.size() > 2 || members[leader].count > 1) return {};
  return {.workers = &members[1 - leader], .leader = &members[leader]};
}

bool WorkloadPlacer::PlaceLeaderAndWorkers(const Wanted& workers, const Wanted* leader) {
  bool is_placed = false;
  if (KeepPrevious(workers, leader, is_placed)) return is_placed;
  Placement placement;
  if (!Find(workers, RequestOf(workers), leader, kNoDomain, placement)) return false;
  Assume(workers, placement.workers);
  Put(workers, std::move(placement.workers));
  if (leader == nullptr) return true;
  Assume(*leader, placement.leader);
  Put(*leader, std::move(placement.leader));
  return true;
}

bool WorkloadPlacer::PlaceReplacement(const Wanted& wanted) {
  const PodSetPlacement* held = input_->held->Find(wanted.pod_set);
  if (held == nullptr || held->is_delayed) return true;
  if (topology().is_single_pod && state_.options.skip_reassignment_for_pod_owned_workloads) {
    out_->push_back(*held);
    return true;
  }
  const TopologyForest& forest = ForestOf(wanted.flavor);
  const NodeReplacement replacement =
      ReplaceNode(*state_.topologies, forest, RequestOf(wanted), held->domains,
                  input_->held->failed_nodes.front());
  if (!replacement.is_possible) return false;
  Wanted missing = wanted;
  missing.count = replacement.count;
  Placement placement;
  if (!Find(missing, replacement.request, nullptr, replacement.within, placement)) return false;
  Assume(missing, placement.workers);
  Put(wanted, MergePlacements(forest, placement.workers, replacement.remaining));
  return true;
}

// --- Elastic jobs --------------------------------------------------------------------------------

const PodSetPlacement* WorkloadPlacer::FindPrevious(const Wanted* wanted) const {
  const bool is_elastic = state_.options.elastic_jobs_with_topology && topology().is_elastic;
  if (wanted == nullptr || !is_elastic || input_->replaced == nullptr) return nullptr;
  const ReservedTopology* previous = input_->replaced->topology.get();
  const PodSetPlacement* placement =
      previous == nullptr ? nullptr : previous->Find(wanted->pod_set);
  return placement == nullptr || placement->is_delayed ? nullptr : placement;
}

bool WorkloadPlacer::IsCurrent(const PodSetPlacement& placement) const {
  const TopologyForest* forest = state_.topologies->Find(placement.flavor);
  return forest != nullptr && std::ranges::all_of(placement.domains, [&](const DomainPods& pods) {
           return forest->FindLeaf(pods.path) != kNoDomain;
         });
}

// False if there are no pods to keep.
bool WorkloadPlacer::KeepPrevious(const Wanted& workers, const Wanted* leader, bool& is_placed) {
  const PodSetPlacement* previous = FindPrevious(&workers);
  const PodSetPlacement* previous_leader = FindPrevious(leader);
  if (previous == nullptr || !IsCurrent(*previous)) return false;
  if (previous_leader != nullptr && !IsCurrent(*previous_leader)) return false;
  std::vector<DomainPods> kept = FirstPods(previous->domains, workers.count);
  Assume(workers, kept);
  if (previous_leader != nullptr) {
    Assume(*leader, previous_leader->domains);
    Put(*leader, previous_leader->domains);
    leader = nullptr;
  }
  is_placed = true;
  Wanted more = workers;
  more.count = workers.count - CountPods(kept);
  if (more.count > 0) {
    Placement placement;
    is_placed = Find(more, RequestOf(workers), leader, kNoDomain, placement);
    if (!is_placed) return true;
    Assume(more, placement.workers);
    kept = MergePlacements(ForestOf(workers.flavor), placement.workers, kept);
    if (leader != nullptr) {
      Assume(*leader, placement.leader);
      Put(*leader, std::move(placement.leader));
    }
  }
  Put(workers, std::move(kept));
  return true;
}

// --- One placement -------------------------------------------------------------------------------

bool WorkloadPlacer::Find(const Wanted& workers, const PodSetTopology& request,
                          const Wanted* leader, DomainIndex within, Placement& out) {
  const TopologyForest& forest = ForestOf(workers.flavor);
  std::optional<PlacementRequest> resolved = Describe(
      workers.flavor, request, workers.count, leader == nullptr ? nullptr : &RequestOf(*leader));
  if (!resolved) {
    shortage_ = {.pod_set = workers.pod_set, .flavor = workers.flavor, .is_valid = false};
    return false;
  }
  resolved->within = within;
  resolved->ignores_usage = input_->ignores_usage;
  resolved->assumed = assumed_;
  resolved->uses_scores =
      state_.options.tas_respect_node_affinity_preferred && forest.is_hostname_lowest() &&
      state_.topologies->TakeFirstScore(input_->workload, workers.pod_set, workers.flavor);
  if (forest.is_hostname_lowest()) {
    for (const AssumedUsage& assumed : assumed_hosts_) {
      auto known = std::ranges::find(resolved->assumed, assumed.path, &AssumedUsage::path);
      if (known == resolved->assumed.end()) {
        resolved->assumed.push_back(assumed);
      } else {
        for (size_t i = 0; i < assumed.amounts.size(); ++i) known->amounts[i] += assumed.amounts[i];
      }
    }
  }
  search_.Find(*state_.topologies, *resolved, out);
  if (!out.is_found)
    shortage_ = {.pod_set = workers.pod_set,
                 .flavor = workers.flavor,
                 .fitting = out.fitting,
                 .needed = out.needed,
                 .slice_size = resolved->slice_size};
  return out.is_found;
}

std::optional<PlacementRequest> WorkloadPlacer::Describe(FlavorId flavor,
                                                         const PodSetTopology& workers,
                                                         int32_t count,
                                                         const PodSetTopology* leader) const {
  PlacementRequest request{.flavor = flavor,
                           .kind = workers.kind,
                           .count = count,
                           .has_leader = leader != nullptr,
                           .inner_sizes = {},
                           .worker = NodeRequestsOf(workers),
                           .leader = {},
                           .match = workers.match,
                           .assumed = {}};
  if (!Resolve(workers, request)) return std::nullopt;
  if (leader != nullptr) request.leader = NodeRequestsOf(*leader);
  const bool is_unconstrained = workers.kind == TopologyKind::kUnconstrained;
  request.takes_least_free = is_unconstrained && state_.options.tas_profile_mixed;
  request.may_balance =
      state_.options.tas_balanced_placement && workers.kind == TopologyKind::kPreferred;
  return request;
}

std::optional<PlacementRequest> WorkloadPlacer::DescribeOnly(const PlacerInput& input) {
  if (input.held != nullptr && !input.held->failed_nodes.empty()) return std::nullopt;
  std::vector<PodSetPlacement> kept;
  Begin(input, kept);
  if (Collect() != PlacerResult::kPlaced || wanted_.empty() || !kept.empty()) return std::nullopt;
  const bool is_one = std::ranges::all_of(wanted_, [&](const Wanted& w) {
    return w.flavor == wanted_[0].flavor && RequestOf(w).group == RequestOf(wanted_[0]).group;
  });
  const Group group = is_one ? GroupOf(wanted_) : Group();
  if (group.workers == nullptr || FindPrevious(group.workers) != nullptr) return std::nullopt;
  return Describe(group.workers->flavor, RequestOf(*group.workers), group.workers->count,
                  group.leader == nullptr ? nullptr : &RequestOf(*group.leader));
}

bool WorkloadPlacer::Resolve(const PodSetTopology& request, PlacementRequest& out) const {
  const TopologyForest& forest = ForestOf(out.flavor);
  if (request.has_conflicting_updates) return false;
  const auto lowest = static_cast<int32_t>(forest.level_count()) - 1;
  const int32_t level = request.level_choice == LevelChoice::kLowest ? lowest
                        : request.level_choice == LevelChoice::kHighest
                            ? 0
                            : forest.LevelOf(request.level);
  if (level < 0) return false;
  out.level = static_cast<size_t>(level);
  out.slice_level = static_cast<size_t>(lowest);
  return request.slices.empty() || ResolveSlices(request, forest, out);
}

bool WorkloadPlacer::ResolveSlices(const PodSetTopology& request, const TopologyForest& forest,
                                   PlacementRequest& out) const {
  int32_t above_level = -1, above_size = 0;
  out.inner_sizes.assign(forest.level_count(), 0);
  for (const SliceLayer& layer : request.slices) {
    const int32_t level = forest.LevelOf(layer.level);
    if (level <= above_level || layer.size <= 0) return false;
    if (above_level < 0) {
      if (level < static_cast<int32_t>(out.level)) return false;
      out.slice_level = static_cast<size_t>(level);
      out.slice_size = layer.size;
    } else {
      if (above_size % layer.size != 0) return false;
      std::fill(out.inner_sizes.begin() + above_level + 1, out.inner_sizes.begin() + level + 1,
                layer.size);
    }
    above_level = level;
    above_size = layer.size;
  }
  return true;
}

std::vector<NodeRequest> WorkloadPlacer::NodeRequestsOf(const PodSetTopology& request) const {
  std::vector<NodeRequest> requests = {{.column = kPodsColumn, .amount = 1}};
  for (const Request& r : request.per_pod)
    if (r.amount > 0) requests.push_back({state_.topologies->ColumnOf(r.resource), r.amount});
  return requests;
}

void WorkloadPlacer::Assume(const Wanted& wanted, std::span<const DomainPods> domains) {
  const std::vector<NodeRequest> requests = NodeRequestsOf(RequestOf(wanted));
  for (const DomainPods& pods : domains) {
    auto known = std::ranges::find(assumed_, pods.path, &AssumedUsage::path);
    if (known == assumed_.end()) {
      known = assumed_.insert(
          assumed_.end(),
          {.path = pods.path,
           .amounts = std::vector<int64_t>(state_.topologies->usage().column_count())});
    }
    for (const NodeRequest& request : requests) {
      if (request.column != kNoNodeColumn)
        known->amounts[request.column] += request.amount * pods.count;
    }
  }
}

void WorkloadPlacer::Put(const Wanted& wanted, std::vector<DomainPods> domains) {
  out_->push_back(
      {.pod_set = wanted.pod_set, .flavor = wanted.flavor, .domains = std::move(domains)});
}

// --- The check before admission ------------------------------------------------------------------

namespace {

// Pods of the placement beyond those that are held in the domain.
template <class Visit>
void ForEachNewPods(const PodSetPlacement& placement, const ReservedTopology* held, Visit visit) {
  const PodSetPlacement* before = held == nullptr ? nullptr : held->Find(placement.pod_set);
  for (DomainPods pods : placement.domains) {
    if (before != nullptr) {
      const auto at = std::ranges::find(before->domains, pods.path, &DomainPods::path);
      if (at != before->domains.end()) pods.count -= at->count;
    }
    if (pods.count > 0) visit(pods);
  }
}

bool HasRequests(const PodSetTopology& request) {
  return std::ranges::any_of(request.per_pod, [](const Request& r) { return r.amount > 0; });
}

}  // namespace

bool WorkloadPlacer::FitsNow(WorkloadId id, std::span<const PodSetPlacement> placements,
                             const ReservedTopology* held) const {
  const WorkloadTopology& topology = *state_.workload(id).topology();
  bool fits = true;
  for (const PodSetPlacement& placement : placements) {
    const PodSetTopology& request = topology.pod_sets[placement.pod_set];
    ForEachNewPods(placement, held, [&](const DomainPods& pods) {
      // As in Kueue, pods without any request never pass.
      fits = fits && HasRequests(request) &&
             state_.topologies->FitsNow(request, placement.flavor, pods);
    });
  }
  return fits;
}

bool WorkloadPlacer::FitsForGood(WorkloadId id, std::span<const PodSetPlacement> placements,
                                 const ReservedTopology* held) {
  const WorkloadTopology& topology = *state_.workload(id).topology();
  TopologyTrial trial(state_.topologies->usage(), UsageLayer::kDecided);
  bool fits = true;
  for (const PodSetPlacement& placement : placements) {
    const PodSetTopology& request = topology.pod_sets[placement.pod_set];
    ForEachNewPods(placement, held, [&](const DomainPods& pods) {
      fits = fits && state_.topologies->FitsForGood(request, placement.flavor, pods);
      state_.topologies->AddUsage(request, {.flavor = placement.flavor, .domains = {pods}}, 1);
    });
  }
  return fits;
}

}  // namespace berth::engine
