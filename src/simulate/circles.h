#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace berth::simulate {

inline constexpr uint32_t kNoCircle = std::numeric_limits<uint32_t>::max();

// Of each node of a directed graph, which circle it is in: nodes from each of which every other of
// the circle can be reached. kNoCircle for nodes that are in none; an edge from a node to itself
// makes no circle. Linear time (Tarjan's algorithm without recursion).
std::vector<uint32_t> CirclesOf(size_t node_count,
                                std::span<const std::pair<uint32_t, uint32_t>> edges);

}  // namespace berth::simulate
