#include "simulate/strongly_connected.h"

#include <algorithm>

namespace berth::simulate {
namespace {

class ComponentSearch {
 public:
  ComponentSearch(size_t node_count, std::span<const std::pair<uint32_t, uint32_t>> edges)
      : first_(node_count + 1), nodes_(node_count), component_of_(node_count, kNoComponent) {
    for (const auto& [from, to] : edges) ++first_[from + 1];
    for (size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
    targets_.resize(edges.size());
    std::vector<size_t> next(first_.begin(), first_.end() - 1);
    for (const auto& [from, to] : edges) targets_[next[from]++] = to;
  }

  std::vector<uint32_t> Run() {
    for (uint32_t i = 0; i < nodes_.size(); ++i) {
      if (nodes_[i].order == 0) Visit(i);
    }
    return std::move(component_of_);
  }

 private:
  struct Node {
    uint32_t order = 0;  // of the first visit, from 1
    uint32_t low = 0;    // order of the earliest node reachable
    bool is_open = false;
  };
  struct Frame {
    uint32_t node;
    size_t next_edge;
  };

  void Enter(uint32_t node) {
    nodes_[node] = {.order = ++visited_, .low = visited_, .is_open = true};
    open_.push_back(node);
    path_.push_back({node, first_[node]});
  }

  void Visit(uint32_t root) {
    Enter(root);
    while (!path_.empty()) {
      Frame& frame = path_.back();
      const uint32_t node = frame.node;
      if (frame.next_edge < first_[node + 1]) {
        const uint32_t to = targets_[frame.next_edge++];
        if (nodes_[to].order == 0) {
          Enter(to);
        } else if (nodes_[to].is_open) {
          nodes_[node].low = std::min(nodes_[node].low, nodes_[to].order);
        }
        continue;
      }
      path_.pop_back();
      if (!path_.empty()) {
        Node& parent = nodes_[path_.back().node];
        parent.low = std::min(parent.low, nodes_[node].low);
      }
      if (nodes_[node].low == nodes_[node].order) Close(node);
    }
  }

  // The nodes opened since this one form a component with it.
  void Close(uint32_t node) {
    auto begin = open_.end() - 1;  // from the end: components are short, the stack is not
    while (*begin != node) --begin;
    const bool is_component = open_.end() - begin > 1;
    for (auto it = begin; it != open_.end(); ++it) {
      nodes_[*it].is_open = false;
      if (is_component) component_of_[*it] = components_;
    }
    if (is_component) ++components_;
    open_.erase(begin, open_.end());
  }

  std::vector<size_t> first_;  // index of the first edge, by node
  std::vector<uint32_t> targets_;
  std::vector<Node> nodes_;
  std::vector<uint32_t> component_of_;
  std::vector<uint32_t> open_;
  std::vector<Frame> path_;
  uint32_t visited_ = 0;
  uint32_t components_ = 0;
};

}  // namespace

std::vector<uint32_t> StronglyConnected(size_t node_count,
                                        std::span<const std::pair<uint32_t, uint32_t>> edges) {
  return ComponentSearch(node_count, edges).Run();
}

}  // namespace berth::simulate
