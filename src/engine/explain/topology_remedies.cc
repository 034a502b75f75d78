#include "engine/explain/topology_remedies.h"

#include <algorithm>

#include "engine/explain/more_room.h"

namespace berth::engine {
namespace {

// Sizes of slices that are tried.
constexpr int32_t kMostSliceSizes = 64;

bool LacksRoom(const TopologySearch& search) {
  return search.is_chosen && !search.is_delayed && search.room.is_valid && !search.room.fits;
}

}  // namespace

const PodSetTopology& TopologyRemedies::RequestOf(const TopologySearch& search) const {
  return state_.workload(trial_.workload()).topology()->pod_sets[search.pod_sets.front()];
}

bool TopologyRemedies::AdmitsAs(uint32_t pod_set, PodSetTopology request) {
  WorkloadTopology topology = *state_.workload(trial_.workload()).topology();
  topology.pod_sets[pod_set] = std::move(request);
  const TopologyRequestTrial other(state_, trial_.workload(), std::move(topology));
  return trial_.Admits();
}

Remedy& TopologyRemedies::Add(RemedyKind kind, const TopologySearch& search) {
  Remedy& remedy = remedies_.emplace_back(Remedy{.kind = kind});
  remedy.flavor = search.flavor;
  remedy.pod_set = search.pod_sets.front();
  return remedy;
}

// --- Other requests ------------------------------------------------------------------------------

void TopologyRemedies::TryOtherRequests() {
  for (const TopologySearch& search : searches_) {
    if (!LacksRoom(search)) continue;
    TryWiderLevel(search);
    TryPreferring(search);
    TryWiderSliceLevel(search);
    TrySmallerSlices(search);
  }
}

void TopologyRemedies::TryWiderLevel(const TopologySearch& search) {
  if (search.room.kind != TopologyKind::kRequired) return;
  for (size_t level = search.room.level; level-- > 0;) {
    PodSetTopology request = RequestOf(search);
    request.level = search.room.levels[level].level;
    if (!AdmitsAs(search.pod_sets.front(), request)) continue;
    Add(RemedyKind::kWiderLevel, search).topology.level = request.level;
    return;
  }
}

void TopologyRemedies::TryPreferring(const TopologySearch& search) {
  if (search.room.kind != TopologyKind::kRequired) return;
  PodSetTopology request = RequestOf(search);
  request.kind = TopologyKind::kPreferred;
  if (AdmitsAs(search.pod_sets.front(), request))
    Add(RemedyKind::kPreferLevel, search).topology.level = request.level;
}

void TopologyRemedies::TryWiderSliceLevel(const TopologySearch& search) {
  if (RequestOf(search).slices.empty()) return;
  for (size_t level = search.room.slice_level; level-- > search.room.level;) {
    PodSetTopology request = RequestOf(search);
    request.slices.front().level = search.room.levels[level].level;
    if (!AdmitsAs(search.pod_sets.front(), request)) continue;
    Add(RemedyKind::kWiderSliceLevel, search).topology.level = request.slices.front().level;
    return;
  }
}

// Sizes that divide the number of pods and keep the inner slices.
void TopologyRemedies::TrySmallerSlices(const TopologySearch& search) {
  const std::vector<SliceLayer>& slices = RequestOf(search).slices;
  if (slices.empty()) return;
  const int32_t inner = slices.size() > 1 ? slices[1].size : 1;
  int32_t tried = 0;
  for (int32_t size = slices.front().size - 1; size >= inner && tried < kMostSliceSizes; --size) {
    if (search.room.count % size != 0 || size % inner != 0) continue;
    ++tried;
    PodSetTopology request = RequestOf(search);
    request.slices.front().size = size;
    if (!AdmitsAs(search.pod_sets.front(), request)) continue;
    Add(RemedyKind::kSmallerSlices, search).topology.slice_size = size;
    return;
  }
}

bool TopologyRemedies::AdmitsSuiting(FlavorId flavor, const std::vector<uint32_t>& pod_sets) {
  const WorkloadTopology* own = state_.workload(trial_.workload()).topology();
  if (own == nullptr) return false;
  WorkloadTopology topology = *own;
  const bool has_levels = state_.topologies->Find(flavor) != nullptr;
  for (const uint32_t pod_set : pod_sets) {
    PodSetTopology& request = topology.pod_sets[pod_set];
    // Which nodes match is only known of pods that are placed.
    if (request.kind == TopologyKind::kNone) return false;
    request.kind = has_levels ? TopologyKind::kUnconstrained : TopologyKind::kNone;
    request.level_choice = LevelChoice::kLowest;
    request.slices.clear();
  }
  const TopologyRequestTrial other(state_, trial_.workload(), std::move(topology));
  return trial_.Admits();
}

// --- More room -----------------------------------------------------------------------------------

void TopologyRemedies::TryMoreRoom() {
  for (const TopologySearch& search : searches_) {
    if (!LacksRoom(search)) continue;
    MoreRoom more(state_, search, RequestOf(search), [&] { return trial_.Admits(); });
    if (std::vector<FreedRoom> room = more.FindFreed(); !room.empty())
      Add(RemedyKind::kFreeRoom, search).topology.room = std::move(room);
    if (TopologyChange nodes = more.FindNodes(); nodes.node_count > 0)
      Add(RemedyKind::kAddNodes, search).topology = std::move(nodes);
  }
}

}  // namespace berth::engine
