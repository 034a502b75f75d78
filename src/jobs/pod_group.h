#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/pod.h"
#include "api/problem_report.h"
#include "api/workload.h"
#include "base/error.h"
#include "base/time.h"
#include "jobs/job_rules.h"
#include "jobs/job_state.h"
#include "jobs/pod_set_info.h"
#include "jobs/priority.h"
#include "jobs/workload_for.h"

// Pods that wait as one job: a group has a name, a size that all its members tell, and one Workload
// of the same name. Pods of one role (those that ask for the same) are one pod set, named after a
// hash of what they ask for.
//
// A group outlives its pods: one that failed can be replaced by a new pod of the same role, whose
// place in the Workload it takes. Pods beyond the size, the youngest first, are deleted.
namespace berth::jobs {

// "" if it has none of that key.
std::string AnnotationOf(const api::ObjectMeta& metadata, std::string_view key);
const Integration& PodIntegration();

// --- Single pods -------------------------------------------------------------------------------

// "" if the pod is in no group.
std::string PodGroupName(const api::ObjectMeta& metadata, bool reads_annotations);

// The annotation that the webhook has set, or the hash of what the pod asks for: eight hexadecimal
// digits of the SHA-256 of its shape, as Kueue computes it.
std::string RoleHashOf(const api::Pod& pod);
std::string ComputeRoleHash(const api::PodSpec& spec);

bool IsGated(const api::Pod& pod);
bool IsEnded(const api::Pod& pod);  // succeeded or failed
// Runs, has succeeded, or may run one day: not failed, and not deleted before it got a node.
bool IsRunnable(const api::Pod& pod);
// Says that no pod of its group is to be replaced once it has failed.
bool IsUnretriable(const api::Pod& pod);

// --- The group ---------------------------------------------------------------------------------

struct PodGroup {
  std::string name;
  std::vector<api::Pod> pods;  // all of that group and namespace

  // Members share it or are wrong; that of the first counts. Nullopt if it is no number above 0.
  std::optional<int32_t> TotalCount() const;
  bool IsServing() const;       // never ends, as the pods of StatefulSets
  bool IsFastAdmitted() const;  // need not be complete to be admitted
};

// Ends when all pods have succeeded or, if one of them says that none is to be retried, when none
// runs any more. A group that serves does not end.
std::optional<JobEnd> GroupFinished(const PodGroup& group);
bool GroupPodsReady(const PodGroup& group);
// Whether a pod runs. One whose time to terminate is over counts no more: its node may be lost.
// `releases_at_once` (gate FastQuotaReleaseInPodIntegration): as soon as it is deleted.
bool IsGroupActive(const PodGroup& group, base::Time now, bool releases_at_once);
// Held back: one of its pods is gated or has ended.
bool IsGroupSuspended(const PodGroup& group);
std::vector<api::ReclaimablePod> GroupReclaimablePods(const PodGroup& group);

// Pods that are to be removed from a group, and what is left of it.
struct GroupCleanUp {
  std::vector<api::Pod> kept;
  std::vector<api::Pod> excess;    // to be let go and deleted
  std::vector<api::Pod> replaced;  // ended, to be let go
  int32_t absent = 0;              // pods that the Workload has quota for and nobody is
};

// Why a group has no Workload yet. What waits for more pods is no error.
struct GroupProblem {
  base::Error error;
  bool is_waiting = false;
};

struct ComposedGroup {
  api::Workload workload;
  GroupCleanUp clean_up;
};

// The Workload of a group: as many pods as its size says, agreeing in queue, size and admission
// constraints; at most eight roles. All its pods own it.
std::expected<ComposedGroup, GroupProblem> ComposeGroup(const PodGroup& group,
                                                        const PriorityTable& priorities,
                                                        const WorkloadOptions& options);

// What is to be done with the pods of a group that has a Workload. Nullopt if the Workload is not
// that of the group any more: of another name or time limit, or of none of its roles. Pods of roles
// that it does not have are left as they are.
std::optional<GroupCleanUp> MatchGroup(const PodGroup& group, const api::Workload& workload,
                                       base::Time now, const WorkloadOptions& options);

// Whether a Workload that was not made from the pods, but before them or for their owner, has room
// for all that can run.
bool HasRoomForGroup(const PodGroup& group, const api::Workload& workload);

// Owners that the Workload lacks.
std::vector<api::OwnerReference> MissingOwners(const PodGroup& group,
                                               const api::Workload& workload);

// The condition WaitingForReplacementPods, if it must be set or changed. Reason and message are
// those of an eviction, if there is one.
std::optional<api::Condition> ReplacementCondition(const api::Workload& workload, int32_t absent,
                                                   base::Time now);

// The pod set that a pod of a group starts with; null if its role has none.
const PodSetInfo* FindInfo(const api::Pod& pod, const std::vector<PodSetInfo>& infos);

// Opens the gate: what the admission gives is added to the pod, and the gates that held it back are
// gone (that of topology stays where one was assigned).
std::expected<json::value, StartFailure> StartPod(const json::value& pod, const PodSetInfo& info,
                                                  const StartOptions& options);

// --- Rules -------------------------------------------------------------------------------------

// What a pod may not say of its group.
void ValidatePodGroupMember(const api::ObjectMeta& metadata, const JobRules& rules,
                            api::ProblemReport& report);
// And not change: its group, and from never retried to retried.
void ValidatePodGroupChange(const api::ObjectMeta& old_metadata, const api::ObjectMeta& metadata,
                            const JobRules& rules, api::ProblemReport& report);

}  // namespace berth::jobs
