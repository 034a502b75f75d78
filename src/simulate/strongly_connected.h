#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace berth::simulate {

inline constexpr uint32_t kNoComponent = std::numeric_limits<uint32_t>::max();

// The strongly connected component of each node of a directed graph; kNoComponent for nodes whose
// component has no other node. Linear time (Tarjan's algorithm without recursion).
std::vector<uint32_t> StronglyConnected(size_t node_count,
                                        std::span<const std::pair<uint32_t, uint32_t>> edges);

}  // namespace berth::simulate
