#include "simulate/trace/generator_file.h"

#include "api/kueue/cluster_queue.h"

namespace berth::simulate {

using schema::Member;

const schema::Struct& GeneratedJob::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&GeneratedJob::class_name>("className", "Class of the job in summaries.").Required(),
      Member<&GeneratedJob::runtime_ms>("runtimeMs", "Run time in milliseconds.")
          .Required()
          .Min(0)
          .Max(100'000'000'000'000),
      Member<&GeneratedJob::priority>("priority", "Priority."),
      Member<&GeneratedJob::request>("request", "CPU request of a pod.").Required(),
      Member<&GeneratedJob::pod_count>("podCount", "Number of pods.").Min(1),
      Member<&GeneratedJob::tas_constraint>("tasConstraint", "Topology constraint of the pods.")
          .OneOf(kTopologyConstraints),
      Member<&GeneratedJob::tas_level>("tasLevel", "Node label of the level."),
      Member<&GeneratedJob::slice_size>("sliceSize", "Pods of a slice, with balanced.").Min(1),
  };
  static constexpr auto kStruct = schema::Describe<GeneratedJob>("GeneratedJob", "A job.", kFields);
  return kStruct;
}

const schema::Struct& GeneratedJobs::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&GeneratedJobs::count>("count", "Number of arrivals.").Required().Min(0),
      Member<&GeneratedJobs::creation_interval_ms>("creationIntervalMs",
                                                   "Time between two arrivals, in milliseconds.")
          .Min(0)
          .Max(10'000'000'000),
      Member<&GeneratedJobs::workloads>("workloads", "Jobs that arrive, in rotation.")
          .Required()
          .MinItems(1),
  };
  static constexpr auto kStruct =
      schema::Describe<GeneratedJobs>("GeneratedJobs", "Jobs that arrive at intervals.", kFields);
  return kStruct;
}

const schema::Struct& GeneratedQueues::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&GeneratedQueues::class_name>("className", "Prefix of the queue names.")
          .Required()
          .MinLength(1),
      Member<&GeneratedQueues::count>("count", "Number of queues.").Required().Min(0),
      Member<&GeneratedQueues::nominal_quota>("nominalQuota", "CPU quota of each queue.")
          .Required(),
      Member<&GeneratedQueues::borrowing_limit>("borrowingLimit", "Borrowing limit."),
      Member<&GeneratedQueues::reclaim_within_cohort>("reclaimWithinCohort", "As in ClusterQueues.")
          .OneOf(api::kReclaimWithinCohortPolicies),
      Member<&GeneratedQueues::within_cluster_queue>("withinClusterQueue", "As in ClusterQueues.")
          .OneOf(api::kWithinClusterQueuePolicies),
      Member<&GeneratedQueues::workloads_sets>("workloadsSets", "Jobs of each queue."),
  };
  static constexpr auto kStruct =
      schema::Describe<GeneratedQueues>("GeneratedQueues", "Identical queues.", kFields);
  return kStruct;
}

const schema::Struct& GeneratedCohorts::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&GeneratedCohorts::class_name>("className", "Prefix of the cohort names.")
          .Required()
          .MinLength(1),
      Member<&GeneratedCohorts::count>("count", "Number of cohorts.").Required().Min(0),
      Member<&GeneratedCohorts::queues_sets>("queuesSets", "Queues of each cohort.").Required(),
  };
  static constexpr auto kStruct =
      schema::Describe<GeneratedCohorts>("GeneratedCohorts", "Identical cohorts.", kFields);
  return kStruct;
}

const schema::Struct& GeneratorFile::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&GeneratorFile::topology>("topology", "A Topology and its nodes."),
      Member<&GeneratorFile::resource_flavor>("resourceFlavor", "Flavor of all queues."),
      Member<&GeneratorFile::nodes>("nodes", "Pools of identical nodes."),
      Member<&GeneratorFile::cohorts>("cohorts", "Queues and jobs."),
  };
  static constexpr auto kStruct =
      schema::Describe<GeneratorFile>("Generator", "Generated queues, jobs and nodes.", kFields);
  return kStruct;
}

}  // namespace berth::simulate
