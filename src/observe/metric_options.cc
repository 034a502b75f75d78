#include "observe/metric_options.h"

#include <algorithm>

namespace berth::observe {
namespace {

using api::Gate;

bool HasLocalQueueMetrics(const api::Configuration& configuration, const api::FeatureGates& gates) {
  const auto& settings = configuration.metrics.local_queue_metrics;
  return gates.IsOn(Gate::kLocalQueueMetrics) && (!settings || settings->enable);
}

bool IsMet(Condition condition, const api::Configuration& configuration,
           const api::FeatureGates& gates) {
  const bool has_local = HasLocalQueueMetrics(configuration, gates);
  const bool has_resources = configuration.metrics.enable_cluster_queue_resources;
  switch (condition) {
    case Condition::kNothing:
      return true;
    case Condition::kLocalQueues:
      return has_local;
    case Condition::kCohorts:
      return gates.IsOn(Gate::kMetricsForCohorts);
    case Condition::kResources:
      return has_resources;
    case Condition::kFairShares:
      return configuration.fair_sharing.has_value();
    case Condition::kResourcesShares:
      return has_resources && configuration.fair_sharing;
    case Condition::kUsageSharing:
      return has_local && configuration.admission_fair_sharing &&
             gates.IsOn(Gate::kAdmissionFairSharing);
    case Condition::kUnadmitted:
      return gates.IsOn(Gate::kUnadmittedWorkloadsObservability);
    case Condition::kLocalUnadmitted:
      return has_local && gates.IsOn(Gate::kUnadmittedWorkloadsObservability);
    case Condition::kHashes:
      return gates.IsOn(Gate::kSchedulingEquivalenceHashing);
    case Condition::kCreationLatency:
      return gates.IsOn(Gate::kMetricForWorkloadCreationLatency);
    case Condition::kConstraints:
      return gates.IsOn(Gate::kWorkloadAdmissionConstraints);
  }
  return false;
}

LabelSource SourceOf(const api::CustomLabelSettings& label) {
  const std::string_view kind =
      label.source_kind ? std::string_view(*label.source_kind) : api::kLabelSourceClusterQueue;
  if (kind == api::kLabelSourceCohort) return LabelSource::kCohort;
  if (kind == api::kLabelSourceLocalQueue) return LabelSource::kLocalQueue;
  return kind == api::kLabelSourceWorkload ? LabelSource::kWorkload : LabelSource::kClusterQueue;
}

std::string ValueOf(const api::CustomLabelSettings& label, const api::ObjectMeta& object) {
  const std::string* found =
      !label.source_annotation_key.empty() ? object.annotations.Find(label.source_annotation_key)
      : !label.source_label_key.empty()    ? object.labels.Find(label.source_label_key)
                                           : object.labels.Find(label.name);
  const std::string value = found == nullptr ? "" : *found;
  const bool is_tracked =
      label.tracked_values.empty() ||
      std::ranges::find(label.tracked_values, value) != label.tracked_values.end();
  return is_tracked ? value : std::string(kUntrackedValue);
}

}  // namespace

MetricOptions MetricOptions::From(const api::Configuration& configuration,
                                  const api::FeatureGates& gates) {
  MetricOptions options;
  for (const MetricInfo& info : AllMetrics())
    options.on_[static_cast<size_t>(info.metric)] = IsMet(info.condition, configuration, gates);
  if (HasLocalQueueMetrics(configuration, gates)) {
    const auto& settings = configuration.metrics.local_queue_metrics;
    options.local_queues_ = settings && settings->local_queue_selector
                                ? api::Selector::Compile(*settings->local_queue_selector)
                                      .value_or(api::Selector::Everything())
                                : api::Selector::Everything();
  }
  if (configuration.admission_fair_sharing)
    options.weights_ = configuration.admission_fair_sharing->resource_weights;
  if (gates.IsOn(Gate::kCustomMetricLabels))
    for (const api::CustomLabelSettings& label : configuration.metrics.custom_labels)
      options.custom_[static_cast<size_t>(SourceOf(label))].push_back(label);
  return options;
}

double MetricOptions::WeightOf(std::string_view resource) const {
  const double* weight = weights_.Find(resource);
  return weight == nullptr ? 1 : *weight;
}

std::vector<std::string> MetricOptions::CustomNames(const MetricInfo& info) const {
  std::vector<std::string> names;
  for (const LabelSource source : info.sources)
    for (const api::CustomLabelSettings& label : custom_[static_cast<size_t>(source)])
      names.push_back("custom_" + label.name);
  return names;
}

void MetricOptions::AppendCustom(LabelSource source, const api::ObjectMeta* object,
                                 std::vector<std::string>& labels) const {
  for (const api::CustomLabelSettings& label : custom_[static_cast<size_t>(source)])
    labels.push_back(object == nullptr ? "" : ValueOf(label, *object));
}

}  // namespace berth::observe
