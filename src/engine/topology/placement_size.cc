#include "engine/topology/placement_size.h"

namespace berth::engine {
namespace {

// Beside its values: quotes and commas around each, and its number of pods.
constexpr size_t kMostBytesBesideValue = 3;
constexpr size_t kMostBytesOfCount = 11;

// Without the frame around all domains, for which kMostPlacementBytes leaves room.
size_t MostBytes(const Topologies& topologies, const PodSetPlacement& placement) {
  const TopologyForest* forest = topologies.Find(placement.flavor);
  if (forest == nullptr) return 0;
  const size_t levels = forest->is_hostname_lowest() ? 1 : forest->level_count();
  size_t bytes = placement.domains.size() * (levels * kMostBytesBesideValue + kMostBytesOfCount);
  for (const DomainPods& pods : placement.domains) bytes += topologies.LengthOf(pods.path);
  return bytes;
}

}  // namespace

bool IsTooLarge(const Topologies& topologies, const PlacementSizer& sizer,
                std::span<const PodSetPlacement> placements) {
  if (!sizer) return false;
  size_t most = 0;
  for (const PodSetPlacement& placement : placements) most += MostBytes(topologies, placement);
  if (most <= kMostPlacementBytes) return false;
  size_t bytes = 0;
  for (const PodSetPlacement& placement : placements) bytes += sizer(placement);
  return bytes > kMostPlacementBytes;
}

}  // namespace berth::engine
