#include "simulate/world/usage_meter.h"

#include <algorithm>

#include "engine/state.h"

namespace berth::simulate {
namespace {

double SecondsBetween(base::Time from, base::Time to) {
  return static_cast<double>(to.micros - from.micros) / 1e6;
}

}  // namespace

double UsageMeter::Slot::borrowed() const {
  return is_above() ? static_cast<double>(usage - nominal.value()) : 0;
}

double UsageMeter::Slot::free() const {
  if (nominal.is_unlimited() || !(nominal > usage)) return 0;
  return static_cast<double>(quantity::Min(nominal - usage, lendable).value());
}

void UsageMeter::Accrue(Pool& pool, base::Time now) {
  if (pool.free > 0)
    pool.lent_part_time +=
        std::min(1.0, pool.borrowed / pool.free) * SecondsBetween(pool.since, now);
  pool.since = now;
}

void UsageMeter::Accrue(Slot& slot, base::Time now) {
  Pool& pool = pools_[slot.pool];
  Accrue(pool, now);
  const double seconds = SecondsBetween(slot.since, now);
  slot.usage_time += static_cast<double>(slot.usage) * seconds;
  if (!slot.nominal.is_unlimited())
    slot.nominal_time += static_cast<double>(slot.nominal.value()) * seconds;
  slot.borrowed_time += slot.borrowed() * seconds;
  slot.lent_time += slot.free() * (pool.lent_part_time - slot.pool_mark);
  slot.pool_mark = pool.lent_part_time;
  slot.since = now;
}

void UsageMeter::AccrueAll(base::Time now) {
  for (Slot& slot : slots_) Accrue(slot, now);
  for (Level& level : levels_) {
    if (level.above > 0) level.seconds += SecondsBetween(level.since, now);
    level.since = now;
  }
}

void UsageMeter::AddToPool(const Slot& slot, double sign) {
  Pool& pool = pools_[slot.pool];
  pool.free += sign * slot.free();
  pool.borrowed += sign * slot.borrowed();
}

void UsageMeter::CountAbove(const Slot& slot, int change, base::Time now) {
  if (!slot.is_above()) return;
  Level& level = levels_[slot.queue.index()];
  if (level.above > 0) level.seconds += SecondsBetween(level.since, now);
  level.since = now;
  level.above = static_cast<uint32_t>(static_cast<int>(level.above) + change);
}

// Dumps may contain usage without quota. It gets a slot, too.
size_t UsageMeter::SlotOf(engine::NodeId queue, engine::FlavorResourceId pair, base::Time now) {
  if (slots_of_.size() <= queue.index()) {
    slots_of_.resize(queue.index() + 1);
    levels_.resize(queue.index() + 1, Level{.since = now});
  }
  for (const size_t slot : slots_of_[queue.index()])
    if (slots_[slot].pair == pair) return slot;
  Slot slot;
  slot.queue = queue;
  slot.pair = pair;
  slot.since = now;
  slot.pool = pools_.size();
  pools_.push_back({.since = now});
  slots_of_[queue.index()].push_back(slots_.size());
  slots_.push_back(slot);
  return slots_.size() - 1;
}

void UsageMeter::Add(engine::NodeId queue, engine::FlavorResourceId pair, int64_t amount,
                     base::Time now) {
  Slot& slot = slots_[SlotOf(queue, pair, now)];
  Accrue(slot, now);
  AddToPool(slot, -1);
  CountAbove(slot, -1, now);
  slot.usage = quantity::SaturatingAdd(slot.usage, amount);
  slot.peak = std::max(slot.peak, slot.usage);
  AddToPool(slot, 1);
  CountAbove(slot, 1, now);
}

void UsageMeter::Declare(const engine::State& state, const engine::Queue& queue, base::Time now) {
  const engine::QuotaForest::Tree& tree = state.forest.TreeOf(queue.node);
  for (const engine::Queue::Group& group : queue.groups) {
    for (const engine::ColumnIndex column : group.columns) {
      Slot& slot = slots_[SlotOf(queue.node, tree.flavor_resources[column], now)];
      const engine::Cell& cell = state.forest.cell(queue.node, column);
      slot.nominal = cell.nominal;
      slot.lendable = cell.lending_limit;
    }
  }
}

void UsageMeter::BuildPools(const engine::State& state, base::Time now) {
  pools_.clear();
  std::map<std::pair<uint32_t, engine::FlavorResourceId>, size_t> known;
  for (Slot& slot : slots_) {
    const engine::NodeId root =
        state.forest.HasTree(slot.queue) ? state.forest.RootOf(slot.queue) : slot.queue;
    const auto [pool, is_new] = known.try_emplace({root.value(), slot.pair}, pools_.size());
    if (is_new) pools_.push_back({.since = now});
    slot.pool = pool->second;
    slot.pool_mark = 0;
    AddToPool(slot, 1);
  }
  for (uint32_t i = 0; i < state.forest.node_count(); ++i) {
    const engine::NodeId id(i);
    if (state.forest.node(id).is_queue || !state.forest.HasTree(id)) continue;
    const engine::QuotaForest::Tree& tree = state.forest.TreeOf(id);
    for (engine::ColumnIndex column = 0; column < tree.flavor_resources.size(); ++column) {
      const auto pool = known.find({tree.root.value(), tree.flavor_resources[column]});
      const engine::Amount own = state.forest.cell(id, column).nominal;
      if (pool != known.end() && !own.is_unlimited())
        pools_[pool->second].free += static_cast<double>(own.value());
    }
  }
}

void UsageMeter::ReadQuota(const engine::Engine& engine, base::Time now) {
  const engine::State& state = engine.state();
  AccrueAll(now);
  for (const Slot& slot : slots_) CountAbove(slot, -1, now);
  for (Slot& slot : slots_) slot.nominal = slot.lendable = engine::Amount(0);
  for (const engine::Queue& queue : state.queues) {
    if (!queue.node.is_none() && state.forest.HasTree(queue.node)) Declare(state, queue, now);
  }
  BuildPools(state, now);
  for (const Slot& slot : slots_) CountAbove(slot, 1, now);
}

void UsageMeter::Close(base::Time now) { AccrueAll(now); }

double UsageMeter::SecondsAbove(engine::NodeId queue) const {
  return queue.index() < levels_.size() ? levels_[queue.index()].seconds : 0;
}

}  // namespace berth::simulate
