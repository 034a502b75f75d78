#pragma once

// Generated nodes: pools of equal nodes in a hierarchy of label values.
//
//   nodes:
//   - className: gpu                    # names: gpu-0-0-0, gpu-0-0-1, …
//     levels:
//     - {nodeLabel: cloud.example/block, count: 10}
//     - {nodeLabel: cloud.example/rack, count: 20}       # in every block
//     - {nodeLabel: kubernetes.io/hostname, count: 300}  # in every rack
//     labels: {pool: gpu}
//     taints: [{key: gpu, effect: NoSchedule}]
//     allocatable: {cpu: 96, memory: 256Gi}              # pods: 110 if absent
//     failsAfter: exponential(720h)
//     repairedAfter: uniform(1h, 4h)
//
// Values count from 0 in every domain above: block-0/rack-1 and block-1/rack-1 are two racks. The
// hostname is the name of the node. Nodes are ready.
//
// Kueue's `topology` describes a Topology and such a pool, with the capacity in its last level.

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/core/node.h"
#include "api/meta/problem_report.h"
#include "simulate/trace/generated_nodes.h"

namespace berth::simulate {

// The value of a generated flavor's label.
inline constexpr std::string_view kValueOfFlavorLabel = "tas";

// The pool of a Topology. Its nodes have the label of the flavor.
GeneratedNodes PoolOf(const GeneratedTopology& topology,
                      const std::optional<GeneratedFlavor>& flavor);

int64_t NodeCountOf(const GeneratedNodes& pool);
// Precondition: the pool was checked.
std::vector<api::Node> MakeNodes(const GeneratedNodes& pool);

// Checks the rules across fields of pools that go together, and their number of nodes.
class NodeRules {
 public:
  explicit NodeRules(api::ProblemReport& report) : report_(report) {}

  void CheckTopology(const GeneratedTopology& topology);
  // Of the pool in the current scope, which is `nodes[index]`.
  void CheckPool(const GeneratedNodes& pool, size_t index);
  // After all pools.
  void CheckTotal();

 private:
  void CheckLevels(const GeneratedNodes& pool);
  // `field`: of the pool, for messages.
  void CheckName(const GeneratedNodes& pool, const std::string& field);
  void CheckTimes(const GeneratedNodes& pool);
  void CheckAmounts(const api::ResourceList& amounts, std::string_view field);

  api::ProblemReport& report_;
  std::map<std::string, std::string> names_;  // of nodes so far, with the field of their pool
  int64_t nodes_ = 0;
};

}  // namespace berth::simulate
