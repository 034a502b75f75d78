#include "simulate/world/topology_meter.h"

#include <algorithm>
#include <utility>

namespace berth::simulate {

TopologyMeter::Capacity TopologyMeter::Flavor::CapacityOf(const Resource& resource) const {
  return resource.column < capacities.size() ? capacities[resource.column] : Capacity();
}

TopologyMeter::Flavor* TopologyMeter::Find(engine::FlavorId id) {
  const auto found = std::ranges::find(flavors_, id, &Flavor::flavor);
  return found == flavors_.end() ? nullptr : &*found;
}

void TopologyMeter::Accrue(Flavor& flavor, base::Time now) {
  const double seconds = (now - flavor.since).seconds();
  flavor.since = now;
  for (Level& level : flavor.levels) {
    level.domain_time += level.domains * seconds;
    level.busy_time += level.busy * seconds;
  }
  for (Capacity& capacity : flavor.capacities)
    capacity.amount_time += static_cast<double>(capacity.amount) * seconds;
  for (Resource& resource : flavor.resources)
    resource.used_time += static_cast<double>(resource.used) * seconds;
}

// --- Nodes ---------------------------------------------------------------------------------------

void TopologyMeter::AddFlavors(const engine::State& state, base::Time now) {
  for (const engine::Queue& queue : state.queues) {
    for (const engine::Queue::Group& group : queue.groups) {
      for (const engine::FlavorId id : group.flavors) {
        if (state.topologies->Find(id) == nullptr || Find(id) != nullptr) continue;
        Flavor& flavor = flavors_.emplace_back();
        flavor.flavor = id;
        flavor.since = now;
      }
    }
  }
}

void TopologyMeter::ReadDomains(Flavor& flavor, const engine::TopologyForest& forest) {
  flavor.levels.resize(forest.level_count());
  flavor.pods.assign(forest.domain_count(), 0);
  for (size_t level = 0; level < flavor.levels.size(); ++level) {
    const auto& domains = forest.DomainsAt(level);
    flavor.levels[level].busy = 0;
    flavor.levels[level].domains = static_cast<uint32_t>(
        std::ranges::count_if(domains, [&](auto domain) { return forest.Exists(domain); }));
  }
}

void TopologyMeter::ReadCapacity(Flavor& flavor, const engine::TopologyForest& forest,
                                 size_t columns) {
  flavor.capacities.resize(columns);
  for (engine::LeafIndex leaf = 0; leaf < forest.leaf_count(); ++leaf) {
    if (!forest.HasNodes(leaf)) continue;
    for (size_t column = 0; column < columns; ++column) {
      int64_t& sum = flavor.capacities[column].amount;
      sum = quantity::SaturatingAdd(sum, std::max<int64_t>(forest.CapacityOf(leaf)[column], 0));
    }
  }
}

void TopologyMeter::ReadNodes(const engine::State& state, base::Time now) {
  if (!state.topologies) return;
  AddFlavors(state, now);
  for (Flavor& flavor : flavors_) {
    Accrue(flavor, now);
    for (Capacity& capacity : flavor.capacities) capacity.amount = 0;
    for (Resource& resource : flavor.resources) resource.used = 0;
    for (Level& level : flavor.levels) level.domains = level.busy = 0;
    const engine::TopologyForest* forest = state.topologies->Find(flavor.flavor);
    if (forest == nullptr) continue;
    ReadDomains(flavor, *forest);
    ReadCapacity(flavor, *forest, state.topologies->usage().column_count());
  }
  for (const auto& [job, placed] : placed_)
    for (const Placed& pods : placed) Add(pods, 1, state, now);
}

// --- Jobs ----------------------------------------------------------------------------------------

TopologyMeter::Resource& TopologyMeter::ResourceOf(Flavor& flavor, engine::ResourceId id,
                                                   const engine::State& state) {
  const auto known = std::ranges::find(flavor.resources, id, &Resource::resource);
  if (known != flavor.resources.end()) return *known;
  Resource& resource = flavor.resources.emplace_back();
  resource.resource = id;
  resource.column = state.topologies->ColumnOf(id);
  return resource;
}

void TopologyMeter::Add(const Placed& placed, int times, const engine::State& state,
                        base::Time now) {
  Flavor* flavor = Find(placed.flavor);
  const engine::TopologyForest* forest = state.topologies->Find(placed.flavor);
  if (flavor == nullptr || forest == nullptr) return;
  Accrue(*flavor, now);
  for (const engine::DomainPods& pods : placed.domains) {
    engine::DomainIndex domain = forest->FindLeaf(pods.path);
    if (domain == engine::kNoDomain) continue;
    const int64_t count = int64_t{times} * pods.count;
    for (const engine::Request& request : placed.per_pod) {
      if (request.amount <= 0) continue;
      Resource& resource = ResourceOf(*flavor, request.resource, state);
      resource.used =
          quantity::SaturatingAdd(resource.used, quantity::SaturatingMul(request.amount, count));
      resource.peak = std::max(resource.peak, resource.used);
    }
    for (; domain != engine::kNoDomain; domain = forest->domain(domain).parent) {
      Level& level = flavor->levels[forest->domain(domain).level];
      const bool was_busy = flavor->pods[domain] > 0;
      flavor->pods[domain] += static_cast<uint32_t>(count);
      const bool is_busy = flavor->pods[domain] > 0;
      if (was_busy != is_busy) level.busy += is_busy ? 1u : ~0u;
    }
  }
}

void TopologyMeter::CountSpread(Flavor& flavor, const Placed& placed,
                                const engine::TopologyForest& forest) {
  ++flavor.placements;
  for (size_t level = 0; level < flavor.levels.size(); ++level) {
    const auto domain_of = [&](const engine::DomainPods& pods) {
      const engine::DomainIndex leaf = forest.FindLeaf(pods.path);
      return leaf == engine::kNoDomain ? leaf : forest.AncestorAt(leaf, level);
    };
    const engine::DomainIndex first = domain_of(placed.domains.front());
    if (std::ranges::all_of(placed.domains, [&](const auto& p) { return domain_of(p) == first; }))
      ++flavor.levels[level].whole;
  }
}

void TopologyMeter::Place(uint32_t job, engine::WorkloadId id, const engine::State& state,
                          base::Time now) {
  const engine::Workload& workload = state.workload(id);
  if (!workload.reservation->topology || workload.topology() == nullptr) return;
  Remove(job, state, now);
  std::vector<Placed>& all = placed_[job];
  for (const engine::PodSetPlacement& placement : workload.reservation->topology->placements) {
    if (placement.domains.empty()) continue;
    const Placed& placed = all.emplace_back(
        Placed{.flavor = placement.flavor,
               .domains = placement.domains,
               .per_pod = workload.topology()->pod_sets[placement.pod_set].per_pod});
    Add(placed, 1, state, now);
    const engine::TopologyForest* forest = state.topologies->Find(placement.flavor);
    if (Flavor* flavor = Find(placement.flavor); flavor != nullptr && forest != nullptr)
      CountSpread(*flavor, placed, *forest);
  }
}

void TopologyMeter::Remove(uint32_t job, const engine::State& state, base::Time now) {
  const auto placed = placed_.find(job);
  if (placed == placed_.end()) return;
  for (const Placed& pods : placed->second) Add(pods, -1, state, now);
  placed_.erase(placed);
}

void TopologyMeter::Close(base::Time now) {
  for (Flavor& flavor : flavors_) Accrue(flavor, now);
}

std::vector<uint32_t> TopologyMeter::JobsOn(engine::DomainPathId node,
                                            const engine::State& state) const {
  const auto is_there = [&](const Placed& placed) {
    const engine::TopologyForest* forest = state.topologies->Find(placed.flavor);
    return forest != nullptr && forest->is_hostname_lowest() &&
           std::ranges::find(placed.domains, node, &engine::DomainPods::path) !=
               placed.domains.end();
  };
  std::vector<uint32_t> jobs;
  for (const auto& [job, placed] : placed_)
    if (std::ranges::any_of(placed, is_there)) jobs.push_back(job);
  return jobs;
}

}  // namespace berth::simulate
