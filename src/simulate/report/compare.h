#pragma once

// Compares two worlds with the same jobs: the effect of a change.

#include <cstdint>
#include <string>
#include <vector>

#include "simulate/report/summary.h"
#include "simulate/result.h"

namespace berth::simulate {

// A job with another first start.
struct MovedJob {
  uint32_t job = kNoIndex;
  double seconds = 0;  // later; negative: earlier
};

struct QueueChange {
  std::string name;
  // Null: the queue is missing in that world.
  const GroupFigures* before = nullptr;
  const GroupFigures* after = nullptr;
};

struct UsageChange {
  std::string queue;
  std::string flavor;
  std::string resource;
  double before = 0;  // utilisation
  double after = 0;
};

struct Comparison {
  uint64_t earlier = 0;
  uint64_t later = 0;
  double mean_earlier = 0;  // seconds, of the jobs that start earlier
  double mean_later = 0;
  std::vector<MovedJob> most_earlier;  // largest difference first
  std::vector<MovedJob> most_later;
  std::vector<uint32_t> newly_preempted;
  std::vector<uint32_t> no_longer_preempted;
  std::vector<uint32_t> no_longer_started;  // started in the base world only
  std::vector<uint32_t> newly_started;
  std::vector<QueueChange> queues;  // by name
  std::vector<UsageChange> usage;
};

// The summaries must outlive the comparison.
Comparison Compare(const Result& base, const Summary& base_summary, const Result& changed,
                   const Summary& changed_summary, size_t most_jobs = 10);

}  // namespace berth::simulate
