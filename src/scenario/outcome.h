#pragma once

// The outcome of a scenario, expected or actual.

#include <optional>
#include <string>
#include <vector>

#include "api/kueue/admission.h"
#include "base/flat_map.h"
#include "schema/describe.h"

namespace berth::scenario {

using Names = std::vector<std::string>;            // of workloads: "namespace/name"
using Reasons = base::FlatMap<std::string>;        // by workload
using NamesByQueue = base::FlatMap<Names>;         // by ClusterQueue
using Admissions = base::FlatMap<api::Admission>;  // by workload

// The outcome of one job. Absent members of an expected outcome are not compared.
struct JobOutcome {
  std::optional<bool> is_managed;
  std::optional<std::string> reason;  // jobs::ReasonName
  std::optional<std::string> queue;   // LocalQueue; "" for none
  // Absent for kinds that wait through their pods.
  std::optional<bool> is_suspended;
  std::optional<Names> workloads;  // created for it
  std::optional<std::string>
      problem;         // why none could be created; expected: a part of the message; "": none
  std::string answer;  // the reason as a sentence; not part of files
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const JobOutcome&, const JobOutcome&) = default;
};

using JobOutcomes = base::FlatMap<JobOutcome>;  // by "Kind namespace/name"

// The decisions of one cycle, and the pending workloads after it.
struct CycleOutcome {
  std::optional<Names> newly_admitted;
  std::optional<Reasons> preempted;
  std::optional<Reasons> evicted;
  std::optional<Names> finished;
  std::optional<NamesByQueue> pending;
  std::optional<NamesByQueue> inadmissible;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const CycleOutcome&, const CycleOutcome&) = default;
};

// The state after the last cycle, and the decisions of all cycles. Absent members of an expected
// outcome are not compared; an actual outcome has all.
struct Outcome {
  std::optional<Admissions> admissions;      // of all workloads with quota
  std::optional<Names> newly_admitted;       // in any cycle
  std::optional<Reasons> preempted;          // in any cycle
  std::optional<Reasons> evicted;            // by the scheduler, for other reasons
  std::optional<Names> finished;             // by the scheduler: replaced workload slices
  std::optional<NamesByQueue> pending;       // in the queue
  std::optional<NamesByQueue> inadmissible;  // until a change requeues them
  Reasons reasons;   // of pending workloads; expected: those that the file names
  JobOutcomes jobs;  // expected: those that the file names
  // Problems of the Configuration: "field: message". Expected: the field alone, or a part of the
  // message, is enough.
  std::optional<std::vector<std::string>> configuration_errors;
  std::optional<std::vector<std::string>> configuration_warnings;
  std::optional<std::vector<CycleOutcome>> per_cycle;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const Outcome&, const Outcome&) = default;
};

}  // namespace berth::scenario
