// The result of a world: ids become names.

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>
#include <utility>

#include "engine/state.h"
#include "quantity/resource_amount.h"
#include "simulate/world/world.h"
#include "workload/convert/convert_admission.h"

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

// The average of an integral over time.
double MeanOf(double integral, double now, double seconds) {
  return seconds > 0 ? integral / seconds : now;
}

NodesOutcome ToOutcome(const TopologyMeter::Flavor& flavor, const engine::Engine& engine,
                       double seconds) {
  NodesOutcome outcome{.flavor = engine.FlavorName(flavor.flavor),
                       .placements = flavor.placements,
                       .levels = {},
                       .resources = {}};
  const std::vector<std::string> labels = engine.TopologyLevels(flavor.flavor);
  for (size_t i = 0; i < std::min(labels.size(), flavor.levels.size()); ++i) {
    const TopologyMeter::Level& level = flavor.levels[i];
    const auto placements = static_cast<double>(flavor.placements);
    outcome.levels.push_back(
        {.label = labels[i],
         .domains = MeanOf(level.domain_time, level.domains, seconds),
         .busy = MeanOf(level.busy_time, level.busy, seconds),
         .together = placements > 0 ? static_cast<double>(level.whole) / placements : 0});
  }
  for (const TopologyMeter::Resource& resource : flavor.resources) {
    const std::string& name = engine.ResourceName(resource.resource);
    const double unit = quantity::InUnits(name, engine::Amount(1));
    const TopologyMeter::Capacity capacity = flavor.CapacityOf(resource);
    outcome.resources.push_back(
        {.name = name,
         .capacity =
             unit * MeanOf(capacity.amount_time, static_cast<double>(capacity.amount), seconds),
         .used = unit * MeanOf(resource.used_time, static_cast<double>(resource.used), seconds),
         .peak = unit * static_cast<double>(resource.peak)});
  }
  std::ranges::sort(outcome.resources, {}, &NodesOutcome::Resource::name);
  return outcome;
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
  meters_.usage.Close(end);
  meters_.topology.Close(end);
  meters_.pending.Close(end);
  result_.end = clock_.end();
  result_.is_complete = !NextTime();
  result_.arrived = agenda_.arrived();
  ReportQueues(end);
  ReportNodes((end - input_.start).seconds());
  return std::move(result_);
}

void World::ReportQueues(base::Time end) {
  const engine::QuotaForest& forest = engine().state().forest;
  std::vector<uint32_t> queue_of_node(forest.node_count(), kNoIndex);
  cluster_.ForEachClusterQueue([&](const api::ClusterQueue& queue, engine::NodeId id) {
    queue_of_node[id.index()] = static_cast<uint32_t>(result_.queues.size());
    result_.queues.push_back({.name = queue.metadata.name,
                              .inactive = std::string(cluster_.InactiveReason(queue.metadata.name)),
                              .seconds_above_nominal = meters_.usage.SecondsAbove(id),
                              .usage = {}});
  });
  std::vector<SlotPlace> places;
  const double seconds = (end - input_.start).seconds();
  for (const UsageMeter::Slot& slot : meters_.usage.slots()) {
    const double unit =
        quantity::InUnits(forest.ResourceName(forest.ResourceOf(slot.pair)), engine::Amount(1));
    QueueOutcome& queue = result_.queues[queue_of_node[slot.queue.index()]];
    places.push_back({.queue = queue_of_node[slot.queue.index()],
                      .usage = static_cast<uint32_t>(queue.usage.size()),
                      .unit = unit});
    queue.usage.push_back(ToOutcome(slot, forest, unit, seconds));
  }
  for (JobOutcome& job : result_.jobs) {
    if (job.queue != kNoIndex) job.queue = queue_of_node[job.queue];
  }
  for (const auto& [key, pending] : meters_.pending.seconds())
    result_.pending_times.push_back({.queue = queue_of_node[key.first.index()],
                                     .reason = std::string(workload::ReasonOf(key.second)),
                                     .seconds = pending});
  std::ranges::sort(result_.pending_times, {},
                    [](const PendingTime& p) { return std::tie(p.queue, p.reason); });
  result_.samples.rows = std::move(meters_.sampler).TakeRows();
  TranslateSamples(places, queue_of_node, result_.queues.size(), result_.samples);
}

void World::ReportNodes(double seconds) {
  for (const TopologyMeter::Flavor& flavor : meters_.topology.flavors())
    result_.nodes.push_back(ToOutcome(flavor, engine(), seconds));
  std::ranges::sort(result_.nodes, {}, &NodesOutcome::flavor);
}

}  // namespace berth::simulate
