#include "simulate/trace/generator_file.h"

#include "api/kueue/cluster_queue.h"

namespace berth::simulate {

using schema::Member;

const schema::Struct& GeneratedJob::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&GeneratedJob::class_name>("className", "Class that summaries count it under.")
          .Required(),
      Member<&GeneratedJob::runtime_ms>("runtimeMs", "How long it runs, in milliseconds.")
          .Required()
          .Min(0)
          .Max(100'000'000'000'000),
      Member<&GeneratedJob::priority>("priority", "Its priority."),
      Member<&GeneratedJob::request>("request", "Cpu that a pod asks for.").Required(),
      Member<&GeneratedJob::pod_count>("podCount", "Number of pods.").Min(1),
      Member<&GeneratedJob::tas_constraint>("tasConstraint", "How its pods are placed.")
          .OneOf(kTopologyConstraints),
      Member<&GeneratedJob::tas_level>("tasLevel", "The node label of the level."),
      Member<&GeneratedJob::slice_size>("sliceSize", "Pods of a slice, if balanced.").Min(1),
  };
  static constexpr auto kStruct = schema::Describe<GeneratedJob>("GeneratedJob", "A job.", kFields);
  return kStruct;
}

const schema::Struct& GeneratedJobs::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&GeneratedJobs::count>("count", "How often the workloads arrive.").Required().Min(0),
      Member<&GeneratedJobs::creation_interval_ms>("creationIntervalMs",
                                                   "Time between two arrivals, in milliseconds.")
          .Min(0)
          .Max(10'000'000'000),
      Member<&GeneratedJobs::workloads>("workloads", "What arrives, in turns.")
          .Required()
          .MinItems(1),
  };
  static constexpr auto kStruct =
      schema::Describe<GeneratedJobs>("GeneratedJobs", "Jobs that arrive at intervals.", kFields);
  return kStruct;
}

const schema::Struct& GeneratedQueues::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&GeneratedQueues::class_name>("className", "What names of queues begin with.")
          .Required()
          .MinLength(1),
      Member<&GeneratedQueues::count>("count", "Number of queues.").Required().Min(0),
      Member<&GeneratedQueues::nominal_quota>("nominalQuota", "Cpu of each queue.").Required(),
      Member<&GeneratedQueues::borrowing_limit>("borrowingLimit", "What it may borrow."),
      Member<&GeneratedQueues::reclaim_within_cohort>("reclaimWithinCohort", "As in ClusterQueues.")
          .OneOf(api::kReclaimWithinCohortPolicies),
      Member<&GeneratedQueues::within_cluster_queue>("withinClusterQueue", "As in ClusterQueues.")
          .OneOf(api::kWithinClusterQueuePolicies),
      Member<&GeneratedQueues::workloads_sets>("workloadsSets", "Jobs of each queue."),
  };
  static constexpr auto kStruct =
      schema::Describe<GeneratedQueues>("GeneratedQueues", "Equal queues.", kFields);
  return kStruct;
}

const schema::Struct& GeneratedCohorts::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&GeneratedCohorts::class_name>("className", "What names of cohorts begin with.")
          .Required()
          .MinLength(1),
      Member<&GeneratedCohorts::count>("count", "Number of cohorts.").Required().Min(0),
      Member<&GeneratedCohorts::queues_sets>("queuesSets", "Queues of each cohort.").Required(),
  };
  static constexpr auto kStruct =
      schema::Describe<GeneratedCohorts>("GeneratedCohorts", "Equal cohorts.", kFields);
  return kStruct;
}

const schema::Struct& GeneratorFile::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&GeneratorFile::topology>("topology", "A Topology and its nodes."),
      Member<&GeneratorFile::resource_flavor>("resourceFlavor", "The flavor of all queues."),
      Member<&GeneratorFile::nodes>("nodes", "Pools of equal nodes."),
      Member<&GeneratorFile::cohorts>("cohorts", "Queues and jobs."),
  };
  static constexpr auto kStruct =
      schema::Describe<GeneratorFile>("Generator", "A world in a few lines.", kFields);
  return kStruct;
}

}  // namespace berth::simulate
