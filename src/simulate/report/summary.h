#pragma once

// Figures of a result: waits, usage, preemptions, by ClusterQueue, LocalQueue and class.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "simulate/input.h"
#include "simulate/result.h"

namespace berth::simulate {

// Waiting times in seconds of all jobs that arrived: until the first start, or until the end for
// jobs that never start. So a queue in which nothing starts does not look idle.
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
  uint64_t waiting = 0;  // never started
  uint64_t preemptions = 0;
  uint64_t evictions = 0;          // other than preemptions
  uint64_t moves = 0;              // of pods from failed nodes
  double per_hour = 0;             // finished jobs
  double share_above_nominal = 0;  // of time; ClusterQueues only
  WaitFigures wait;
};

struct Summary {
  GroupFigures all;
  std::vector<GroupFigures> cluster_queues;  // all, by name
  std::vector<GroupFigures> local_queues;    // with jobs
  std::vector<GroupFigures> classes;         // with jobs
  double seconds = 0;                        // from the start to the last event
  double floor_seconds = 0;                  // see QuotaFloor
};

Summary Summarize(const Input& input, const Result& result);

// The nearest-rank percentile (0.9 is p90) of sorted values; 0 if there are none.
double Percentile(const std::vector<double>& sorted, double part);
WaitFigures FiguresOf(std::vector<double> waits);

// A lower bound of the time for the finished jobs: for every resource, the work (amount times run
// time) divided by the total quota, and at least the last arrival plus its run time. The distance
// to the simulated time is the cost of queueing.
double QuotaFloor(const Input& input, const Result& result);

}  // namespace berth::simulate
