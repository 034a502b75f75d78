#pragma once

// How many workloads queues have, and how much of what they hold.
//
// What a workload counts for is worked out when it has changed, and only then: what it counted for
// before is taken back, so that the cost of a change does not depend on how many workloads there
// are.

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "workload/engine_feed.h"

namespace berth::control {

struct Tally {
  using Amounts = std::map<std::pair<std::string, std::string>, int64_t>;  // (flavor, resource)

  int32_t pending = 0;    // wait for quota
  int32_t reserving = 0;  // hold it
  int32_t admitted = 0;   // hold it and passed their checks
  Amounts reserved;       // none of them is 0
  Amounts used;           // by those that are admitted

  friend bool operator==(const Tally&, const Tally&) = default;
};

// What one workload counts for, in its ClusterQueue and in its LocalQueue.
//
// What waits counts as pending, in a back-off too. A LocalQueue without its ClusterQueue has
// pending workloads as well, as long as it is not stopped.
struct TallyShare {
  struct Amount {
    std::string flavor;
    std::string resource;
    int64_t amount = 0;

    friend bool operator==(const Amount&, const Amount&) = default;
  };

  std::string cluster_queue;  // "": in none
  std::string local_queue;    // namespaced name; "": in none
  bool is_reserving = false;  // otherwise it is pending
  bool is_admitted = false;
  std::vector<Amount> reserved;

  static TallyShare Of(const api::Workload& workload, const workload::EngineFeed& feed);

  friend bool operator==(const TallyShare&, const TallyShare&) = default;
};

class Tallies {
 public:
  // Queues that count something else than before.
  struct Changes {
    std::set<std::string> cluster_queues;
    std::set<std::string> local_queues;  // by namespaced name
  };

  // A workload came, changed, went or was decided upon. It is looked at in Settle, once.
  void Note(std::string_view workload) { noted_.emplace(workload); }

  // Counts what was noted. The feed must be in sync.
  Changes Settle(const workload::EngineFeed& feed);

  // As of the last Settle.
  const Tally& OfClusterQueue(std::string_view name) const;
  const Tally& OfLocalQueue(std::string_view namespaced_name) const;

  // How many workloads were looked at in all.
  uint64_t looks() const { return looks_; }

 private:
  template <class T>
  using Named = std::map<std::string, T, std::less<>>;

  void Add(const TallyShare& share, int sign, Changes& changes);

  Named<Tally> cluster_queues_;
  Named<Tally> local_queues_;
  Named<TallyShare> shares_;  // of workloads that count for something
  std::set<std::string, std::less<>> noted_;
  uint64_t looks_ = 0;
};

}  // namespace berth::control
