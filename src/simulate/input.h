#pragma once

// The input of a simulation: queues and quota as objects, jobs as compact records.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "api/config/configuration.h"
#include "api/config/feature_gates.h"
#include "api/kueue/workload.h"
#include "api/meta/object.h"
#include "base/hash_index.h"
#include "base/time.h"
#include "simulate/trace/distribution.h"

namespace berth::simulate {

// The start of worlds whose input names no time: 2025-01-01T00:00:00Z.
inline constexpr base::Time kDefaultStart = base::Time::FromSeconds(1735689600);

// Jobs that differ only in name and times share a kind.
struct JobKind {
  api::Workload workload;  // namespace, queue, pods and priority; of a dump, the status too
  std::string label;       // class in summaries; "" for none
};

struct Job {
  base::Time arrival;
  base::Duration run_time = kUnknown;
  uint32_t kind = 0;  // index into Input::kinds
  // "namespace/name"; "": named after its class and index.
  std::string name;
  // Set if the job holds quota when the simulation begins. Its kind's workload has the admission.
  std::optional<base::Time> held_since = {};

  static constexpr base::Duration kUnknown{-1};
};

// Nodes that fail by chance.
struct FailingNodes {
  uint32_t first = 0;  // index into Input::objects
  uint32_t count = 0;
  Distribution fails_after = Distribution::Fixed({});
  std::optional<Distribution> repaired_after;  // absent: never
};

struct Input {
  api::Configuration configuration;  // with defaults
  api::FeatureGates gates;
  base::Time start = kDefaultStart;
  bool has_start = false;            // the input names a time
  std::vector<api::Object> objects;  // with defaults; without Workloads
  std::vector<FailingNodes> failing_nodes;
  std::vector<JobKind> kinds;
  std::vector<Job> jobs;  // by arrival after SortJobs
};

// Sorts jobs by arrival. The sort is stable.
void SortJobs(Input& input);

// "team-a/train", or "team-a/small-17" for job 17 without a name.
std::string NameOf(const Input& input, uint32_t job);

// One job of a trace or generator.
struct JobDescription {
  std::string namespace_;
  std::string queue;  // LocalQueue
  std::string label;
  int32_t count = 1;
  int32_t priority = 0;
  api::ResourceList requests;  // of one pod
  std::optional<api::PodSetTopologyRequest> topology = {};
};

// Finds or adds the kind of a job.
class KindTable {
 public:
  explicit KindTable(Input& input) : input_(input) {}

  uint32_t KindOf(const JobDescription& job);

 private:
  Input& input_;
  base::HashIndex index_;
  std::vector<std::string> keys_;  // of the kinds added here
  std::vector<uint32_t> kind_of_;  // parallel to keys_
};

}  // namespace berth::simulate
