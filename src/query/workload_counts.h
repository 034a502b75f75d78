#pragma once

// Counts of workloads in the engine, by queue. One pass over all of them: O(workloads).

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "query/quota_figures.h"
#include "schema/json/writer.h"
#include "workload/state/cluster_state.h"

namespace berth::query {

struct Counts {
  int64_t pending = 0;       // without quota
  int64_t inadmissible = 0;  // of these, not considered before their tree changes
  int64_t reserving = 0;     // with quota
  int64_t admitted = 0;      // of these, with all checks passed

  Counts& operator+=(const Counts& other);
  friend bool operator==(const Counts&, const Counts&) = default;
};

// As four members of the open object.
void WriteMembers(const Counts& counts, schema::JsonWriter& w);

class WorkloadCounts {
 public:
  explicit WorkloadCounts(const workload::ClusterState& cluster);

  const Counts& OfClusterQueue(engine::NodeId node) const { return queues_[node.index()]; }
  const Counts& OfLocalQueue(const std::string& namespaced_name) const;
  const PendingAmounts& PendingIn(engine::NodeId node) const { return pending_[node.index()]; }

 private:
  void Add(engine::WorkloadId id, const engine::Workload& known);
  void AddRequests(const engine::Workload& known);

  const workload::ClusterState& cluster_;
  const engine::State& state_;
  std::vector<Counts> queues_;                            // by node
  std::vector<PendingAmounts> pending_;                   // by node
  std::unordered_map<std::string, Counts> local_queues_;  // by namespaced name
  std::vector<Counts> by_local_queue_;                    // by id, while counting
};

}  // namespace berth::query
