#pragma once

// What `delete workload` deletes: the jobs that own the Workload, with which it goes, or the
// Workload itself if no job owns it.

#include <span>
#include <string>
#include <vector>

#include "api/kueue/workload.h"
#include "base/error.h"
#include "ctl/dry_run.h"
#include "ctl/kinds.h"
#include "store/object.h"

namespace berth::ctl {

struct WorkloadDeletion {
  struct Target {
    store::Resource resource;
    store::ObjectName name;

    // "jobs.batch/train"
    std::string ToString() const;
  };
  store::ObjectName workload;
  std::vector<Target> jobs;
};

// Finds the kinds of the owners.
base::Result<WorkloadDeletion> PlanDeletion(Cluster& cluster, const api::Workload& workload);

// The question before jobs are deleted: it lists them. "" if there are none.
std::string ConfirmationOf(std::span<const WorkloadDeletion> deletions);

// "jobs.batch/train deleted (client dry run)\n"
std::string DeletedLine(const std::string& target, DryRun dry_run);

}  // namespace berth::ctl
