#pragma once

// Counters of queues: pending, reserving and admitted workloads, and the amounts that they hold.
//
// The contribution of a workload is recomputed only when the workload changes, and replaces its
// previous contribution, so the cost of a change does not depend on the number of workloads.

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "workload/state/cluster_state.h"

namespace berth::control {

struct QueueCounts {
  using Amounts = std::map<std::pair<std::string, std::string>, int64_t>;  // (flavor, resource)

  int32_t pending = 0;    // without quota
  int32_t reserving = 0;  // with quota
  int32_t admitted = 0;   // with quota, and all checks passed
  Amounts reserved;       // by reserving workloads; no entry is 0
  Amounts used;           // by admitted workloads; no entry is 0

  friend bool operator==(const QueueCounts&, const QueueCounts&) = default;
};

// The contribution of one workload to its ClusterQueue and LocalQueue.
//
// Workloads in a back-off are pending too. A LocalQueue whose ClusterQueue is missing has pending
// workloads unless it is stopped.
struct QueueShare {
  struct Amount {
    std::string flavor;
    std::string resource;
    int64_t amount = 0;

    friend bool operator==(const Amount&, const Amount&) = default;
  };

  std::string cluster_queue;  // "": none
  std::string local_queue;    // namespaced name; "": none
  bool is_reserving = false;  // otherwise pending
  bool is_admitted = false;
  std::vector<Amount> reserved;

  static QueueShare Of(const api::Workload& workload, const workload::ClusterState& cluster);

  friend bool operator==(const QueueShare&, const QueueShare&) = default;
};

class QueueCounters {
 public:
  // Queues whose counters changed.
  struct Changes {
    std::set<std::string> cluster_queues;
    std::set<std::string> local_queues;  // by namespaced name
  };

  // Marks a workload that was created, changed, deleted or decided on. Flush recounts it.
  void MarkChanged(std::string_view workload) { changed_.emplace(workload); }

  // Recounts the changed workloads. The cluster state must be in sync.
  Changes Flush(const workload::ClusterState& cluster);

  // As of the last Flush.
  const QueueCounts& OfClusterQueue(std::string_view name) const;
  const QueueCounts& OfLocalQueue(std::string_view namespaced_name) const;

  // The number of recounts so far.
  uint64_t recounts() const { return recounts_; }

 private:
  template <class T>
  using Named = std::map<std::string, T, std::less<>>;

  void Add(const QueueShare& share, int sign, Changes& changes);

  Named<QueueCounts> cluster_queues_;
  Named<QueueCounts> local_queues_;
  Named<QueueShare> shares_;  // by workload; none is empty
  std::set<std::string, std::less<>> changed_;
  uint64_t recounts_ = 0;
};

}  // namespace berth::control
