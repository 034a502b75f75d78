#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "observe/metric_options.h"
#include "observe/sample.h"
#include "workload/state/cluster_state.h"

namespace berth::observe {

// The objects whose labels may become labels of a sample; null if absent.
struct LabelObjects {
  const api::ObjectMeta* cluster_queue = nullptr;
  const api::ObjectMeta* cohort = nullptr;
  const api::ObjectMeta* local_queue = nullptr;
  const api::ObjectMeta* workload = nullptr;
  const std::vector<std::string>* workload_values = nullptr;  // precomputed values
};

// Collects samples: drops those of disabled metrics and adds custom labels.
class Labeler {
 public:
  explicit Labeler(const MetricOptions& options) : options_(options) {}

  void Add(Metric metric, std::initializer_list<std::string_view> labels, double value,
           const LabelObjects& objects);

  std::vector<Sample> Take() { return std::move(samples_); }

 private:
  const MetricOptions& options_;
  std::vector<Sample> samples_;
};

// The metadata of the object with this name; null if there is none.
const api::ObjectMeta* QueueMeta(const workload::ClusterState& cluster,
                                 std::string_view cluster_queue);
const api::ObjectMeta* CohortMeta(const workload::ClusterState& cluster, std::string_view cohort);

}  // namespace berth::observe
