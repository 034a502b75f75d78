#pragma once

// What the Configuration says about metrics. A value, made once.

#include <array>
#include <bitset>
#include <string>
#include <string_view>
#include <vector>

#include "api/configuration.h"
#include "api/feature_gates.h"
#include "api/meta.h"
#include "api/selector.h"
#include "observe/metric.h"

namespace berth::observe {

// Stands for values that a custom label does not track.
inline constexpr std::string_view kUntrackedValue = "kueue.x-k8s.io/_UNTRACKED_VALUE_";

class MetricOptions {
 public:
  MetricOptions() = default;
  // `configuration` with its defaults.
  static MetricOptions From(const api::Configuration& configuration,
                            const api::FeatureGates& gates);

  bool IsOn(Metric metric) const { return on_[static_cast<size_t>(metric)]; }
  // Of a LocalQueue with these labels.
  bool IsExposed(const api::Labels& labels) const { return local_queues_.Matches(labels); }
  double WeightOf(std::string_view resource) const;

  // The names of the custom labels of a metric: "custom_team".
  std::vector<std::string> CustomNames(const MetricInfo& info) const;
  // Their values from one object, null if there is none: then all are "".
  void AppendCustom(LabelSource source, const api::ObjectMeta* object,
                    std::vector<std::string>& labels) const;
  bool HasCustom(LabelSource source) const { return !custom_[static_cast<size_t>(source)].empty(); }

 private:
  std::bitset<kMetricCount> on_;
  api::Selector local_queues_;  // nothing, where they have no metrics
  base::FlatMap<double> weights_;
  std::array<std::vector<api::CustomLabelSettings>, kLabelSourceCount> custom_;
};

}  // namespace berth::observe
