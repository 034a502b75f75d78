#include "api/core/priority_class.h"
#include "api/kueue/local_queue.h"
#include "api/kueue/well_known.h"
#include "api/kueue/workload.h"
#include "api/kueue/workload_priority_class.h"
#include "api/meta/problem_report.h"
#include "lint/checks.h"
#include "lint/queued_job.h"

namespace berth::lint {
namespace {

class JobChecker {
 public:
  JobChecker(const Catalog& catalog, Report& report) : catalog_(catalog), report_(report) {}

  void Check(const QueuedJob& job) {
    CheckQueue(job);
    CheckPriority(job);
    for (const PodSetAt& pods : job.pod_sets) CheckPodPriority(job, pods);
    if (job.entry->object) CheckWorkload(job);
  }

 private:
  void CheckQueue(const QueuedJob& job) {
    if (job.queue.empty() || catalog_.All(api::LocalQueue::KindInfo()).empty()) return;
    if (FindLocalQueue(catalog_, job.namespace_(), job.queue) != nullptr) return;
    const std::string where =
        job.namespace_().empty() ? "" : " in namespace " + api::Quoted(job.namespace_());
    report_.Warn(*job.entry, "local-queue-not-found",
                 {.field = job.queue_field,
                  .message = "LocalQueue " + api::Quoted(job.queue) + " not found" + where +
                             ": the job stays pending",
                  .hint = HintForQueue(job)});
  }

  std::string HintForQueue(const QueuedJob& job) const {
    const Entry* elsewhere = FindLocalQueue(catalog_, {}, job.queue);
    if (elsewhere == nullptr) return catalog_.Suggest(api::LocalQueue::KindInfo(), job.queue);
    return "namespace " + api::Quoted(elsewhere->metadata().namespace_) +
           " has one; a job can only use queues of its own namespace";
  }

  void CheckPriority(const QueuedJob& job) {
    const std::string* name = job.labelled->labels.Find(api::kPriorityClassLabel);
    if (name == nullptr) return;
    CheckClass(job, api::WorkloadPriorityClass::KindInfo(), *name,
               job.labelled_field + ".labels[" + std::string(api::kPriorityClassLabel) + "]");
  }

  void CheckPodPriority(const QueuedJob& job, const PodSetAt& pods) {
    const std::string& name = pods.pod_set.template_.spec.priority_class_name;
    if (name.starts_with("system-")) return;  // built into Kubernetes
    const std::string prefix = pods.template_field.empty() ? "" : pods.template_field + ".";
    CheckClass(job, api::PriorityClass::KindInfo(), name, prefix + "spec.priorityClassName");
  }

  void CheckClass(const QueuedJob& job, const schema::Kind& kind, std::string_view name,
                  std::string field) {
    if (name.empty() || !catalog_.IsMissing(kind, name)) return;
    report_.Warn(*job.entry, "priority-class-not-found",
                 {.field = std::move(field),
                  .message = std::string(kind.kind) + " " + api::Quoted(name) + " not found",
                  .hint = catalog_.Suggest(kind, name)});
  }

  // Fields of Workloads that are annotations of jobs.
  void CheckWorkload(const QueuedJob& job) {
    const auto* workload = job.entry->object->As<api::Workload>();
    if (workload == nullptr) return;
    if (const auto& ref = workload->spec.priority_class_ref) {
      const bool is_pod_class = ref->kind == api::kPriorityClassKind;
      CheckClass(
          job,
          is_pod_class ? api::PriorityClass::KindInfo() : api::WorkloadPriorityClass::KindInfo(),
          ref->name, "spec.priorityClassRef.name");
    }
  }

  const Catalog& catalog_;
  Report& report_;
};

}  // namespace

void CheckJobReferences(const Catalog& catalog, Report& report) {
  JobChecker checker(catalog, report);
  for (const QueuedJob& job : QueuedJobs(catalog)) checker.Check(job);
}

}  // namespace berth::lint
