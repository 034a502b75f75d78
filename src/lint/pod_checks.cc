#include "lint/checks.h"
#include "lint/queued_job.h"

namespace berth::lint {

void CheckPods(const Catalog& catalog, Report& report) {
  for (const QueuedJob& job : QueuedJobs(catalog)) {
    for (const PodSetAt& pods : job.pod_sets) {
      if (!pods.pod_set.template_.spec.containers.empty()) continue;
      const std::string field = pods.ContainersField();
      if (report.HasErrors(*job.entry)) continue;  // it says so already, or is broken anyway
      report.Error(*job.entry, "required",
                   {.field = field, .message = "a pod needs at least one container"});
    }
  }
}

}  // namespace berth::lint
