#pragma once

// What a scenario ends in: both what its file wants and what happened.

#include <optional>
#include <string>
#include <vector>

#include "api/admission.h"
#include "base/flat_map.h"
#include "schema/describe.h"

namespace berth::sim {

using Names = std::vector<std::string>;            // of workloads: "namespace/name"
using Reasons = base::FlatMap<std::string>;        // by workload
using NamesByQueue = base::FlatMap<Names>;         // by ClusterQueue
using Admissions = base::FlatMap<api::Admission>;  // by workload

// What came of one job. In what a file wants, absent members are not compared.
struct JobOutcome {
  std::optional<bool> is_managed;
  std::optional<std::string> reason;  // jobs::ReasonName: why it is, or why it is left alone
  std::optional<std::string> queue;   // the LocalQueue that it names now; "" for none
  // Held back; absent for kinds that wait through their pods.
  std::optional<bool> is_suspended;
  std::optional<Names> workloads;      // that were made for it
  std::optional<std::string> problem;  // why none could be made, or a part of that; "" if nothing
  std::string answer;                  // the reason in words; not part of files
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const JobOutcome&, const JobOutcome&) = default;
};

using JobOutcomes = base::FlatMap<JobOutcome>;  // by "Kind namespace/name"

// What one cycle did, and who waits after it.
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

// The state after the last cycle, and what happened on the way there. In what a file wants, absent
// members are not compared; in what happened, all are set.
struct Outcome {
  std::optional<Admissions> admissions;      // of everything that holds quota
  std::optional<Names> newly_admitted;       // in any cycle
  std::optional<Reasons> preempted;          // in any cycle
  std::optional<Reasons> evicted;            // by the scheduler, for other reasons
  std::optional<Names> finished;             // by the scheduler: workload slices that were replaced
  std::optional<NamesByQueue> pending;       // in line
  std::optional<NamesByQueue> inadmissible;  // out of line until something changes
  Reasons reasons;   // why they wait; of those that are named, where it is what a file wants
  JobOutcomes jobs;  // of those that are named, where it is what a file wants
  // What is wrong with the Configuration: "field: message". A file may give the field alone, or a
  // part of the message.
  std::optional<std::vector<std::string>> configuration_errors;
  std::optional<std::vector<std::string>> configuration_warnings;
  std::optional<std::vector<CycleOutcome>> per_cycle;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const Outcome&, const Outcome&) = default;
};

}  // namespace berth::sim
