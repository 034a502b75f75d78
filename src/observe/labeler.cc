#include "observe/labeler.h"

namespace berth::observe {
namespace {

const api::ObjectMeta* ObjectOf(LabelSource source, const LabelObjects& objects) {
  switch (source) {
    case LabelSource::kClusterQueue:
      return objects.cluster_queue;
    case LabelSource::kCohort:
      return objects.cohort;
    case LabelSource::kLocalQueue:
      return objects.local_queue;
    case LabelSource::kWorkload:
      return objects.workload;
  }
  return nullptr;
}

}  // namespace

void Labeler::Add(Metric metric, std::initializer_list<std::string_view> labels, double value,
                  const LabelObjects& objects) {
  if (!options_.IsOn(metric)) return;
  Sample& sample = samples_.emplace_back(
      Sample{.metric = metric, .labels = {labels.begin(), labels.end()}, .value = value});
  for (const LabelSource source : InfoOf(metric).sources) {
    if (source == LabelSource::kWorkload && objects.workload_values != nullptr) {
      sample.labels.insert(sample.labels.end(), objects.workload_values->begin(),
                           objects.workload_values->end());
    } else {
      options_.AppendCustom(source, ObjectOf(source, objects), sample.labels);
    }
  }
}

const api::ObjectMeta* QueueMeta(const workload::ClusterState& cluster,
                                 std::string_view cluster_queue) {
  const api::ClusterQueue* queue = cluster.FindClusterQueue(cluster_queue);
  return queue == nullptr ? nullptr : &queue->metadata;
}

const api::ObjectMeta* CohortMeta(const workload::ClusterState& cluster, std::string_view cohort) {
  const api::Cohort* found = cluster.FindCohort(cohort);
  return found == nullptr ? nullptr : &found->metadata;
}

}  // namespace berth::observe
