#pragma once

#include <functional>
#include <span>
#include <string_view>

#include "api/feature_gates.h"
#include "jobs/integration.h"
#include "jobs/managed.h"
#include "jobs/path.h"

// What a webhook makes of a job that is created: a queue where there is a default one, a priority
// class likewise, held back if it is managed, and readable by the definition of its kind.
namespace berth::jobs {

struct DefaultingContext {
  const ManagedJobsPolicy* policy = nullptr;
  const api::Labels* namespace_labels = nullptr;
  std::span<const ObjectView> owners;  // as for IsManaged
  api::FeatureGates gates;
  bool has_default_queue = false;           // a LocalQueue "default" in the namespace
  bool has_default_priority_class = false;  // a WorkloadPriorityClass "default"
  // Whether the ClusterQueue of the namespace's LocalQueue of this name sends jobs to other
  // clusters. May be empty: none does.
  std::function<bool(std::string_view queue)> is_multi_kueue;
};

// In this order:
//   1. The queue "default" for a job without a queue, whose namespace the selectors match and whose
//      controller is not of a kind that is managed itself.
//   2. The priority class "default" for one without, under its gate and the same owner rule.
//   3. If the job is managed (IsManaged, of the job as it is now): suspended. Kinds that wait
//      through pods get marks in their templates, pods their gates, finalizer and role.
//   4. The controller that runs it, if that is in another cluster.
//   5. Requests and limits that are numbers with a fraction are spelled as text, whether the job is
//      managed or not.
// A job that is being deleted is not held back. The answer of IsManaged comes along.
struct DefaultedJob {
  json::value job;
  ManagedAnswer managed;
};
base::Result<DefaultedJob> ApplyJobDefaults(const Integration& integration, const json::value& job,
                                            const DefaultingContext& context);

}  // namespace berth::jobs
