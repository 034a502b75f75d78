#include <algorithm>
#include <map>

#include "api/kueue/rules/admission_constraint_rules.h"
#include "api/kueue/well_known.h"
#include "api/meta/conditions.h"
#include "api/meta/finalizers.h"
#include "api/meta/problem_report.h"
#include "jobs/integration_set.h"
#include "jobs/managed.h"
#include "jobs/pods/pod_group.h"

// Selects the pods of a group that count, and composes their Workload.
namespace berth::jobs {
namespace {

// Kueue's finalizer has the name of its label.
constexpr std::string_view kPodFinalizer = api::kManagedLabel;

bool HasFinalizer(const api::Pod& pod) { return api::HasFinalizer(pod.metadata, kPodFinalizer); }

std::optional<int32_t> CountIn(const api::Pod& pod) {
  return PodGroup{.name = {}, .pods = {pod}}.TotalCount();
}

// --- Which pods to keep ------------------------------------------------------------------------

base::Time CreationOf(const api::Pod& pod) {
  return pod.metadata.creation_timestamp.value_or(base::Time());
}

// Order of precedence for keeping pods: with finalizer, ungated, oldest.
bool HasPrecedence(const api::Pod& a, const api::Pod& b) {
  if (HasFinalizer(a) != HasFinalizer(b)) return HasFinalizer(a);
  if (IsGated(a) != IsGated(b)) return IsGated(b);
  if (CreationOf(a) != CreationOf(b)) return CreationOf(a) < CreationOf(b);
  return a.metadata.name < b.metadata.name;
}

// The time at which a terminated pod was last active.
base::Time LastActive(const api::Pod& pod, base::Time now) {
  base::Time last = now;
  const auto ready =
      std::ranges::find(pod.status.conditions, "ContainersReady", &api::CoreCondition::type);
  if (ready != pod.status.conditions.end() && ready->status == api::kConditionFalse &&
      ready->reason == "PodFailed" && ready->last_transition_time)
    last = *ready->last_transition_time;
  return std::min(last, pod.metadata.deletion_timestamp.value_or(now));
}

struct KeepInactiveBefore {
  base::Time now;

  bool operator()(const api::Pod& a, const api::Pod& b) const {
    if (HasFinalizer(a) != HasFinalizer(b)) return HasFinalizer(a);
    const base::Time x = LastActive(a, now);
    const base::Time y = LastActive(b, now);
    if (x != y) return x > y;
    if (CreationOf(a) != CreationOf(b)) return CreationOf(a) < CreationOf(b);
    return a.metadata.name < b.metadata.name;
  }
};

// Removes and returns all but the first `count` pods.
std::vector<api::Pod> SplitOff(std::vector<api::Pod>& pods, size_t count) {
  if (pods.size() <= count) return {};
  const auto begin = pods.begin() + static_cast<std::ptrdiff_t>(count);
  std::vector<api::Pod> rest(std::make_move_iterator(begin), std::make_move_iterator(pods.end()));
  pods.erase(begin, pods.end());
  return rest;
}

void Append(std::vector<api::Pod> more, std::vector<api::Pod>& all) {
  std::ranges::move(more, std::back_inserter(all));
}

std::vector<api::Pod> Pick(const std::vector<api::Pod>& pods, const auto& is_picked) {
  std::vector<api::Pod> picked;
  std::ranges::copy_if(pods, std::back_inserter(picked), is_picked);
  return picked;
}

// --- From pods to pod sets ---------------------------------------------------------------------

base::Result<api::PodSet> PodSetFor(const api::Pod& pod, std::string name,
                                    const PodSetOptions& options) {
  api::PodSet set;
  set.name = std::move(name);
  set.count = 1;
  set.template_.spec = pod.spec;
  const auto request =
      TopologyRequest(pod.metadata.annotations,
                      {.pod_index_label = std::string(api::kPodGroupPodIndexLabel)}, options);
  if (!request) return std::unexpected(request.error());
  set.topology_request = *request;
  DropRepeatedVariables(set.template_.spec);
  return set;
}

// Pod sets by role, ordered by name.
base::Result<std::vector<api::PodSet>> SetsByRole(const std::vector<api::Pod>& pods,
                                                  const PodSetOptions& options) {
  std::map<std::string, api::PodSet> roles;
  for (const api::Pod& pod : pods) {
    if (!IsRunnable(pod)) continue;
    const std::string role = RoleHashOf(pod);
    const auto known = roles.find(role);
    if (known != roles.end()) {
      known->second.count = *known->second.count + 1;
      continue;
    }
    auto set = PodSetFor(pod, role, options);
    if (!set) return std::unexpected(set.error());
    roles.emplace(role, *std::move(set));
  }
  std::vector<api::PodSet> sets;
  for (auto& [role, set] : roles) sets.push_back(std::move(set));
  return sets;
}

base::Result<std::vector<api::PodSet>> GroupPodSets(const PodGroup& group,
                                                    const std::vector<api::Pod>& pods,
                                                    const PodSetOptions& options) {
  auto sets = SetsByRole(pods, options);
  if (!sets || !group.IsFastAdmitted() || sets->empty()) return sets;
  // The first pod represents the pods yet to come.
  const auto first =
      std::ranges::find_if(pods, [](const api::Pod& pod) { return IsRunnable(pod); });
  auto set = PodSetFor(*first, RoleHashOf(*first), options);
  if (!set) return std::unexpected(set.error());
  set->count = group.TotalCount();
  return std::vector<api::PodSet>{*std::move(set)};
}

// --- Consistency of members ---------------------------------------------------------------------

std::unexpected<GroupProblem> Mismatch(const api::Pod& a, const api::Pod& b, std::string in) {
  return std::unexpected(
      GroupProblem{.error = {.message = "Pods " + a.metadata.name + " and " + b.metadata.name +
                                        " of the group differ in " + std::move(in),
                             .hint = "delete one and create it with the other's value",
                             .place = {}}});
}

// `a="x" and "y"`, or that one has none.
std::string DifferentValues(std::string_view key, std::string_view a, std::string_view b) {
  const auto shown = [](std::string_view value) {
    return value.empty() ? std::string("none") : api::Quoted(value);
  };
  return std::string(key) + ": " + shown(a) + " and " + shown(b);
}

std::expected<void, GroupProblem> CheckAgreement(const PodGroup& group) {
  const api::Pod& first = group.pods.front();
  for (const api::Pod& pod : group.pods) {
    if (pod.status.phase == api::kPodFailed) continue;
    if (QueueNameOf(pod.metadata) != QueueNameOf(first.metadata))
      return Mismatch(first, pod,
                      DifferentValues(api::kQueueNameLabel, QueueNameOf(first.metadata),
                                      QueueNameOf(pod.metadata)));
    if (CountIn(pod) != CountIn(first))
      return Mismatch(
          first, pod,
          DifferentValues(api::kPodGroupTotalCountAnnotation,
                          AnnotationOf(first.metadata, api::kPodGroupTotalCountAnnotation),
                          AnnotationOf(pod.metadata, api::kPodGroupTotalCountAnnotation)));
    if (api::ConstraintsOf(pod.metadata.annotations) !=
        api::ConstraintsOf(first.metadata.annotations))
      return Mismatch(first, pod, "their admission constraints");
  }
  return {};
}

GroupProblem UnknownTotalCount(const PodGroup& group) {
  const std::string count =
      AnnotationOf(group.pods.front().metadata, api::kPodGroupTotalCountAnnotation);
  return {.error = {
              .message = "Annotation " + std::string(api::kPodGroupTotalCountAnnotation) +
                         " of pod " + group.pods.front().metadata.name + " in group " + group.name +
                         (count.empty() ? " is missing"
                                        : " is " + api::Quoted(count) + ", not a number above 0"),
              .hint = "create the pods again with the number of pods of the group",
              .place = {}}};
}

std::expected<void, GroupProblem> CheckComplete(const PodGroup& group, size_t runnable) {
  const auto total = group.TotalCount();
  if (!total) return std::unexpected(UnknownTotalCount(group));
  if (group.IsFastAdmitted() || runnable >= static_cast<size_t>(*total)) return {};
  return std::unexpected(GroupProblem{
      .error = {.message = "Pod group " + group.name + " incomplete: " + std::to_string(runnable) +
                           " of " + std::to_string(*total) + " pods exist",
                .hint = "create the missing pods",
                .place = {}},
      .is_waiting = true});
}

using Texts = base::FlatMap<std::string>;

// Collects the labels or annotations of all members; fails if values differ.
std::expected<Texts, GroupProblem> CommonTexts(const PodGroup& group, Texts api::ObjectMeta::* map,
                                               const std::vector<std::string>& keys) {
  Texts common;
  for (const api::Pod& pod : group.pods) {
    for (const std::string& key : keys) {
      const std::string* value = (pod.metadata.*map).Find(key);
      if (value == nullptr) continue;
      const std::string* known = common.Find(key);
      if (known != nullptr && *known != *value)
        return Mismatch(group.pods.front(), pod, DifferentValues(key, *known, *value));
      common.Set(key, *value);
    }
  }
  return common;
}

std::unexpected<GroupProblem> GroupFailure(base::Error error) {
  return std::unexpected(GroupProblem{.error = std::move(error)});
}

bool HasRoom(const api::Workload& workload, const std::vector<api::PodSet>& sets) {
  const bool is_finished =
      api::IsConditionTrue(workload.status.conditions, api::condition::kFinished);
  return std::ranges::all_of(sets, [&](const api::PodSet& set) {
    const auto place = std::ranges::find(workload.spec.pod_sets, set.name, &api::PodSet::name);
    if (place == workload.spec.pod_sets.end()) return false;
    return is_finished || place->count.value_or(1) >= set.count.value_or(1);
  });
}

}  // namespace

std::expected<ComposedGroup, GroupProblem> ComposeGroup(const PodGroup& group,
                                                        const PriorityTable& priorities,
                                                        const WorkloadOptions& options) {
  GroupCleanUp clean_up;
  clean_up.kept = Pick(group.pods, &IsRunnable);
  clean_up.replaced = Pick(group.pods, [](const api::Pod& pod) { return !IsRunnable(pod); });
  if (clean_up.kept.empty()) {
    return std::unexpected(
        GroupProblem{.error = {.message = "Pod group has no runnable pod", .hint = {}, .place = {}},
                     .is_waiting = true});
  }
  if (auto ok = CheckComplete(group, clean_up.kept.size()); !ok) return std::unexpected(ok.error());
  if (auto ok = CheckAgreement(group); !ok) return std::unexpected(ok.error());
  std::ranges::stable_sort(clean_up.kept, HasPrecedence);
  clean_up.excess = SplitOff(clean_up.kept, static_cast<size_t>(*group.TotalCount()));
  auto sets = GroupPodSets(group, clean_up.kept, options.pod_sets);
  if (!sets) return GroupFailure(sets.error());
  if (sets->size() > kMaxPodSets)
    return GroupFailure(
        {.message = "Pod group has " + std::to_string(sets->size()) + " different pod templates",
         .hint = "a Workload has at most " + std::to_string(kMaxPodSets) + " pod sets",
         .place = {}});
  const api::ObjectMeta& first = group.pods.front().metadata;
  const std::string prebuilt = PrebuiltWorkloadName(first, options.reads_name_annotations);
  WorkloadOptions plain = options;
  plain.label_keys_to_copy.clear();
  plain.annotation_keys_to_copy.clear();
  api::Workload made =
      NewWorkload(prebuilt.empty() ? group.name : prebuilt, first, *std::move(sets), plain);
  auto labels = CommonTexts(group, &api::ObjectMeta::labels, options.label_keys_to_copy);
  if (!labels) return std::unexpected(labels.error());
  made.metadata.labels = *std::move(labels);
  const auto annotations =
      CommonTexts(group, &api::ObjectMeta::annotations, options.annotation_keys_to_copy);
  if (!annotations) return std::unexpected(annotations.error());
  for (const auto& [key, value] : *annotations) made.metadata.annotations.Set(key, value);
  made.metadata.annotations.Set(api::kIsGroupWorkloadAnnotation, "true");
  for (const api::Pod& pod : clean_up.kept)
    made.metadata.owner_references.push_back(
        OwnerReferenceTo(PodIntegration(), pod.metadata, false));
  const auto priority = ResolvePriority(
      WorkloadPriorityClassOf(first),
      PodPriorityClassOf(PodIntegration(), json::object(), made.spec.pod_sets), priorities);
  if (!priority)
    return GroupFailure({.message = priority.error().ToString(), .hint = {}, .place = {}});
  made.spec.priority_class_ref = priority->ref;
  made.spec.priority = priority->value;
  return ComposedGroup{.workload = std::move(made), .clean_up = std::move(clean_up)};
}

bool HasRoomForGroup(const PodGroup& group, const api::Workload& workload) {
  const auto sets = GroupPodSets(group, group.pods, {.has_topology = false});
  return sets && HasRoom(workload, *sets);
}

std::optional<GroupCleanUp> MatchGroup(const PodGroup& group, const api::Workload& workload,
                                       base::Time now, const WorkloadOptions& options) {
  if (group.pods.empty()) return std::nullopt;
  const api::ObjectMeta& first = group.pods.front().metadata;
  if (workload.spec.maximum_execution_time_seconds != MaximumExecutionTime(first))
    return std::nullopt;
  const std::string prebuilt = PrebuiltWorkloadName(first, options.reads_name_annotations);
  if (workload.metadata.name != (prebuilt.empty() ? group.name : prebuilt)) return std::nullopt;
  GroupCleanUp clean_up;
  for (const api::PodSet& set : workload.spec.pod_sets) {
    const auto has_role = [&](const api::Pod& pod) { return RoleHashOf(pod) == set.name; };
    auto active = Pick(group.pods, [&](const auto& p) { return has_role(p) && IsRunnable(p); });
    auto ended = Pick(group.pods, [&](const auto& p) { return has_role(p) && !IsRunnable(p); });
    const auto count = static_cast<size_t>(std::max(set.count.value_or(1), 0));
    const size_t missing = count - std::min(count, active.size());
    const bool is_only_first = group.IsFastAdmitted();
    clean_up.absent +=
        is_only_first ? (count > 0 && active.empty() ? 1 : 0) : static_cast<int32_t>(missing);
    std::ranges::stable_sort(active, HasPrecedence);
    Append(SplitOff(active, count), clean_up.excess);
    std::ranges::stable_sort(ended, KeepInactiveBefore{.now = now});
    Append(SplitOff(ended, missing), clean_up.replaced);
    Append(std::move(active), clean_up.kept);
    Append(std::move(ended), clean_up.kept);
  }
  const auto sets = SetsByRole(clean_up.kept, {.has_topology = false});
  if (clean_up.kept.empty() || !sets || !HasRoom(workload, *sets)) return std::nullopt;
  return clean_up;
}

}  // namespace berth::jobs
