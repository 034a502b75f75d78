#pragma once

// What a simulation begins with: queues and quota as objects, jobs as records.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "api/configuration.h"
#include "api/feature_gates.h"
#include "api/object.h"
#include "api/workload.h"
#include "base/hash_index.h"
#include "base/time.h"

namespace berth::simulate {

// The first moment of worlds in which nothing says when it is: 2025-01-01T00:00:00Z.
inline constexpr base::Time kDefaultStart = base::Time::FromSeconds(1735689600);

// Jobs that differ in nothing but name and times share the description of what they ask for.
struct JobKind {
  api::Workload workload;  // its namespace, queue, pods and priority; of a dump, its status as well
  std::string label;       // the class that summaries count it under; "" for none
};

struct Job {
  base::Time arrival;
  base::Duration run_time = kUnknown;
  uint32_t kind = 0;  // index into Input::kinds
  // "namespace/name"; "" for one of many, which is called after its class and number.
  std::string name;
  // Held quota since then when the simulation begins: its kind's workload says how much.
  std::optional<base::Time> held_since = {};

  static constexpr base::Duration kUnknown{-1};
};

struct Input {
  api::Configuration configuration;  // with defaults
  api::FeatureGates gates;
  base::Time start = kDefaultStart;
  bool has_start = false;            // somebody said when it is
  std::vector<api::Object> objects;  // with defaults; no Workloads among them
  std::vector<JobKind> kinds;
  std::vector<Job> jobs;  // by arrival once SortJobs was called
};

// In the order of arrival; those that arrive together stay in the order in which they were added.
void SortJobs(Input& input);

// "team-a/train", or "team-a/small-17" of a job without a name, whose number this is.
std::string NameOf(const Input& input, uint32_t job);

// What one job asks for, in the words of traces and generators.
struct JobDescription {
  std::string namespace_;
  std::string queue;  // LocalQueue
  std::string label;
  int32_t count = 1;
  int32_t priority = 0;
  api::ResourceList requests;  // of one pod
};

// Finds the kind of equal jobs, or makes it.
class KindTable {
 public:
  explicit KindTable(Input& input) : input_(input) {}

  uint32_t KindOf(const JobDescription& job);

 private:
  Input& input_;
  base::HashIndex index_;
  std::vector<std::string> keys_;  // of the kinds that were made here
  std::vector<uint32_t> kind_of_;  // parallel
};

}  // namespace berth::simulate
