#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/core/pod.h"
#include "api/kueue/workload.h"
#include "api/meta/problem_report.h"
#include "base/error.h"
#include "base/time.h"
#include "jobs/job_state.h"
#include "jobs/pods/pod_set_info.h"
#include "jobs/priority.h"
#include "jobs/rules/job_rules.h"
#include "jobs/workload_for.h"

// Pods queued as one job: a group has a name, a size stated by all members, and one Workload of the
// same name. Pods of the same role (equal requests) form a pod set, named after a hash of the role.
//
// A group outlives its pods: a failed pod can be replaced by a new pod of the same role, which
// takes its place in the Workload. Excess pods are deleted, the youngest first.
namespace berth::jobs {

// "" if absent.
std::string AnnotationOf(const api::ObjectMeta& metadata, std::string_view key);
const Integration& PodIntegration();

// --- Single pods -------------------------------------------------------------------------------

// "" if the pod is not in a group.
std::string PodGroupName(const api::ObjectMeta& metadata, bool reads_annotations);

// The role hash: the annotation set by the webhook, or eight hexadecimal digits of the SHA-256 of
// the pod's shape, computed as in Kueue.
std::string RoleHashOf(const api::Pod& pod);
std::string ComputeRoleHash(const api::PodSpec& spec);

bool IsGated(const api::Pod& pod);
bool IsEnded(const api::Pod& pod);  // succeeded or failed
// Running, succeeded, or able to run: not failed, and not deleted before it was scheduled.
bool IsRunnable(const api::Pod& pod);
// Whether the pod forbids replacement of failed pods in its group.
bool IsUnretriable(const api::Pod& pod);

// --- The group ---------------------------------------------------------------------------------

struct PodGroup {
  std::string name;
  std::vector<api::Pod> pods;  // all of that group and namespace

  // The size stated by the first member. Nullopt if it is not a positive number.
  std::optional<int32_t> TotalCount() const;
  bool IsServing() const;       // never finishes, like the pods of StatefulSets
  bool IsFastAdmitted() const;  // admitted before it is complete
};

// Finishes when all pods have succeeded or, if a pod is unretriable, when no pod runs any more. A
// serving group does not finish.
std::optional<JobEnd> GroupFinished(const PodGroup& group);
bool GroupPodsReady(const PodGroup& group);
// Whether a pod runs. A pod past its termination grace period does not count: its node may be lost.
// With `releases_at_once` (gate FastQuotaReleaseInPodIntegration), neither does a deleted one.
bool IsGroupActive(const PodGroup& group, base::Time now, bool releases_at_once);
// Whether a pod is gated or terminated.
bool IsGroupSuspended(const PodGroup& group);
std::vector<api::ReclaimablePod> GroupReclaimablePods(const PodGroup& group);

// Pods to remove from a group, and the remaining ones.
struct GroupCleanUp {
  std::vector<api::Pod> kept;
  std::vector<api::Pod> excess;    // to be finalized and deleted
  std::vector<api::Pod> replaced;  // terminated, to be finalized
  int32_t absent = 0;              // pods missing from the Workload's count
};

// The reason why a group has no Workload yet. Waiting for more pods is not an error.
struct GroupProblem {
  base::Error error;
  bool is_waiting = false;
};

struct ComposedGroup {
  api::Workload workload;
  GroupCleanUp clean_up;
};

// The Workload of a group. Requires all pods of the group, equal queue, size and admission
// constraints, and at most kMaxPodSets roles. All pods own it.
std::expected<ComposedGroup, GroupProblem> ComposeGroup(const PodGroup& group,
                                                        const PriorityTable& priorities,
                                                        const WorkloadOptions& options);

// Matches the pods of a group with its Workload. Nullopt if the Workload no longer fits: its name
// or maximum execution time differs, or it has none of the roles. Pods of unknown roles are
// ignored.
std::optional<GroupCleanUp> MatchGroup(const PodGroup& group, const api::Workload& workload,
                                       base::Time now, const WorkloadOptions& options);

// Whether a Workload not created from the pods, but before them or for their owner, has room for
// all runnable pods.
bool HasRoomForGroup(const PodGroup& group, const api::Workload& workload);

// Owner references that the Workload lacks.
std::vector<api::OwnerReference> MissingOwners(const PodGroup& group,
                                               const api::Workload& workload);

// The condition WaitingForReplacementPods if it must be set or changed. Reason and message are
// those of an eviction, if any.
std::optional<api::Condition> ReplacementCondition(const api::Workload& workload, int32_t absent,
                                                   base::Time now);

// The pod set of a pod of a group; null if its role has none.
const PodSetInfo* FindInfo(const api::Pod& pod, const std::vector<PodSetInfo>& infos);

// Ungates a pod: injects the admission and removes its scheduling gates (the topology gate stays if
// topology was assigned).
std::expected<json::value, StartFailure> StartPod(const json::value& pod, const PodSetInfo& info,
                                                  const StartOptions& options);

// --- Rules -------------------------------------------------------------------------------------

// Validates the group labels and annotations of a pod.
void ValidatePodGroupMember(const api::ObjectMeta& metadata, const JobRules& rules,
                            api::ProblemReport& report);
// Validates their changes: the group is immutable, and an unretriable pod stays unretriable.
void ValidatePodGroupChange(const api::ObjectMeta& old_metadata, const api::ObjectMeta& metadata,
                            const JobRules& rules, api::ProblemReport& report);

}  // namespace berth::jobs
