#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "jobs/integration.h"
#include "jobs/pods/pod_set_info.h"
#include "jobs/pods/pod_sets.h"
#include "json/path.h"

// Starting and stopping of jobs. Pure: returns the object states to write, in order.
namespace berth::jobs {

struct JobWrite {
  json::value object;
  bool is_status = false;  // writes the status subresource

  friend bool operator==(const JobWrite&, const JobWrite&) = default;
};

// Clears the suspend flag and injects node selectors, tolerations, labels, annotations, gates and
// counts of the admission into the templates. Existing values are never changed; a conflict is a
// permanent failure, as is an admission with other pod sets than the job's.
std::expected<std::vector<JobWrite>, StartFailure> StartJob(const Integration& integration,
                                                            const json::value& job,
                                                            const std::vector<JobPodSet>& pod_sets,
                                                            const std::vector<PodSetInfo>& infos,
                                                            const StartOptions& options);

struct StopPlan {
  std::vector<JobWrite> writes;
  // The job is suspended and restored; an event Stopped is due if it was running. Otherwise its
  // pods must terminate first: plan again then.
  bool is_complete = true;
  bool stops_now = false;
};

// Sets the suspend flag and restores templates and counts from `infos` (the Workload's pod sets;
// empty if there is no Workload). Labels set by the job's controller are kept. For kinds that stop
// in two steps, templates are restored after the pods are gone; until then an annotation marks the
// job as not suspended. An elastic job does not wait for its pods.
StopPlan StopJob(const Integration& integration, const json::value& job,
                 const std::vector<JobPodSet>& pod_sets, const std::vector<PodSetInfo>& infos,
                 bool is_elastic = false);

// Sets the suspend flag only, for new jobs.
void Suspend(const Integration& integration, json::value& job);

// The RFC 7386 merge patch from `before` to `after`. Lists are replaced as a whole. An empty object
// if they are equal.
json::value MergePatchBetween(const json::value& before, const json::value& after);

}  // namespace berth::jobs
