#include "scenario/outcome.h"

namespace berth::scenario {

using schema::Member;

const schema::Struct& JobOutcome::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&JobOutcome::is_managed>("managed", "Whether the job is managed."),
      Member<&JobOutcome::reason>("reason", "Reason why the job is or is not managed."),
      Member<&JobOutcome::queue>("queue", "LocalQueue of the job at the end."),
      Member<&JobOutcome::is_suspended>("suspended", "Whether the job is suspended."),
      Member<&JobOutcome::workloads>("workloads", "Workloads created for the job."),
      Member<&JobOutcome::problem>("problem", "Reason why no Workload could be created."),
  };
  static constexpr auto kStruct =
      schema::Describe<JobOutcome>("JobOutcome", "Outcome of a job.", kFields);
  return kStruct;
}

const schema::Struct& CycleOutcome::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&CycleOutcome::newly_admitted>("newlyAdmitted",
                                            "Workloads that reserved quota in the cycle."),
      Member<&CycleOutcome::preempted>("preempted",
                                       "Workloads preempted in the cycle, with the reason."),
      Member<&CycleOutcome::evicted>("evicted",
                                     "Other workloads evicted in the cycle, with the reason."),
      Member<&CycleOutcome::finished>("finished", "Workload slices replaced in the cycle."),
      Member<&CycleOutcome::pending>("pending",
                                     "Pending workloads after the cycle, by ClusterQueue."),
      Member<&CycleOutcome::inadmissible>(
          "inadmissible", "Inadmissible workloads after the cycle, by ClusterQueue."),
  };
  static constexpr auto kStruct =
      schema::Describe<CycleOutcome>("CycleOutcome", "Outcome of a cycle.", kFields);
  return kStruct;
}

const schema::Struct& Outcome::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&Outcome::admissions>("admissions", "Workloads with quota after the last cycle."),
      Member<&Outcome::newly_admitted>("newlyAdmitted",
                                       "Workloads that reserved quota in any cycle."),
      Member<&Outcome::preempted>("preempted",
                                  "Workloads preempted in any cycle, with the reason."),
      Member<&Outcome::evicted>("evicted",
                                "Other workloads evicted in any cycle, with the reason."),
      Member<&Outcome::finished>("finished", "Workload slices replaced in any cycle."),
      Member<&Outcome::pending>("pending",
                                "Pending workloads after the last cycle, by ClusterQueue."),
      Member<&Outcome::inadmissible>(
          "inadmissible", "Inadmissible workloads after the last cycle, by ClusterQueue."),
      Member<&Outcome::reasons>("reasons", "Pending reasons of the listed workloads."),
      Member<&Outcome::jobs>("jobs", "Outcomes of the listed jobs: `Kind namespace/name`."),
      Member<&Outcome::configuration_errors>("configurationErrors", "Errors of the Configuration."),
      Member<&Outcome::configuration_warnings>("configurationWarnings",
                                               "Warnings about the Configuration."),
      Member<&Outcome::per_cycle>("perCycle", "Outcome of each cycle."),
  };
  static constexpr auto kStruct =
      schema::Describe<Outcome>("Outcome", "Expected outcome.", kFields);
  return kStruct;
}

}  // namespace berth::scenario
