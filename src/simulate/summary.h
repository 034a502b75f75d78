#pragma once

// A result in figures: waits, usage, preemptions, by ClusterQueue, LocalQueue and class.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "simulate/input.h"
#include "simulate/result.h"

namespace berth::simulate {

// In seconds, of all jobs that arrived: until the first start or, of those that have none, until
// the end. So a queue in which nothing starts does not look like one in which nothing waits.
struct WaitFigures {
  size_t count = 0;
  double mean = 0;
  double p50 = 0;
  double p90 = 0;
  double p99 = 0;
  double max = 0;
};

struct GroupFigures {
  std::string name;
  uint64_t arrived = 0;
  uint64_t started = 0;
  uint64_t finished = 0;
  uint64_t waiting = 0;  // at the end, and never started
  uint64_t preemptions = 0;
  uint64_t evictions = 0;          // for other reasons
  double per_hour = 0;             // finished
  double share_above_nominal = 0;  // of time; of ClusterQueues
  WaitFigures wait;
};

struct Summary {
  GroupFigures all;
  std::vector<GroupFigures> cluster_queues;  // by name, all of them
  std::vector<GroupFigures> local_queues;    // those with jobs
  std::vector<GroupFigures> classes;         // those with jobs
  double seconds = 0;                        // from the start to the last thing that happened
  double floor_seconds = 0;                  // see QuotaFloor
};

Summary Summarize(const Input& input, const Result& result);

// The value below which such a part (0.9) of the sorted values lies: the smallest of which at least
// that part is not greater. 0 if there are none.
double Percentile(const std::vector<double>& sorted, double part);
WaitFigures FiguresOf(std::vector<double> waits);

// The least time that the finished jobs can have taken: of every resource, the work that they did
// (amount times run time), divided by all quota that there is; and at least until the last arrival
// and its run time. How near the simulated time is shows what queueing costs.
double QuotaFloor(const Input& input, const Result& result);

}  // namespace berth::simulate
