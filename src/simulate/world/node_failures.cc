#include "simulate/world/node_failures.h"

#include <algorithm>

#include "api/meta/meta.h"
#include "workload/convert/convert_topology.h"

namespace berth::simulate {
namespace {

// Keeps draws of nodes apart from those of jobs.
constexpr uint64_t kNodeSeed = 0x6e6f6465;
// So that time goes on.
constexpr base::Duration kLeastTime = base::Duration::Seconds(1);

}  // namespace

bool IsReadyNode(const api::Node& node) {
  const api::CoreCondition* ready = workload::FindReady(node);
  return ready != nullptr && ready->status == api::kConditionTrue;
}

NodeFailures::NodeFailures(const Input& input, uint64_t seed)
    : input_(input), seed_(seed ^ kNodeSeed) {
  for (uint32_t pool = 0; pool < input.failing_nodes.size(); ++pool) {
    const FailingNodes& nodes = input.failing_nodes[pool];
    for (uint32_t i = 0; i < nodes.count; ++i)
      AddAfter(input.start, {.node = nodes.first + i, .pool = pool}, nodes.fails_after, failures_);
  }
}

void NodeFailures::AddAfter(base::Time at, Event before, const Distribution& after, Events& to) {
  base::Random random = RandomFor(seed_, before.node, before.draws);
  before.at = at + std::max(after.Draw(random), kLeastTime);
  ++before.draws;
  to.push(before);
}

std::optional<NodeFailures::Event> NodeFailures::Take(Events& events, base::Time now) {
  if (events.empty() || events.top().at > now) return std::nullopt;
  const Event event = events.top();
  events.pop();
  return event;
}

std::optional<uint32_t> NodeFailures::TakeFailure(base::Time now) {
  const std::optional<Event> event = Take(failures_, now);
  if (!event) return std::nullopt;
  const FailingNodes& nodes = input_.failing_nodes[event->pool];
  if (nodes.repaired_after) AddAfter(now, *event, *nodes.repaired_after, repairs_);
  return event->node;
}

void NodeFailures::Postpone(base::Time now) {
  while (const std::optional<Event> event = Take(failures_, now))
    AddAfter(now, *event, input_.failing_nodes[event->pool].fails_after, failures_);
}

std::optional<uint32_t> NodeFailures::TakeRepair(base::Time now) {
  const std::optional<Event> event = Take(repairs_, now);
  if (!event) return std::nullopt;
  AddAfter(now, *event, input_.failing_nodes[event->pool].fails_after, failures_);
  return event->node;
}

}  // namespace berth::simulate
