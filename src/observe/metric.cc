#include "observe/metric.h"

#include <algorithm>
#include <array>

#include "base/check.h"

namespace berth::observe {
namespace {

using enum Metric;
using enum MetricType;

constexpr LabelSource kOfQueue[] = {LabelSource::kClusterQueue};
constexpr LabelSource kOfQueueAndWorkload[] = {LabelSource::kClusterQueue, LabelSource::kWorkload};
constexpr LabelSource kOfLocal[] = {LabelSource::kLocalQueue};
constexpr LabelSource kOfLocalAndWorkload[] = {LabelSource::kLocalQueue, LabelSource::kWorkload};
constexpr LabelSource kOfCohort[] = {LabelSource::kCohort};

constexpr std::string_view kQueueLabels = "cluster_queue";
constexpr std::string_view kQueuePriority = "cluster_queue,priority_class";
constexpr std::string_view kQueueQuota = "cohort,cluster_queue,flavor,resource";
constexpr std::string_view kLocalLabels = "name,namespace";
constexpr std::string_view kLocalPriority = "name,namespace,priority_class";
constexpr std::string_view kLocalQuota = "name,namespace,flavor,resource";

constexpr MetricInfo kMetrics[] = {
    {.metric = kAdmissionAttempts,
     .name = "kueue_admission_attempts_total",
     .type = kCounter,
     .labels = "result",
     .help = "Scheduling cycles that looked at a workload; success: at least one got quota"},
    {.metric = kAdmissionAttemptDuration,
     .name = "kueue_admission_attempt_duration_seconds",
     .type = kHistogram,
     .labels = "result",
     .help = "How long such a cycle took",
     .buckets = Buckets::kUsual},
    {.metric = kPreemptionSkips,
     .name = "kueue_admission_cycle_preemption_skips",
     .type = kGauge,
     .labels = kQueueLabels,
     .help = "Workloads of the last cycle that had any, which had found whom to preempt until "
             "another queue took what they needed",
     .sources = kOfQueue},
    {.metric = kPreemptionRecomputations,
     .name = "kueue_preemption_target_recomputations_total",
     .type = kCounter,
     .labels = "cluster_queue,result",
     .help = "Searches for other victims, because another workload had taken some in the same "
             "cycle",
     .sources = kOfQueue},
    {.metric = kBuildInfo,
     .name = "kueue_build_info",
     .type = kGauge,
     .labels = "git_version,git_commit,build_date,go_version,compiler,platform",
     .help = "Always 1; its labels say what this program was built from",
     .has_role = false},

    {.metric = kPending,
     .name = "kueue_pending_workloads",
     .type = kGauge,
     .labels = "cluster_queue,status",
     .help = "Workloads that wait for quota; active: in line, inadmissible: not looked at before "
             "something changes",
     .sources = kOfQueueAndWorkload},
    {.metric = kPendingHashes,
     .name = "kueue_pending_scheduling_hashes",
     .type = kGauge,
     .labels = "cluster_queue,status",
     .help = "Different shapes among the workloads that wait",
     .condition = Condition::kHashes,
     .sources = kOfQueue},
    {.metric = kFinished,
     .name = "kueue_finished_workloads",
     .type = kGauge,
     .labels = kQueueLabels,
     .help = "Workloads that have finished and still exist",
     .sources = kOfQueue},
    {.metric = kReservedTotal,
     .name = "kueue_quota_reserved_workloads_total",
     .type = kCounter,
     .labels = kQueuePriority,
     .help = "Workloads that got quota",
     .sources = kOfQueue},
    {.metric = kReservedWait,
     .name = "kueue_quota_reserved_wait_time_seconds",
     .type = kHistogram,
     .labels = kQueuePriority,
     .help = "From when a workload was created or requeued until it got quota",
     .buckets = Buckets::kUpTo3h,
     .sources = kOfQueue},
    {.metric = kAdmittedTotal,
     .name = "kueue_admitted_workloads_total",
     .type = kCounter,
     .labels = kQueuePriority,
     .help = "Workloads that were admitted: they got quota and passed all checks",
     .sources = kOfQueue},
    {.metric = kAdmissionWait,
     .name = "kueue_admission_wait_time_seconds",
     .type = kHistogram,
     .labels = kQueuePriority,
     .help = "From when a workload was created or requeued until it was admitted",
     .buckets = Buckets::kUpTo12h,
     .sources = kOfQueue},
    {.metric = kChecksWait,
     .name = "kueue_admission_checks_wait_time_seconds",
     .type = kHistogram,
     .labels = kQueuePriority,
     .help = "From when a workload got quota until it had passed its admission checks",
     .buckets = Buckets::kUpTo3h,
     .sources = kOfQueue},
    {.metric = kReadyWait,
     .name = "kueue_ready_wait_time_seconds",
     .type = kHistogram,
     .labels = kQueuePriority,
     .help = "From when a workload was created or requeued until its pods were ready for the "
             "first time",
     .buckets = Buckets::kUpTo3h,
     .sources = kOfQueue},
    {.metric = kAdmittedUntilReady,
     .name = "kueue_admitted_until_ready_wait_time_seconds",
     .type = kHistogram,
     .labels = kQueuePriority,
     .help = "From when a workload was admitted until its pods were ready for the first time",
     .buckets = Buckets::kUpTo3h,
     .sources = kOfQueue},
    {.metric = kFinishedTotal,
     .name = "kueue_finished_workloads_total",
     .type = kCounter,
     .labels = kQueuePriority,
     .help = "Workloads that finished",
     .sources = kOfQueue},
    {.metric = kExecutionTime,
     .name = "kueue_execution_time_seconds",
     .type = kHistogram,
     .labels = kQueuePriority,
     .help = "How long a finished workload was admitted, all times together",
     .buckets = Buckets::kUpTo12h,
     .sources = kOfQueue},
    {.metric = kEvictedTotal,
     .name = "kueue_evicted_workloads_total",
     .type = kCounter,
     .labels = "cluster_queue,reason,underlying_cause,priority_class",
     .help = "Evictions of workloads",
     .sources = kOfQueue},
    {.metric = kEvictedOnceTotal,
     .name = "kueue_evicted_workloads_once_total",
     .type = kCounter,
     .labels = "cluster_queue,reason,underlying_cause,priority_class",
     .help = "Evictions of workloads that had not been evicted for this reason before",
     .sources = kOfQueue},
    {.metric = kReadyUntilEvicted,
     .name = "kueue_pods_ready_to_evicted_time_seconds",
     .type = kHistogram,
     .labels = "cluster_queue,reason,underlying_cause",
     .help = "From when the pods of a workload were ready until it was evicted",
     .buckets = Buckets::kUpTo3h,
     .sources = kOfQueue},
    {.metric = kEvictionLatency,
     .name = "kueue_workload_eviction_latency_seconds",
     .type = kHistogram,
     .labels = "cluster_queue,reason",
     .help = "From when a workload was evicted until it had given its quota back",
     .buckets = Buckets::kUpTo3h,
     .sources = kOfQueue},
    {.metric = kPreemptedTotal,
     .name = "kueue_preempted_workloads_total",
     .type = kCounter,
     .labels = "preempting_cluster_queue,reason",
     .help = "Workloads that had to make room for one of this queue",
     .sources = kOfQueue},
    {.metric = kReplacedSlices,
     .name = "kueue_replaced_workload_slices_total",
     .type = kCounter,
     .labels = kQueueLabels,
     .help = "Slices of elastic jobs that another slice took over from",
     .sources = kOfQueue},
    {.metric = kReserving,
     .name = "kueue_reserving_active_workloads",
     .type = kGauge,
     .labels = kQueueLabels,
     .help = "Workloads that hold quota",
     .sources = kOfQueue},
    {.metric = kAdmitted,
     .name = "kueue_admitted_active_workloads",
     .type = kGauge,
     .labels = kQueueLabels,
     .help = "Workloads that are admitted and have not finished",
     .sources = kOfQueueAndWorkload},
    {.metric = kUnadmitted,
     .name = "kueue_unadmitted_workloads",
     .type = kGauge,
     .labels = "cluster_queue,reason,underlying_cause",
     .help = "Workloads that are not admitted, by the reasons of their conditions Admitted and "
             "QuotaReserved",
     .condition = Condition::kUnadmitted,
     .sources = kOfQueue},
    {.metric = kQueueStatus,
     .name = "kueue_cluster_queue_status",
     .type = kGauge,
     .labels = "cluster_queue,status",
     .help = "1 for the status that the queue has: active, pending (it cannot admit) or "
             "terminating",
     .sources = kOfQueue},
    {.metric = kQueueInfo,
     .name = "kueue_cluster_queue_info",
     .type = kGauge,
     .labels = "cluster_queue,parent_cohort,root_cohort",
     .help = "Always 1; its labels say which cohort the queue is in",
     .condition = Condition::kCohorts,
     .sources = kOfQueue},
    {.metric = kQueueReservation,
     .name = "kueue_cluster_queue_resource_reservation",
     .type = kGauge,
     .labels = kQueueQuota,
     .help = "Quota that workloads hold",
     .condition = Condition::kResources,
     .sources = kOfQueue},
    {.metric = kQueueUsage,
     .name = "kueue_cluster_queue_resource_usage",
     .type = kGauge,
     .labels = kQueueQuota,
     .help = "Quota that admitted workloads hold",
     .condition = Condition::kResources,
     .sources = kOfQueue},
    {.metric = kQueuePending,
     .name = "kueue_cluster_queue_resource_pending",
     .type = kGauge,
     .labels = "cluster_queue,resource",
     .help = "What the workloads that wait ask for",
     .condition = Condition::kResources,
     .sources = kOfQueue},
    {.metric = kQueueNominal,
     .name = "kueue_cluster_queue_nominal_quota",
     .type = kGauge,
     .labels = kQueueQuota,
     .help = "The nominal quota",
     .condition = Condition::kResources,
     .sources = kOfQueue},
    {.metric = kQueueBorrowingLimit,
     .name = "kueue_cluster_queue_borrowing_limit",
     .type = kGauge,
     .labels = kQueueQuota,
     .help = "How much may be borrowed; +Inf where there is no limit",
     .condition = Condition::kResources,
     .sources = kOfQueue},
    {.metric = kQueueLendingLimit,
     .name = "kueue_cluster_queue_lending_limit",
     .type = kGauge,
     .labels = kQueueQuota,
     .help = "How much may be lent to others; +Inf where there is no limit",
     .condition = Condition::kResources,
     .sources = kOfQueue},
    {.metric = kQueueShare,
     .name = "kueue_cluster_queue_weighted_share",
     .type = kGauge,
     .labels = "cluster_queue,cohort",
     .help = "What the queue borrows as a share of what the cohort can lend, in thousandths and "
             "by its weight; NaN where the weight is 0 and it borrows",
     .condition = Condition::kResourcesShares,
     .sources = kOfQueue},

    {.metric = kLocalPending,
     .name = "kueue_local_queue_pending_workloads",
     .type = kGauge,
     .labels = "name,namespace,status",
     .help = "Workloads that wait for quota; active: in line, inadmissible: not looked at before "
             "something changes",
     .condition = Condition::kLocalQueues,
     .sources = kOfLocal},
    {.metric = kLocalFinished,
     .name = "kueue_local_queue_finished_workloads",
     .type = kGauge,
     .labels = kLocalLabels,
     .help = "Workloads that have finished and still exist",
     .condition = Condition::kLocalQueues,
     .sources = kOfLocal},
    {.metric = kLocalReservedTotal,
     .name = "kueue_local_queue_quota_reserved_workloads_total",
     .type = kCounter,
     .labels = kLocalPriority,
     .help = "Workloads that got quota",
     .condition = Condition::kLocalQueues,
     .sources = kOfLocal},
    {.metric = kLocalReservedWait,
     .name = "kueue_local_queue_quota_reserved_wait_time_seconds",
     .type = kHistogram,
     .labels = kLocalPriority,
     .help = "From when a workload was created or requeued until it got quota",
     .condition = Condition::kLocalQueues,
     .buckets = Buckets::kUpTo3h,
     .sources = kOfLocal},
    {.metric = kLocalAdmittedTotal,
     .name = "kueue_local_queue_admitted_workloads_total",
     .type = kCounter,
     .labels = kLocalPriority,
     .help = "Workloads that were admitted: they got quota and passed all checks",
     .condition = Condition::kLocalQueues,
     .sources = kOfLocalAndWorkload},
    {.metric = kLocalAdmissionWait,
     .name = "kueue_local_queue_admission_wait_time_seconds",
     .type = kHistogram,
     .labels = kLocalPriority,
     .help = "From when a workload was created or requeued until it was admitted",
     .condition = Condition::kLocalQueues,
     .buckets = Buckets::kUpTo3h,
     .sources = kOfLocalAndWorkload},
    {.metric = kLocalChecksWait,
     .name = "kueue_local_queue_admission_checks_wait_time_seconds",
     .type = kHistogram,
     .labels = kLocalPriority,
     .help = "From when a workload got quota until it had passed its admission checks",
     .condition = Condition::kLocalQueues,
     .buckets = Buckets::kUpTo3h,
     .sources = kOfLocal},
    {.metric = kLocalReadyWait,
     .name = "kueue_local_queue_ready_wait_time_seconds",
     .type = kHistogram,
     .labels = kLocalPriority,
     .help = "From when a workload was created or requeued until its pods were ready for the "
             "first time",
     .condition = Condition::kLocalQueues,
     .buckets = Buckets::kUpTo3h,
     .sources = kOfLocal},
    {.metric = kLocalAdmittedUntilReady,
     .name = "kueue_local_queue_admitted_until_ready_wait_time_seconds",
     .type = kHistogram,
     .labels = kLocalPriority,
     .help = "From when a workload was admitted until its pods were ready for the first time",
     .condition = Condition::kLocalQueues,
     .buckets = Buckets::kUpTo3h,
     .sources = kOfLocal},
    {.metric = kLocalFinishedTotal,
     .name = "kueue_local_queue_finished_workloads_total",
     .type = kCounter,
     .labels = kLocalPriority,
     .help = "Workloads that finished",
     .condition = Condition::kLocalQueues,
     .sources = kOfLocal},
    {.metric = kLocalExecutionTime,
     .name = "kueue_local_queue_execution_time_seconds",
     .type = kHistogram,
     .labels = kLocalPriority,
     .help = "How long a finished workload was admitted, all times together",
     .condition = Condition::kLocalQueues,
     .buckets = Buckets::kUpTo12h,
     .sources = kOfLocal},
    {.metric = kLocalEvictedTotal,
     .name = "kueue_local_queue_evicted_workloads_total",
     .type = kCounter,
     .labels = "name,namespace,reason,underlying_cause,priority_class",
     .help = "Evictions of workloads",
     .condition = Condition::kLocalQueues,
     .sources = kOfLocal},
    {.metric = kLocalReserving,
     .name = "kueue_local_queue_reserving_active_workloads",
     .type = kGauge,
     .labels = kLocalLabels,
     .help = "Workloads that hold quota",
     .condition = Condition::kLocalQueues,
     .sources = kOfLocal},
    {.metric = kLocalAdmitted,
     .name = "kueue_local_queue_admitted_active_workloads",
     .type = kGauge,
     .labels = kLocalLabels,
     .help = "Workloads that are admitted and have not finished",
     .condition = Condition::kLocalQueues,
     .sources = kOfLocalAndWorkload},
    {.metric = kLocalUnadmitted,
     .name = "kueue_local_queue_unadmitted_workloads",
     .type = kGauge,
     .labels = "name,namespace,cluster_queue,reason,underlying_cause",
     .help = "Workloads that are not admitted, by the reasons of their conditions Admitted and "
             "QuotaReserved",
     .condition = Condition::kLocalUnadmitted,
     .sources = kOfLocal},
    {.metric = kLocalStatus,
     .name = "kueue_local_queue_status",
     .type = kGauge,
     .labels = "name,namespace,active",
     .help = "1 for what the condition Active says: True, False or Unknown",
     .condition = Condition::kLocalQueues,
     .sources = kOfLocal},
    {.metric = kLocalReservation,
     .name = "kueue_local_queue_resource_reservation",
     .type = kGauge,
     .labels = kLocalQuota,
     .help = "Quota that workloads hold",
     .condition = Condition::kLocalQueues,
     .sources = kOfLocal},
    {.metric = kLocalUsage,
     .name = "kueue_local_queue_resource_usage",
     .type = kGauge,
     .labels = kLocalQuota,
     .help = "Quota that admitted workloads hold",
     .condition = Condition::kLocalQueues,
     .sources = kOfLocal},
    {.metric = kLocalFairUsage,
     .name = "kueue_local_queue_admission_fair_sharing_usage",
     .type = kGauge,
     .labels = "name,namespace,cluster_queue",
     .help = "What the queue has consumed lately, by the weights of resources and its own: the "
             "queue with less goes first",
     .condition = Condition::kUsageSharing,
     .sources = kOfLocal},

    {.metric = kCohortShare,
     .name = "kueue_cohort_weighted_share",
     .type = kGauge,
     .labels = "cohort",
     .help = "What the cohort borrows as a share of what its parent can lend, in thousandths and "
             "by its weight; +Inf where the weight is 0 and it borrows",
     .condition = Condition::kFairShares,
     .sources = kOfCohort},
    {.metric = kCohortQuota,
     .name = "kueue_cohort_subtree_quota",
     .type = kGauge,
     .labels = "cohort,flavor,resource",
     .help = "Quota of the cohort and of all that is below it",
     .condition = Condition::kCohorts,
     .sources = kOfCohort},
    {.metric = kCohortReservation,
     .name = "kueue_cohort_subtree_resource_reservations",
     .type = kGauge,
     .labels = "cohort,flavor,resource",
     .help = "Quota that workloads below the cohort hold",
     .condition = Condition::kCohorts,
     .sources = kOfCohort},
    {.metric = kCohortAdmittedTotal,
     .name = "kueue_cohort_subtree_admitted_workloads_total",
     .type = kCounter,
     .labels = "cohort,priority_class",
     .help = "Workloads below the cohort that were admitted",
     .condition = Condition::kCohorts,
     .sources = kOfCohort},
    {.metric = kCohortAdmitted,
     .name = "kueue_cohort_subtree_admitted_active_workloads",
     .type = kGauge,
     .labels = "cohort",
     .help = "Workloads below the cohort that are admitted and have not finished",
     .condition = Condition::kCohorts,
     .sources = kOfQueue},
    {.metric = kCohortInfo,
     .name = "kueue_cohort_info",
     .type = kGauge,
     .labels = "cohort,parent_cohort,root_cohort",
     .help = "Always 1; its labels say where the cohort is in its tree",
     .condition = Condition::kCohorts,
     .sources = kOfCohort},

    {.metric = kCreationLatency,
     .name = "kueue_workload_creation_latency_seconds",
     .type = kHistogram,
     .labels = "job_kind",
     .help = "From when a job was created until there was a workload for it",
     .condition = Condition::kCreationLatency,
     .buckets = Buckets::kCreation,
     .sources = kOfLocal},
    {.metric = kGateRemoval,
     .name = "kueue_pod_scheduling_gate_removal_seconds",
     .type = kHistogram,
     .labels = "name,cluster_queue,is_group",
     .help = "From when a workload was admitted until the gate of one of its pods was opened",
     .buckets = Buckets::kUsual,
     .sources = kOfQueue},

    {.metric = kCycleDuration,
     .name = "berth_engine_cycle_duration_seconds",
     .type = kHistogram,
     .labels = "",
     .help = "How long a scheduling cycle took, in finer steps",
     .buckets = Buckets::kCycle},
    {.metric = kConstrained,
     .name = "berth_admission_constrained_workloads",
     .type = kGauge,
     .labels = "cluster_queue,constraint",
     .help = "Workloads that wait because of a constraint of their own",
     .condition = Condition::kConstraints,
     .sources = kOfQueue},
    {.metric = kConstrainedTotal,
     .name = "berth_admission_constrained_total",
     .type = kCounter,
     .labels = "cluster_queue,constraint",
     .help = "Times that a workload began to wait because of a constraint of its own",
     .condition = Condition::kConstraints,
     .sources = kOfQueue},

    {.metric = kProcessCpu,
     .name = "process_cpu_seconds_total",
     .type = kCounter,
     .labels = "",
     .help = "Processor time that the process has spent",
     .has_role = false},
    {.metric = kProcessMemory,
     .name = "process_resident_memory_bytes",
     .type = kGauge,
     .labels = "",
     .help = "Memory that the process has",
     .has_role = false},
    {.metric = kProcessStart,
     .name = "process_start_time_seconds",
     .type = kGauge,
     .labels = "",
     .help = "When the process started, in seconds since 1970",
     .has_role = false},
    {.metric = kProcessFiles,
     .name = "process_open_fds",
     .type = kGauge,
     .labels = "",
     .help = "Files and connections that the process has open",
     .has_role = false},
};
static_assert(std::size(kMetrics) == kMetricCount);
static_assert(std::ranges::is_sorted(kMetrics, std::ranges::less_equal(), &MetricInfo::metric));

template <size_t kCount>
constexpr std::array<double, kCount> DoubledFromTwoAndAHalf() {
  std::array<double, kCount> bounds{1};
  double next = 2.5;
  for (size_t i = 1; i < kCount; ++i, next *= 2) bounds[i] = next;
  return bounds;
}

constexpr std::array<double, 11> CreationBounds() {
  std::array<double, 11> bounds{};
  double next = 0.01;
  for (double& bound : bounds) {
    bound = next;
    next *= 2;
  }
  return bounds;
}

}  // namespace

std::span<const MetricInfo> AllMetrics() { return kMetrics; }

const MetricInfo& InfoOf(Metric metric) { return kMetrics[static_cast<size_t>(metric)]; }

std::span<const double> BoundsOf(Buckets buckets) {
  static constexpr double kUsualBounds[] = {.005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10};
  static constexpr auto k14 = DoubledFromTwoAndAHalf<14>();
  static constexpr auto k16 = DoubledFromTwoAndAHalf<16>();
  static constexpr auto kCreationBounds = CreationBounds();
  static constexpr double kCycleBounds[] = {.00001, .000025, .00005, .0001, .00025, .0005,
                                            .001,   .0025,   .005,   .01,   .025,   .05,
                                            .1,     .25,     .5,     1,     2.5};
  switch (buckets) {
    case Buckets::kNone:
      break;
    case Buckets::kUsual:
      return kUsualBounds;
    case Buckets::kUpTo3h:
      return k14;
    case Buckets::kUpTo12h:
      return k16;
    case Buckets::kCreation:
      return kCreationBounds;
    case Buckets::kCycle:
      return kCycleBounds;
  }
  return {};
}

std::vector<std::string_view> LabelsOf(const MetricInfo& info) {
  std::vector<std::string_view> names;
  for (std::string_view rest = info.labels; !rest.empty();) {
    const size_t end = std::min(rest.find(','), rest.size());
    names.push_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return names;
}

std::string_view ToString(MetricType type) {
  return type == kCounter ? "counter" : type == kGauge ? "gauge" : "histogram";
}

std::string_view ToString(Condition condition) {
  switch (condition) {
    case Condition::kNothing:
      return "";
    case Condition::kLocalQueues:
      return "LocalQueueMetrics";
    case Condition::kCohorts:
      return "MetricsForCohorts";
    case Condition::kResources:
      return "enableClusterQueueResources";
    case Condition::kFairShares:
      return "fairSharing";
    case Condition::kResourcesShares:
      return "fairSharing, enableClusterQueueResources";
    case Condition::kUsageSharing:
      return "admissionFairSharing, LocalQueueMetrics";
    case Condition::kUnadmitted:
      return "UnadmittedWorkloadsObservability";
    case Condition::kLocalUnadmitted:
      return "UnadmittedWorkloadsObservability, LocalQueueMetrics";
    case Condition::kHashes:
      return "SchedulingEquivalenceHashing";
    case Condition::kCreationLatency:
      return "MetricForWorkloadCreationLatency";
    case Condition::kConstraints:
      return "WorkloadAdmissionConstraints";
  }
  return "";
}

}  // namespace berth::observe
