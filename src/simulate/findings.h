#pragma once

// Findings about a simulated world that an admin should know before it is rolled out: preemption
// loops, starvation, workloads that can never start, and quota that no workload can use.

#include <cstdint>
#include <string>
#include <vector>

#include "simulate/input.h"
#include "simulate/result.h"
#include "simulate/world/world.h"

namespace berth::simulate {

// Jobs that preempt each other in a cycle, directly or through others.
struct PreemptionLoop {
  std::vector<uint32_t> jobs;  // in the order of the input
  uint64_t preemptions = 0;    // among these jobs
};

struct Starvation {
  std::string queue;  // ClusterQueue; "" for jobs in none
  uint64_t jobs = 0;
  uint32_t oldest = kNoIndex;
  double seconds = 0;  // waiting time of the oldest job
};

struct UnusableQuota {
  std::string queue;
  std::string flavor;
  std::string resource;
  double nominal = 0;
};

struct Warnings {
  std::vector<PreemptionLoop> loops;  // most preemptions first
  std::vector<Starvation> starved;    // by queue
  std::vector<uint32_t> infeasible;   // never started, and would not even with all quota free
  std::vector<UnusableQuota> unusable;
  std::vector<std::string> inactive;  // ClusterQueues: "name: reason"

  bool empty() const {
    return loops.empty() && starved.empty() && infeasible.empty() && unusable.empty() &&
           inactive.empty();
  }
};

struct FindingsOptions {
  base::Duration starvation_age = base::Duration::Seconds(24 * 3600);
};

// `world`: the options of the simulation that gave the result.
Warnings Inspect(const Input& input, const WorldOptions& world, const Result& result,
                 const FindingsOptions& options);

}  // namespace berth::simulate
