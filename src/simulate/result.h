#pragma once

// The result of a simulation, with names instead of ids. Independent of the world.

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "base/time.h"
#include "engine/flavor/assignment.h"
#include "engine/preemption/targets.h"

namespace berth::simulate {

// No job, or no queue.
inline constexpr uint32_t kNoIndex = std::numeric_limits<uint32_t>::max();
inline constexpr base::Time kNever{std::numeric_limits<int64_t>::max()};

enum class JobState : uint8_t {
  kNotArrived,
  kUnqueued,  // one of its queues is missing or stopped
  kPending,
  kRunning,
  kFinished,
  kDeactivated,  // the requeuing limit or the maximum execution time was exceeded
};

struct JobOutcome {
  base::Time arrival;
  base::Time first_start = kNever;
  base::Time end = kNever;
  uint32_t queue = kNoIndex;  // index into Result::queues
  uint32_t starts = 0;
  uint32_t preemptions = 0;
  uint32_t other_evictions = 0;
  uint32_t moves = 0;  // from a failed node to another one
  JobState state = JobState::kNotArrived;
  bool held_at_start = false;
};

struct Preemption {
  base::Time at;
  uint32_t by = kNoIndex;  // jobs
  uint32_t target = kNoIndex;
  engine::PreemptionReason reason = engine::PreemptionReason::kInClusterQueue;
};

// Usage of one flavor and resource by a queue. Amounts are in the unit of the resource.
struct UsageOutcome {
  std::string flavor;
  std::string resource;
  double nominal = 0;  // average over time, like all but the peak; infinite if unlimited
  double used = 0;
  double borrowed = 0;
  double lent = 0;
  double peak = 0;

  // Used of nominal; 0 if nominal is 0.
  double utilisation() const;
};

struct QueueOutcome {
  std::string name;
  std::string inactive;  // the reason, at the end; "" if the queue is active
  double seconds_above_nominal = 0;
  std::vector<UsageOutcome> usage;
};

// Nodes of a flavor with a topology. Numbers and amounts are averages over time; amounts are in the
// unit of the resource.
struct NodesOutcome {
  struct Level {
    std::string label;
    double domains = 0;
    double busy = 0;      // domains with pods of jobs
    double together = 0;  // share of placements with all pods in one domain
  };
  struct Resource {
    std::string name;
    double capacity = 0;
    double used = 0;
    double peak = 0;

    double utilisation() const { return capacity > 0 ? used / capacity : 0; }
  };
  std::string flavor;
  uint64_t placements = 0;          // of pod sets
  std::vector<Level> levels;        // widest first
  std::vector<Resource> resources;  // that jobs request, by name
};

// Time that jobs were pending for one reason, summed over jobs.
struct PendingTime {
  uint32_t queue = 0;  // index into Result::queues
  std::string reason;  // as in the condition QuotaReserved
  double seconds = 0;
};

// Usage and queue lengths over time. Rows are thinned out, so that their number is bounded.
struct Samples {
  struct Series {
    uint32_t queue = 0;
    uint32_t usage = 0;  // index into QueueOutcome::usage
  };
  std::vector<Series> series;
  struct Row {
    base::Time at;
    std::vector<float> used;        // by series
    std::vector<float> nominal;     // by series
    std::vector<uint32_t> waiting;  // by queue
  };
  std::vector<Row> rows;
};

struct Result {
  base::Time start;
  base::Time end;            // of the last event
  bool is_complete = false;  // no event was left
  uint64_t cycles = 0;
  uint64_t arrived = 0;
  std::vector<JobOutcome> jobs;  // as in the input
  std::vector<Preemption> preemptions;
  std::vector<QueueOutcome> queues;  // by name
  std::vector<NodesOutcome> nodes;   // by flavor
  std::vector<PendingTime> pending_times;
  uint64_t node_failures = 0;
  Samples samples;

  double seconds() const { return (end - start).seconds(); }
};

// The waiting time of a job that has arrived: until its first start, or until `end` without one.
base::Duration WaitOf(const JobOutcome& job, base::Time end);

}  // namespace berth::simulate
