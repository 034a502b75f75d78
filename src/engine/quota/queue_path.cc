#include "engine/quota/queue_path.h"

#include <algorithm>
#include <vector>

namespace berth::engine {

std::string QueuePathOf(const QuotaForest& forest, NodeId node) {
  std::vector<NodeId> nodes;
  while (!node.is_none() && std::ranges::find(nodes, node) == nodes.end()) {
    nodes.push_back(node);
    node = forest.node(node).parent;
  }
  std::string path;
  for (auto it = nodes.rbegin(); it != nodes.rend(); ++it) path += "/" + forest.node(*it).name;
  return path;
}

}  // namespace berth::engine
