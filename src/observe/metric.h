#pragma once

// Every metric that Berth serves, described once: source of the registry, the exposition text and
// the table in docs/reference/metrics.md. Metrics that begin with "kueue_" have Kueue's names,
// types, labels and buckets, so that dashboards and alerts for Kueue keep working.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace berth::observe {

enum class Metric : uint8_t {
  // Scheduler.
  kAdmissionAttempts,
  kAdmissionAttemptDuration,
  kPreemptionSkips,
  kPreemptionRecomputations,
  kBuildInfo,
  // ClusterQueues.
  kPending,
  kPendingHashes,
  kFinished,
  kReservedTotal,
  kReservedWait,
  kAdmittedTotal,
  kAdmissionWait,
  kChecksWait,
  kReadyWait,
  kAdmittedUntilReady,
  kFinishedTotal,
  kExecutionTime,
  kEvictedTotal,
  kEvictedOnceTotal,
  kReadyUntilEvicted,
  kEvictionLatency,
  kPreemptedTotal,
  kReplacedSlices,
  kReserving,
  kAdmitted,
  kUnadmitted,
  kQueueStatus,
  kQueueInfo,
  kQueueReservation,
  kQueueUsage,
  kQueuePending,
  kQueueNominal,
  kQueueBorrowingLimit,
  kQueueLendingLimit,
  kQueueShare,
  // LocalQueues.
  kLocalPending,
  kLocalFinished,
  kLocalReservedTotal,
  kLocalReservedWait,
  kLocalAdmittedTotal,
  kLocalAdmissionWait,
  kLocalChecksWait,
  kLocalReadyWait,
  kLocalAdmittedUntilReady,
  kLocalFinishedTotal,
  kLocalExecutionTime,
  kLocalEvictedTotal,
  kLocalReserving,
  kLocalAdmitted,
  kLocalUnadmitted,
  kLocalStatus,
  kLocalReservation,
  kLocalUsage,
  kLocalFairUsage,
  // Cohorts.
  kCohortShare,
  kCohortQuota,
  kCohortReservation,
  kCohortAdmittedTotal,
  kCohortAdmitted,
  kCohortInfo,
  // Jobs.
  kCreationLatency,
  kGateRemoval,
  // Berth's own.
  kCycleDuration,
  kConstrained,
  kConstrainedTotal,
  // Process metrics, as in every Prometheus client library.
  kProcessCpu,
  kProcessMemory,
  kProcessStart,
  kProcessFiles,
};
inline constexpr size_t kMetricCount = static_cast<size_t>(Metric::kProcessFiles) + 1;

enum class MetricType : uint8_t { kCounter, kGauge, kHistogram };

// The bucket bounds of a histogram, without +Inf.
enum class Buckets : uint8_t {
  kNone,
  kDefault,   // defaults of Prometheus client libraries: 5 ms to 10 s
  kUpTo3h,    // 14 bounds: 1 s, 2.5 s, then doubling
  kUpTo12h,   // the same with 16 bounds
  kCreation,  // 11 bounds: 10 ms, then doubling
  kCycle,     // 10 µs to 2.5 s
};
std::span<const double> BoundsOf(Buckets buckets);

// Kinds whose labels and annotations may become metric labels: metrics.customLabels. In label
// order.
enum class LabelSource : uint8_t { kClusterQueue, kCohort, kLocalQueue, kWorkload };
inline constexpr size_t kLabelSourceCount = 4;

// The feature gate or setting that a metric requires.
enum class Condition : uint8_t {
  kNothing,
  kLocalQueues,      // metrics.localQueueMetrics, gate LocalQueueMetrics
  kCohorts,          // gate MetricsForCohorts
  kResources,        // metrics.enableClusterQueueResources
  kFairShares,       // fairSharing
  kResourcesShares,  // both of the above
  kUsageSharing,     // admissionFairSharing and the requirement of kLocalQueues
  kUnadmitted,       // gate UnadmittedWorkloadsObservability
  kLocalUnadmitted,  // the same and the requirement of kLocalQueues
  kHashes,           // gate SchedulingEquivalenceHashing
  kCreationLatency,  // gate MetricForWorkloadCreationLatency
  kConstraints,      // gate WorkloadAdmissionConstraints
};

struct MetricInfo {
  Metric metric;
  std::string_view name;
  MetricType type;
  std::string_view labels;  // comma-separated names, without "replica_role"
  std::string_view help;
  Condition condition = Condition::kNothing;
  Buckets buckets = Buckets::kNone;
  std::span<const LabelSource> sources = {};
  bool has_role = true;
};

// In enumeration order.
std::span<const MetricInfo> AllMetrics();
const MetricInfo& InfoOf(Metric metric);
std::vector<std::string_view> LabelsOf(const MetricInfo& info);

std::string_view ToString(MetricType type);  // "counter"
// The names of the gate or settings; "" if none.
std::string_view ToString(Condition condition);

}  // namespace berth::observe
