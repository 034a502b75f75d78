#pragma once

// What an admin should know of a world before it becomes real: workloads that evict each other in
// circles, workloads that wait too long, workloads that can never start, and quota that nobody can
// use.

#include <cstdint>
#include <string>
#include <vector>

#include "simulate/input.h"
#include "simulate/result.h"
#include "simulate/world.h"

namespace berth::simulate {

// Jobs each of which preempted another of them: A evicts B, B evicts A, directly or by others.
struct PreemptionLoop {
  std::vector<uint32_t> jobs;  // in the order of the input
  uint64_t preemptions = 0;    // among them
};

struct Starvation {
  std::string queue;  // ClusterQueue; "" of jobs that are in none
  uint64_t jobs = 0;
  uint32_t oldest = kNobody;
  double seconds = 0;  // that the oldest waited
};

struct UnusableQuota {
  std::string queue;
  std::string flavor;
  std::string resource;
  double nominal = 0;
};

struct Warnings {
  std::vector<PreemptionLoop> loops;  // the one with most preemptions first
  std::vector<Starvation> starved;    // by queue
  std::vector<uint32_t> hopeless;     // never started, and do not fit even when all quota is free
  std::vector<UnusableQuota> unusable;
  std::vector<std::string> inactive;  // ClusterQueues: "name: reason"

  bool empty() const {
    return loops.empty() && starved.empty() && hopeless.empty() && unusable.empty() &&
           inactive.empty();
  }
};

struct GuardOptions {
  base::Duration starvation_age = base::Duration::Seconds(24 * 3600);
};

// `world`: as the result was made with.
Warnings Inspect(const Input& input, const WorldOptions& world, const Result& result,
                 const GuardOptions& options);

}  // namespace berth::simulate
