#pragma once

// Use of nodes over time, by flavor with a topology: capacity and usage, domains with and without
// pods, and how far the pods of a job are apart.
//
// A domain exists while it has usable nodes. Pods on a node that is gone do not count.

#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

#include "base/time.h"
#include "engine/state.h"

namespace berth::simulate {

class TopologyMeter {
 public:
  struct Level {
    uint32_t domains = 0;
    uint32_t busy = 0;   // with pods of jobs
    uint64_t whole = 0;  // placements of pod sets with all pods in one domain
    // Integrals: number times seconds.
    double domain_time = 0;
    double busy_time = 0;
  };
  // Of the usable nodes, also of resources that no job has requested yet.
  struct Capacity {
    int64_t amount = 0;
    double amount_time = 0;  // integral: amount times seconds
  };
  // A resource that jobs request.
  struct Resource {
    engine::ResourceId resource;
    engine::NodeColumn column = engine::kNoNodeColumn;
    int64_t used = 0;
    int64_t peak = 0;
    double used_time = 0;  // integral
  };
  struct Flavor {
    engine::FlavorId flavor;
    std::vector<Level> levels;        // widest first
    std::vector<Resource> resources;  // in the order of first use
    uint64_t placements = 0;          // of pod sets

    Capacity CapacityOf(const Resource& resource) const;

   private:
    friend class TopologyMeter;
    std::vector<Capacity> capacities;  // by NodeColumn
    std::vector<uint32_t> pods;        // by DomainIndex
    base::Time since;
  };

  // Reads domains and capacity, effective from `now`. To be called after changes of nodes,
  // topologies, flavors and queues. Times must not decrease, here and below.
  void ReadNodes(const engine::State& state, base::Time now);
  // Pods of the job are where the engine has placed them; before, they were elsewhere or nowhere.
  void Place(uint32_t job, engine::WorkloadId id, const engine::State& state, base::Time now);
  void Remove(uint32_t job, const engine::State& state, base::Time now);
  // Brings all integrals up to date.
  void Close(base::Time now);

  // Jobs with pods on the node, in order.
  std::vector<uint32_t> JobsOn(engine::DomainPathId node, const engine::State& state) const;
  const std::vector<Flavor>& flavors() const { return flavors_; }

 private:
  // The pods of one pod set.
  struct Placed {
    engine::FlavorId flavor;
    std::vector<engine::DomainPods> domains;
    std::vector<engine::Request> per_pod;
  };

  Flavor* Find(engine::FlavorId id);
  void AddFlavors(const engine::State& state, base::Time now);
  static void Accrue(Flavor& flavor, base::Time now);
  static void ReadDomains(Flavor& flavor, const engine::TopologyForest& forest);
  static void ReadCapacity(Flavor& flavor, const engine::TopologyForest& forest, size_t columns);
  static Resource& ResourceOf(Flavor& flavor, engine::ResourceId id, const engine::State& state);
  void Add(const Placed& placed, int times, const engine::State& state, base::Time now);
  static void CountSpread(Flavor& flavor, const Placed& placed,
                          const engine::TopologyForest& forest);

  std::vector<Flavor> flavors_;
  std::map<uint32_t, std::vector<Placed>> placed_;  // by job
};

}  // namespace berth::simulate
