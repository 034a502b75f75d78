#pragma once

#include <string>

#include "api/meta/selector.h"
#include "control/reconcile/job_plan.h"
#include "control/reconcile/workload_owners.h"
#include "control/report/controller_event.h"
#include "control/write/event_recorder.h"
#include "control/write/workload_writer.h"
#include "jobs/managed.h"
#include "jobs/priority.h"
#include "workload/state/cluster_state.h"

namespace berth::control {

// State of the controller that its parts share. References must outlive the parts.
struct ControllerContext {
  const workload::ClusterState& cluster;
  WorkloadWriter& workloads;
  const WorkloadOwners& owners;
  EventRecorder& events;
  const JobPolicy& policy;
  const jobs::ManagedJobsPolicy& managed;
  const jobs::PriorityTable& priorities;

  const api::Labels& LabelsOf(const std::string& namespace_name) const {
    static const api::Labels kNone;
    const api::Labels* labels = cluster.FindNamespaceLabels(namespace_name);
    return labels == nullptr ? kNone : *labels;
  }
};

}  // namespace berth::control
