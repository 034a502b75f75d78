#include "engine/topology/node_trial.h"

#include <string>
#include <vector>

namespace berth::engine {

NodeTrial::NodeTrial(Topologies& topologies, FlavorId flavor)
    : topologies_(topologies), forest_(*topologies.flavors_[flavor.index()].forest) {}

NodeTrial::~NodeTrial() {
  for (const Amount& more : amounts_) forest_.AddCapacity(more.leaf, more.column, -more.amount);
  for (const Nodes& nodes : nodes_) {
    topologies_.AddCapacity(topologies_.nodes_[nodes.like.index()], forest_, nodes.leaf,
                            -nodes.count);
    if (forest_.is_hostname_lowest()) forest_.RemoveNode(nodes.like, nodes.leaf);
  }
}

void NodeTrial::AddCapacity(LeafIndex leaf, NodeColumn column, base::Int128 amount) {
  forest_.AddCapacity(leaf, column, amount);
  amounts_.push_back({leaf, column, amount});
}

void NodeTrial::AddNodesLike(LeafIndex leaf, int32_t count) {
  const ClusterNodeId like = forest_.FirstNodeOf(leaf);
  if (!forest_.is_hostname_lowest()) return Add({like, leaf, count});
  for (int32_t i = 0; i < count; ++i) Add({like, AddHostLike(like, leaf, i), 1});
}

void NodeTrial::Add(const Nodes& nodes) {
  nodes_.push_back(nodes);
  topologies_.AddCapacity(topologies_.nodes_[nodes.like.index()], forest_, nodes.leaf, nodes.count);
}

// No node has such a hostname: the value of a label does not begin with '+'.
LeafIndex NodeTrial::AddHostLike(ClusterNodeId node, LeafIndex like, int32_t number) {
  const std::string host = "+" + std::to_string(number);
  const DomainPathId path = topologies_.Path({&host, 1});
  std::vector<LabelNameId> values(forest_.level_count());
  DomainIndex at = forest_.DomainOf(like);
  for (size_t level = values.size(); level-- > 0; at = forest_.domain(at).parent)
    values[level] = forest_.domain(at).value;
  values.back() = topologies_.paths_.ValuesOf(path).back();
  return forest_.AddNode(node, values, path);
}

}  // namespace berth::engine
