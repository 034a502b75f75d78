// The result of a world: ids become names.

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

#include "engine/state.h"
#include "quantity/resource_amount.h"
#include "simulate/world/world.h"

namespace berth::simulate {
namespace {

struct SlotPlace {
  uint32_t queue = kNoIndex;
  uint32_t usage = 0;
  double unit = 1;  // of the resource, per unit of the engine
};

UsageOutcome ToOutcome(const UsageMeter::Slot& slot, const engine::QuotaForest& forest, double unit,
                       double seconds) {
  const double scale = seconds > 0 ? unit / seconds : 0;
  const bool is_unlimited = slot.nominal.is_unlimited();
  const double now = is_unlimited ? 0 : static_cast<double>(slot.nominal.value()) * unit;
  return {.flavor = forest.FlavorName(forest.FlavorOf(slot.pair)),
          .resource = forest.ResourceName(forest.ResourceOf(slot.pair)),
          .nominal = is_unlimited  ? std::numeric_limits<double>::infinity()
                     : seconds > 0 ? slot.nominal_time * scale
                                   : now,
          .used = slot.usage_time * scale,
          .borrowed = slot.borrowed_time * scale,
          .lent = slot.lent_time * scale,
          .peak = static_cast<double>(slot.peak) * unit};
}

void TranslateSamples(const std::vector<SlotPlace>& places,
                      const std::vector<uint32_t>& queue_of_node, size_t queue_count,
                      Samples& samples) {
  for (const SlotPlace& place : places) samples.series.push_back({place.queue, place.usage});
  for (Samples::Row& row : samples.rows) {
    for (size_t i = 0; i < row.used.size(); ++i) {
      row.used[i] *= static_cast<float>(places[i].unit);
      if (row.nominal[i] > 0) row.nominal[i] *= static_cast<float>(places[i].unit);
    }
    std::vector<uint32_t> waiting(queue_count);
    for (size_t node = 0; node < row.waiting.size(); ++node) {
      if (queue_of_node[node] != kNoIndex) waiting[queue_of_node[node]] = row.waiting[node];
    }
    row.waiting = std::move(waiting);
  }
}

}  // namespace

Result World::TakeResult() && {
  if (options_.keeps_samples) TakeSample();
  const base::Time end = std::max(clock_.now(), clock_.end());
  meter_.Close(end);
  Result result{.start = input_.start,
                .end = clock_.end(),
                .is_complete = !agenda_.NextTime(),
                .cycles = cycles_,
                .arrived = agenda_.arrived(),
                .jobs = std::move(outcomes_),
                .preemptions = std::move(preemptions_),
                .queues = {},
                .samples = {}};
  const engine::QuotaForest& forest = engine().state().forest;
  std::vector<uint32_t> queue_of_node(forest.node_count(), kNoIndex);
  cluster_.ForEachClusterQueue([&](const api::ClusterQueue& queue, engine::NodeId id) {
    queue_of_node[id.index()] = static_cast<uint32_t>(result.queues.size());
    result.queues.push_back({.name = queue.metadata.name,
                             .inactive = std::string(cluster_.WhyInactive(queue.metadata.name)),
                             .seconds_above_nominal = meter_.SecondsAbove(id),
                             .usage = {}});
  });
  std::vector<SlotPlace> places;
  const double seconds = (end - input_.start).seconds();
  for (const UsageMeter::Slot& slot : meter_.slots()) {
    const double unit =
        quantity::InUnits(forest.ResourceName(forest.ResourceOf(slot.pair)), engine::Amount(1));
    QueueOutcome& queue = result.queues[queue_of_node[slot.queue.index()]];
    places.push_back({.queue = queue_of_node[slot.queue.index()],
                      .usage = static_cast<uint32_t>(queue.usage.size()),
                      .unit = unit});
    queue.usage.push_back(ToOutcome(slot, forest, unit, seconds));
  }
  for (JobOutcome& job : result.jobs) {
    if (job.queue != kNoIndex) job.queue = queue_of_node[job.queue];
  }
  result.samples.rows = std::move(sampler_).TakeRows();
  TranslateSamples(places, queue_of_node, result.queues.size(), result.samples);
  return result;
}

}  // namespace berth::simulate
