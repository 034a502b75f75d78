#pragma once

// The metrics settings of the Configuration. An immutable value.

#include <array>
#include <bitset>
#include <string>
#include <string_view>
#include <vector>

#include "api/config/configuration.h"
#include "api/config/feature_gates.h"
#include "api/meta/meta.h"
#include "api/meta/selector.h"
#include "observe/metric.h"

namespace berth::observe {

// Replaces values that a custom label does not track.
inline constexpr std::string_view kUntrackedValue = "kueue.x-k8s.io/_UNTRACKED_VALUE_";

class MetricOptions {
 public:
  MetricOptions() = default;
  // `configuration` has its defaults applied.
  static MetricOptions From(const api::Configuration& configuration,
                            const api::FeatureGates& gates);

  bool IsOn(Metric metric) const { return on_[static_cast<size_t>(metric)]; }
  // True if a LocalQueue with these labels has metrics.
  bool IsExposed(const api::Labels& labels) const { return local_queues_.Matches(labels); }
  double WeightOf(std::string_view resource) const;

  // The names of a metric's custom labels: "custom_team".
  std::vector<std::string> CustomNames(const MetricInfo& info) const;
  // Appends their values from one object; all "" if it is null.
  void AppendCustom(LabelSource source, const api::ObjectMeta* object,
                    std::vector<std::string>& labels) const;
  bool HasCustom(LabelSource source) const { return !custom_[static_cast<size_t>(source)].empty(); }

 private:
  std::bitset<kMetricCount> on_;
  api::Selector local_queues_;  // matches nothing if disabled
  base::FlatMap<double> weights_;
  std::array<std::vector<api::CustomLabelSettings>, kLabelSourceCount> custom_;
};

}  // namespace berth::observe
