#pragma once

// What came of a simulation, with names instead of ids: good when the world is gone.

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "base/time.h"
#include "engine/assignment.h"
#include "engine/victims.h"

namespace berth::simulate {

inline constexpr uint32_t kNobody = std::numeric_limits<uint32_t>::max();
inline constexpr base::Time kNever{std::numeric_limits<int64_t>::max()};

enum class JobState : uint8_t {
  kToCome,   // the end came before it did
  kOutside,  // in no ClusterQueue: one of its queues is missing or stopped
  kWaiting,
  kRunning,
  kFinished,
  kGaveUp,  // its pods were not ready in time, as often as the Configuration allows
};

struct JobOutcome {
  base::Time arrival;
  base::Time first_start = kNever;
  base::Time end = kNever;
  uint32_t queue = kNobody;  // index into Result::queues
  uint32_t starts = 0;
  uint32_t preemptions = 0;
  uint32_t other_evictions = 0;
  JobState state = JobState::kToCome;
  bool held_at_start = false;
};

struct Preemption {
  base::Time at;
  uint32_t by = kNobody;  // jobs
  uint32_t victim = kNobody;
  engine::PreemptionReason reason = engine::PreemptionReason::kInClusterQueue;
};

// What a queue used of one flavor and resource. Amounts are in the resource's own unit.
struct UsageOutcome {
  std::string flavor;
  std::string resource;
  double nominal = 0;  // mean over time, as all but the peak; infinite if unlimited
  double used = 0;
  double borrowed = 0;
  double lent = 0;
  double peak = 0;

  // Used of nominal; 0 where there is none.
  double utilisation() const;
};

struct QueueOutcome {
  std::string name;
  std::string inactive;  // why, at the end; "" if it is active
  double seconds_above_nominal = 0;
  std::vector<UsageOutcome> usage;
};

// The course of usage and queue lengths, thinned so that it stays small however long it is.
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
  base::Time end;            // of the last thing that happened
  bool is_complete = false;  // nothing was left to happen
  uint64_t cycles = 0;
  uint64_t arrived = 0;
  std::vector<JobOutcome> jobs;  // as in the input
  std::vector<Preemption> preemptions;
  std::vector<QueueOutcome> queues;  // by name
  Samples samples;

  double seconds() const { return (end - start).seconds(); }
};

// Of a job that has arrived: until its first start, or, while it has none, until the end.
base::Duration WaitOf(const JobOutcome& job, base::Time end);

}  // namespace berth::simulate
