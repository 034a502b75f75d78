#include "lint/queued_job.h"

#include <algorithm>
#include <charconv>

#include "api/apps/deployment.h"
#include "api/apps/replica_set.h"
#include "api/apps/stateful_set.h"
#include "api/batch/cron_job.h"
#include "api/batch/job.h"
#include "api/core/pod.h"
#include "api/kueue/local_queue.h"
#include "api/kueue/rules/admission_constraint_rules.h"
#include "api/kueue/well_known.h"
#include "api/kueue/workload.h"

namespace berth::lint {
namespace {

PodSetAt OnePodSet(const api::PodTemplateSpec& pods, int32_t count, std::string field) {
  return {.pod_set = {.name = std::string(api::kDefaultPodSetName),
                      .template_ = pods,
                      .count = count,
                      .min_count = {},
                      .topology_request = {},
                      .extra = {}},
          .template_field = std::move(field)};
}

// The annotation for partial admission of a Job.
int32_t MinParallelism(const api::ObjectMeta& metadata, int32_t parallelism) {
  const std::string* text = metadata.annotations.Find(api::kMinParallelismAnnotation);
  if (text == nullptr) return parallelism;
  int32_t least = 0;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), least);
  const bool is_number = error == std::errc() && end == text->data() + text->size();
  return is_number && least > 0 ? std::min(least, parallelism) : parallelism;
}

PodSetAt PodSetOfJob(const api::JobSpec& spec, const api::ObjectMeta& metadata, std::string field) {
  int32_t count = spec.parallelism.value_or(1);
  if (spec.completions) count = std::min(count, *spec.completions);
  return OnePodSet(spec.template_, MinParallelism(metadata, count), std::move(field));
}

std::vector<PodSetAt> PodSetsOfWorkload(const api::WorkloadSpec& spec) {
  std::vector<PodSetAt> pod_sets;
  for (size_t i = 0; i < spec.pod_sets.size(); ++i) {
    const std::string field = "spec.podSets[" + std::to_string(i) + "].template";
    PodSetAt& at = pod_sets.emplace_back(spec.pod_sets[i], field);
    if (at.pod_set.min_count) at.pod_set.count = at.pod_set.min_count;
  }
  return pod_sets;
}

std::vector<PodSetAt> PodSetsOf(const api::Object& object) {
  constexpr std::string_view kTemplate = "spec.template";
  const std::string field(kTemplate);
  if (const auto* job = object.As<api::Job>())
    return {PodSetOfJob(job->spec, job->metadata, field)};
  if (const auto* pod = object.As<api::Pod>())
    return {OnePodSet({.metadata = pod->metadata, .spec = pod->spec, .extra = {}}, 1, {})};
  if (const auto* set = object.As<api::StatefulSet>())
    return {OnePodSet(set->spec.template_, set->spec.replicas.value_or(1), field)};
  if (const auto* deployment = object.As<api::Deployment>())
    return {OnePodSet(deployment->spec.template_, 1, field)};
  return {};
}

std::optional<QueuedJob> JobWithLabel(const Entry& entry) {
  QueuedJob job{.entry = &entry, .labelled = &entry.metadata(), .labelled_field = "metadata"};
  const auto* cron = entry.object ? entry.object->As<api::CronJob>() : nullptr;
  if (cron != nullptr) {
    job.labelled = &cron->spec.job_template.metadata;
    job.labelled_field = "spec.jobTemplate.metadata";
  }
  const std::string* queue = job.labelled->labels.Find(api::kQueueNameLabel);
  if (queue == nullptr) return std::nullopt;
  job.queue = *queue;
  job.queue_field = job.labelled_field + ".labels[" + std::string(api::kQueueNameLabel) + "]";
  if (cron != nullptr) {
    job.pod_sets.push_back(
        PodSetOfJob(cron->spec.job_template.spec, *job.labelled, "spec.jobTemplate.spec.template"));
  } else if (entry.object) {
    job.pod_sets = PodSetsOf(*entry.object);
  }
  return job;
}

}  // namespace

std::vector<QueuedJob> QueuedJobs(const Catalog& catalog) {
  std::vector<QueuedJob> jobs;
  for (const Entry& entry : catalog.entries()) {
    const auto* workload = entry.object ? entry.object->As<api::Workload>() : nullptr;
    if (workload != nullptr) {
      jobs.push_back({.entry = &entry,
                      .labelled = &entry.metadata(),
                      .labelled_field = "metadata",
                      .queue = workload->spec.queue_name.value_or(""),
                      .queue_field = "spec.queueName",
                      .pod_sets = PodSetsOfWorkload(workload->spec)});
    } else if (std::optional<QueuedJob> job = JobWithLabel(entry)) {
      jobs.push_back(*std::move(job));
    }
  }
  return jobs;
}

bool QueuedJob::CannotBorrow() const {
  const auto* workload = entry->object ? entry->object->As<api::Workload>() : nullptr;
  const std::optional<api::AdmissionConstraints> constraints =
      workload != nullptr ? api::ConstraintsOf(*workload)
                          : api::ConstraintsOf(labelled->annotations);
  return constraints && constraints->borrowing.has_value();
}

const Entry* FindLocalQueue(const Catalog& catalog, std::string_view namespace_,
                            std::string_view name) {
  for (const Entry* queue : catalog.All(api::LocalQueue::KindInfo())) {
    const api::ObjectMeta& metadata = queue->metadata();
    if (metadata.name != name) continue;
    if (namespace_.empty() || metadata.namespace_.empty() || metadata.namespace_ == namespace_)
      return queue;
  }
  return nullptr;
}

}  // namespace berth::lint
