#pragma once

#include <map>
#include <string>

#include "api/selector.h"
#include "control/event_recorder.h"
#include "control/fact.h"
#include "control/job_plan.h"
#include "control/workload_desk.h"
#include "control/workload_owners.h"
#include "jobs/managed.h"
#include "jobs/priority.h"
#include "workload/engine_feed.h"

namespace berth::control {

// What the controller knows besides jobs and pods themselves.
struct JobWorld {
  const workload::EngineFeed& feed;
  WorkloadDesk& workloads;
  const WorkloadOwners& owners;
  EventRecorder& events;
  const JobPolicy& policy;
  const jobs::ManagedJobsPolicy& managed;
  const jobs::PriorityTable& priorities;
  const std::map<std::string, api::Labels, std::less<>>& namespaces;

  const api::Labels& LabelsOf(const std::string& namespace_name) const {
    static const api::Labels kNone;
    const auto found = namespaces.find(namespace_name);
    return found == namespaces.end() ? kNone : found->second;
  }
};

}  // namespace berth::control
