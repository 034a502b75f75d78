#pragma once

// Every metric that Berth serves, described once: the registry, the text that is scraped and the
// table in docs/reference/metrics.md come from this list. Those that begin with "kueue_" have
// Kueue's names, types, labels and buckets, so that dashboards and alerts for Kueue go on working.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace berth::observe {

enum class Metric : uint8_t {
  // Of the scheduler.
  kAdmissionAttempts,
  kAdmissionAttemptDuration,
  kPreemptionSkips,
  kPreemptionRecomputations,
  kBuildInfo,
  // Of ClusterQueues.
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
  // Of LocalQueues.
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
  // Of Cohorts.
  kCohortShare,
  kCohortQuota,
  kCohortReservation,
  kCohortAdmittedTotal,
  kCohortAdmitted,
  kCohortInfo,
  // Of jobs.
  kCreationLatency,
  kGateRemoval,
  // Berth's own.
  kCycleDuration,
  kConstrained,
  kConstrainedTotal,
  // Of the process, as all clients of Prometheus have them.
  kProcessCpu,
  kProcessMemory,
  kProcessStart,
  kProcessFiles,
};
inline constexpr size_t kMetricCount = static_cast<size_t>(Metric::kProcessFiles) + 1;

enum class MetricType : uint8_t { kCounter, kGauge, kHistogram };

// The bounds of a histogram's buckets, beside +Inf.
enum class Buckets : uint8_t {
  kNone,
  kUsual,     // those that Prometheus' clients take unless told otherwise: 5 ms to 10 s
  kUpTo3h,    // 1 s, then 2.5 s doubled until there are 14
  kUpTo12h,   // the same with 16
  kCreation,  // 10 ms doubled until there are 11
  kCycle,     // 10 µs to 2.5 s
};
std::span<const double> BoundsOf(Buckets buckets);

// Kinds of objects whose labels and annotations may become labels of a metric: the setting
// metrics.customLabels. In the order in which their labels follow each other.
enum class LabelSource : uint8_t { kClusterQueue, kCohort, kLocalQueue, kWorkload };
inline constexpr size_t kLabelSourceCount = 4;

// What must be switched on for it to be served.
enum class Condition : uint8_t {
  kNothing,
  kLocalQueues,      // metrics.localQueueMetrics, gate LocalQueueMetrics
  kCohorts,          // gate MetricsForCohorts
  kResources,        // metrics.enableClusterQueueResources
  kFairShares,       // fairSharing
  kResourcesShares,  // both of these
  kUsageSharing,     // admissionFairSharing, and what kLocalQueues needs
  kUnadmitted,       // gate UnadmittedWorkloadsObservability
  kLocalUnadmitted,  // the same, and what kLocalQueues needs
  kHashes,           // gate SchedulingEquivalenceHashing
  kCreationLatency,  // gate MetricForWorkloadCreationLatency
  kConstraints,      // gate WorkloadAdmissionConstraints
};

struct MetricInfo {
  Metric metric;
  std::string_view name;
  MetricType type;
  std::string_view labels;  // names with commas between them; "replica_role" comes in addition
  std::string_view help;
  Condition condition = Condition::kNothing;
  Buckets buckets = Buckets::kNone;
  std::span<const LabelSource> sources = {};
  bool has_role = true;
};

// In the order of the enumeration.
std::span<const MetricInfo> AllMetrics();
const MetricInfo& InfoOf(Metric metric);
std::vector<std::string_view> LabelsOf(const MetricInfo& info);

std::string_view ToString(MetricType type);  // "counter"
// What it takes, in words; "" if nothing.
std::string_view ToString(Condition condition);

}  // namespace berth::observe
