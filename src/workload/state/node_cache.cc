#include "workload/state/node_cache.h"

#include <algorithm>
#include <utility>

#include "workload/convert/convert_topology.h"
#include "workload/convert/convert_workload.h"
#include "workload/topology/reduced_objects.h"

namespace berth::workload {

NodeCache::NodeCache(bool is_enabled, NodeRounds rounds, engine::Engine& engine)
    : is_enabled_(is_enabled),
      engine_(engine),
      pods_(engine),
      node_round_{.interval = rounds.nodes},
      pod_round_{.interval = rounds.pods} {}

void NodeCache::SetPlaced(const api::Workload& workload, bool is_placed) {
  pods_.SetPlaced(WorkloadKey(workload), workload.metadata.name, is_placed);
}

void NodeCache::SyncPods(base::Time now) {
  for (std::string& node : pods_.Sync()) pod_round_.nodes.insert(std::move(node));
  Run(node_round_, now);
  Run(pod_round_, now);
}

void NodeCache::SyncNodes() {
  for (const auto& [name, node] : changed_nodes_) {
    if (!node) {
      engine_.RemoveNode(name);
      continue;
    }
    matches_.SetNode(engine_.SetNode(ToEngine(*node, engine_)), NodeProfile::From(*node));
    node_round_.nodes.insert(name);
  }
}

void NodeCache::Run(Round& round, base::Time now) {
  if (round.nodes.empty() || now < round.next) return;
  for (const std::string& node : std::exchange(round.nodes, {})) engine_.RequeueUsersOf(node);
  round.next = now + round.interval;
}

std::optional<base::Time> NodeCache::next_round() const {
  std::optional<base::Time> next;
  for (const Round* round : {&node_round_, &pod_round_})
    if (!round->nodes.empty() && (!next || round->next < *next)) next = round->next;
  return next;
}

void NodeCache::ClearChanges() {
  changed_nodes_.clear();
  flavors_.clear();
  topologies_.clear();
}

}  // namespace berth::workload
