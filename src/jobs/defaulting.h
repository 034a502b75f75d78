#pragma once

#include <functional>
#include <span>
#include <string_view>

#include "api/config/feature_gates.h"
#include "jobs/integration.h"
#include "jobs/managed.h"
#include "json/path.h"

// Defaulting of created jobs by the webhook: default queue, default priority class, suspension of
// managed jobs, and kind-specific fields.
namespace berth::jobs {

struct DefaultingContext {
  const ManagedJobsPolicy* policy = nullptr;
  const api::Labels* namespace_labels = nullptr;
  std::span<const ObjectView> owners;  // as for IsManaged
  api::FeatureGates gates;
  bool has_default_queue = false;           // a LocalQueue "default" in the namespace
  bool has_default_priority_class = false;  // a WorkloadPriorityClass "default"
  // Whether the LocalQueue of this name leads to a ClusterQueue with MultiKueue. May be empty: none
  // does.
  std::function<bool(std::string_view queue)> is_multi_kueue;
};

// Applies, in this order:
//   1. The queue "default" to a job without a queue if the selectors match its namespace and its
//      controller is not of a managed kind.
//   2. The priority class "default" to a job without one, under its gate and the same owner rule.
//   3. Suspension if the job, with these defaults, is managed (IsManaged). Serving kinds get marks
//   in
//      their templates, pods their gates, finalizer and role.
//   4. managedBy, if the job runs in another cluster.
//   5. Conversion of fractional requests and limits to strings, for unmanaged jobs too.
// A job that is being deleted is not suspended. Returns the answer of IsManaged as well.
struct DefaultedJob {
  json::value job;
  ManagedAnswer managed;
};
base::Result<DefaultedJob> ApplyJobDefaults(const Integration& integration, const json::value& job,
                                            const DefaultingContext& context);

}  // namespace berth::jobs
