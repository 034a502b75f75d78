// Helpers common to all metrics.

#include "observe/metric.h"

#include <algorithm>
#include <array>

namespace berth::observe {
namespace {

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
    case Buckets::kDefault:
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
  return type == MetricType::kCounter ? "counter"
         : type == MetricType::kGauge ? "gauge"
                                      : "histogram";
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
