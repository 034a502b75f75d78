#include <vector>

#include "engine/state.h"

namespace berth::engine {
namespace {

// Resolves the queue's quota to columns of its tree.
void Compile(Queue& queue, QuotaForest& forest) {
  queue.groups.clear();
  queue.group_of.assign(forest.resource_count(), Queue::kUndeclared);
  for (const ResourceGroup& spec : queue.spec.groups) {
    Queue::Group& group = queue.groups.emplace_back();
    for (const ResourceId resource : spec.resources) group.resources.push_back(resource);
    for (const FlavorQuotas& flavor : spec.flavors) {
      group.flavors.push_back(flavor.flavor);
      for (const ResourceId resource : spec.resources)
        group.columns.push_back(
            forest.ColumnOf(queue.node, forest.FlavorResource(flavor.flavor, resource)));
    }
    for (const ResourceId resource : spec.resources) {
      int32_t& group_of = queue.group_of[resource.index()];
      if (group_of == Queue::kUndeclared) group_of = static_cast<int32_t>(queue.groups.size()) - 1;
    }
  }
}

}  // namespace

void State::Rebuild() {
  std::vector<QueueUsage> usage;
  std::vector<FlavorResourceUsage> sum;
  for (const Queue& q : queues) {
    sum.clear();
    for (const WorkloadId id : q.reserved) {
      for (const FlavorResourceUsage& u : workload(id).reservation->usage)
        AddFlavorResourceUsage(sum, u.flavor_resource, u.amount);
    }
    for (const FlavorResourceUsage& u : sum)
      usage.push_back({q.node, u.flavor_resource, Amount(u.amount)});
  }
  forest.Rebuild(usage);
  for (Queue& q : queues) {
    const bool has_tree = !q.node.is_none() && forest.HasTree(q.node);
    if (has_tree) Compile(q, forest);
    q.takes_part = has_tree && q.spec.is_active;
  }
}

}  // namespace berth::engine
