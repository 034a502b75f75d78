#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "jobs/integration.h"
#include "jobs/path.h"
#include "jobs/pod_set_info.h"
#include "jobs/pod_sets.h"

// Letting a job run, and holding it back again. Nothing is written here: what comes out are the
// states that the object is to go through, each a write, one after the other.
namespace berth::jobs {

struct JobWrite {
  json::value object;
  bool is_status = false;  // a write of the status

  friend bool operator==(const JobWrite&, const JobWrite&) = default;
};

// Suspend flag off; node selectors, tolerations, labels, annotations, gates and counts of the
// admission in the templates. What is in a template may not change, only be added to; a
// contradiction is permanent, and so is an admission of other pod sets than the job's.
std::expected<std::vector<JobWrite>, StartFailure> StartJob(const Integration& integration,
                                                            const json::value& job,
                                                            const std::vector<JobPodSet>& pod_sets,
                                                            const std::vector<PodSetInfo>& infos,
                                                            const StartOptions& options);

struct StopPlan {
  std::vector<JobWrite> writes;
  // The job is held back and as it was; an event Stopped is due if it was not before. Otherwise its
  // pods must go first: plan again then.
  bool is_complete = true;
  bool stops_now = false;
};

// Suspend flag on, and templates and counts as they are in `infos` (of the Workload's pod sets;
// none if there is no Workload). Labels that the job's own controller has set stay. Where a kind
// stops in steps, templates are restored when the pods are gone; until then an annotation keeps the
// job from counting as suspended.
StopPlan StopJob(const Integration& integration, const json::value& job,
                 const std::vector<JobPodSet>& pod_sets, const std::vector<PodSetInfo>& infos);

// Just the flag: for a new job that must wait.
void Suspend(const Integration& integration, json::value& job);

// RFC 7386: what makes `after` of `before`. Lists are replaced as a whole. An empty object if they
// are equal.
json::value MergePatchBetween(const json::value& before, const json::value& after);

}  // namespace berth::jobs
