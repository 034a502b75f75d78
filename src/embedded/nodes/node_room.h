#pragma once

// The room on simulated nodes, and which node a pod is bound to.
//
// A pod may run on a node that is ready and schedulable, whose taints NoSchedule and NoExecute it
// tolerates, that its node selector and required affinity match, and that has room for its
// requests. Of several the next one by name after the last choice is taken, so that pods spread.

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "api/core/node.h"
#include "api/core/pod.h"
#include "workload/requests/requests.h"
#include "workload/topology/node_match_table.h"

namespace berth::embedded {

// A node, or the numbers of nodes that are none for the pod, by reason.
struct NodeChoice {
  std::string node;  // "": none
  size_t nodes = 0;
  size_t unavailable = 0;  // not ready, or unschedulable
  size_t tainted = 0;
  size_t unmatched = 0;  // by node selector or affinity
  size_t full = 0;

  std::string Message() const;
};

class NodeRoom {
 public:
  void Set(const api::Node& node);
  void Remove(std::string_view node);
  // Pods that are bound to a node take room until they have ended. Returns true if room was freed.
  bool SetPod(const std::string& name, const api::Pod& pod);
  bool RemovePod(const std::string& name);
  // A pod that is being bound takes room on the node, whatever its object says until it is bound.
  void Assume(const std::string& name, const api::Pod& pod, const std::string& node);
  bool IsAssumed(const std::string& name, const api::Pod& pod) const;
  // The pod could not be bound. Returns true if room was freed.
  bool Forget(const std::string& name);

  NodeChoice Choose(const api::PodSpec& pod);

 private:
  struct Node {
    workload::NodeProfile profile;
    std::string host;
    workload::Requests allocatable;
    bool is_available = false;
  };
  struct Usage {
    std::string node;
    workload::Requests requests;
    std::string assumed_uid;  // of a pod that is being bound
  };
  using Nodes = std::map<std::string, Node, std::less<>>;

  bool Accepts(const Nodes::value_type& node, const workload::NodeRequirements& requirements,
               const workload::Requests& requests, NodeChoice& choice) const;
  void Take(const std::string& pod, Usage usage);
  bool HasRoom(const Nodes::value_type& node, const workload::Requests& requests) const;

  Nodes nodes_;                                                      // by name
  std::map<std::string, std::set<std::string>, std::less<>> hosts_;  // names, by host name
  std::map<std::string, Usage, std::less<>> pods_;                   // by namespaced name
  std::map<std::string, workload::Requests, std::less<>> used_;      // by node
  std::string last_choice_;
};

}  // namespace berth::embedded
