#include "scenario/outcome.h"

namespace berth::scenario {

using schema::Member;

const schema::Struct& JobOutcome::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&JobOutcome::is_managed>("managed", "Whether it is managed."),
      Member<&JobOutcome::reason>("reason", "Why it is, or why it is left alone."),
      Member<&JobOutcome::queue>("queue", "The LocalQueue that it names at the end."),
      Member<&JobOutcome::is_suspended>("suspended", "Whether it is held back."),
      Member<&JobOutcome::workloads>("workloads", "Workloads that were made for it."),
      Member<&JobOutcome::problem>("problem", "Why no Workload could be made for it."),
  };
  static constexpr auto kStruct =
      schema::Describe<JobOutcome>("JobOutcome", "What came of a job.", kFields);
  return kStruct;
}

const schema::Struct& CycleOutcome::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&CycleOutcome::newly_admitted>("newlyAdmitted", "Workloads that got quota in it."),
      Member<&CycleOutcome::preempted>("preempted",
                                       "Workloads that were preempted in it, with the reason."),
      Member<&CycleOutcome::evicted>("evicted",
                                     "Workloads evicted otherwise in it, with the reason."),
      Member<&CycleOutcome::finished>("finished", "Workload slices that were replaced in it."),
      Member<&CycleOutcome::pending>("pending", "Workloads in line after it, by ClusterQueue."),
      Member<&CycleOutcome::inadmissible>(
          "inadmissible", "Workloads that are out of line after it, by ClusterQueue."),
  };
  static constexpr auto kStruct =
      schema::Describe<CycleOutcome>("CycleOutcome", "What one cycle did.", kFields);
  return kStruct;
}

const schema::Struct& Outcome::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&Outcome::admissions>("admissions",
                                   "Everything that holds quota after the last cycle."),
      Member<&Outcome::newly_admitted>("newlyAdmitted", "Workloads that got quota in any cycle."),
      Member<&Outcome::preempted>("preempted",
                                  "Workloads that were preempted in any cycle, with the reason."),
      Member<&Outcome::evicted>("evicted",
                                "Workloads evicted otherwise in any cycle, with the reason."),
      Member<&Outcome::finished>("finished", "Workload slices that were replaced in any cycle."),
      Member<&Outcome::pending>("pending",
                                "Workloads in line after the last cycle, by ClusterQueue."),
      Member<&Outcome::inadmissible>(
          "inadmissible", "Workloads that are out of line after the last cycle, by ClusterQueue."),
      Member<&Outcome::reasons>("reasons", "Why workloads wait; of those named here."),
      Member<&Outcome::jobs>("jobs",
                             "What came of jobs: `Kind namespace/name`; of those named here."),
      Member<&Outcome::configuration_errors>("configurationErrors",
                                             "What is wrong with the Configuration."),
      Member<&Outcome::configuration_warnings>("configurationWarnings",
                                               "What the Configuration is warned of."),
      Member<&Outcome::per_cycle>("perCycle", "The same after each cycle."),
  };
  static constexpr auto kStruct =
      schema::Describe<Outcome>("Outcome", "What must have happened.", kFields);
  return kStruct;
}

}  // namespace berth::scenario
