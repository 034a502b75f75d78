#include "control/placement/ungating.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <utility>

#include "api/kueue/well_known.h"
#include "json/path.h"
#include "workload/convert/convert_topology.h"
#include "workload/status_changes.h"

namespace berth::control {
namespace {

using Pods = std::vector<UngatingPod>;

// The domains of a pod set, and the room in them.
class DomainRoom {
 public:
  DomainRoom(const api::TopologyAssignment& assignment,
             const std::vector<api::UnhealthyNode>& failed)
      : levels_(assignment.levels), domains_(api::UnpackTopologyAssignment(assignment)) {
    int64_t end = 0;
    for (size_t i = 0; i < domains_.size(); ++i) {
      domains_[i].values.resize(levels_.size());
      const auto [first, is_new] = first_.try_emplace(domains_[i].values, i);
      const bool has_failed =
          IsNode() && std::ranges::find(failed, domains_[i].values.back(),
                                        &api::UnhealthyNode::name) != failed.end();
      room_.push_back(0);
      if (!has_failed) room_[first->second] += domains_[i].count;
      ends_.push_back(end += domains_[i].count);
    }
  }

  size_t size() const { return domains_.size(); }

  // The domain that a node selector names; nullopt if it is none of these.
  std::optional<size_t> Find(const NodeLabels& selector) const {
    std::vector<std::string> values;
    for (const std::string& level : levels_) values.push_back(selector.ValueOrEmpty(level));
    const auto found = first_.find(values);
    return found == first_.end() ? std::nullopt : std::optional(found->second);
  }

  std::optional<size_t> OfRank(int64_t rank) const {
    const auto end = std::ranges::upper_bound(ends_, rank);
    if (end == ends_.end()) return std::nullopt;
    return first_.at(domains_[static_cast<size_t>(end - ends_.begin())].values);
  }

  void Occupy(size_t domain) { --room_[domain]; }
  // Takes a place; false if there is none.
  bool TryTake(size_t domain) { return room_[domain] > 0 && room_[domain]-- > 0; }

  NodeLabels LabelsOf(size_t domain) const {
    NodeLabels labels;
    for (size_t i = 0; i < levels_.size(); ++i) labels.Set(levels_[i], domains_[domain].values[i]);
    return labels;
  }

 private:
  bool IsNode() const { return !levels_.empty() && levels_.back() == api::kHostnameLabel; }

  const std::vector<std::string>& levels_;
  std::vector<api::TopologyDomain> domains_;
  std::map<std::vector<std::string>, size_t> first_;  // the first domain of these values
  std::vector<int64_t> room_;                         // of the first of equal domains
  std::vector<int64_t> ends_;                         // the rank behind each domain
};

// --- Ranks ---------------------------------------------------------------------------------------

// How the pods of a set are ranked.
struct RankRule {
  std::string_view index_label;
  std::string_view job_label;  // "": not a replicated job
  int64_t count = 0;           // pods of the set
  int64_t jobs = 1;
  int64_t offset = 0;

  // Nullopt if the pods have no ranks.
  static std::optional<RankRule> From(const api::PodSetAssignment& assignment,
                                      const api::PodSet& pod_set, int64_t offset) {
    const auto& request = pod_set.topology_request;
    if (!request || !request->pod_index_label) return std::nullopt;
    RankRule rule{.index_label = *request->pod_index_label,
                  .job_label = "",
                  .count = assignment.count.value_or(pod_set.count.value_or(1)),
                  .offset = offset};
    if (!request->sub_group_index_label) return rule;
    rule.job_label = *request->sub_group_index_label;
    rule.jobs = request->sub_group_count.value_or(0);
    return rule.jobs > 0 ? std::optional(rule) : std::nullopt;
  }

  // Nullopt if the pod has none in the set.
  std::optional<int64_t> RankOf(const PlacedPod& pod) const {
    const int32_t* index = pod.indices.Find(index_label);
    const auto own_offset = pod.index_offset.empty() ? 0 : json::IntOf(pod.index_offset);
    if (index == nullptr || !own_offset) return std::nullopt;
    int64_t rank = *index - offset - *own_offset;
    if (!job_label.empty()) {
      const int64_t size = count / jobs;
      const int32_t* job = pod.indices.Find(job_label);
      if (job == nullptr || *job >= jobs || *index >= size) return std::nullopt;
      rank += *job * size;
    }
    return 0 <= rank && rank < count ? std::optional(rank) : std::nullopt;
  }
};

// The domain by rank of each pod, in the order of the pods; nullopt if ranks do not apply.
std::optional<std::vector<size_t>> DomainsByRank(const Pods& pods, const RankRule& rule,
                                                 const DomainRoom& room) {
  std::vector<size_t> domains;
  std::set<int64_t> ranks;
  for (const UngatingPod& pod : pods) {
    const std::optional<int64_t> rank = rule.RankOf(*pod.pod);
    const std::optional<size_t> domain = rank ? room.OfRank(*rank) : std::nullopt;
    if (!domain || !ranks.insert(*rank).second) return std::nullopt;
    domains.push_back(*domain);
  }
  return domains;
}

const api::PodSet* FindPodSet(const api::Workload& workload, std::string_view name) {
  const auto found = std::ranges::find(workload.spec.pod_sets, name, &api::PodSet::name);
  return found == workload.spec.pod_sets.end() ? nullptr : &*found;
}

// "" if the pod set is in no group.
std::string_view GroupOf(const api::Workload& workload, std::string_view pod_set) {
  const api::PodSet* found = FindPodSet(workload, pod_set);
  const bool is_grouped =
      found != nullptr && found->topology_request && found->topology_request->pod_set_group_name;
  return is_grouped ? *found->topology_request->pod_set_group_name : std::string_view();
}

// The rank of the first pod of each pod set whose indexes continue those of another one: the
// smaller set of a group comes first.
std::map<std::string_view, int64_t> GroupOffsets(const api::Workload& workload) {
  std::map<std::string_view, int64_t> offsets;
  std::map<std::string_view, const api::PodSetAssignment*> first;  // by group
  for (const api::PodSetAssignment& assignment : workload.status.admission->pod_set_assignments) {
    const std::string_view group = GroupOf(workload, assignment.name);
    if (group.empty()) continue;
    const auto [leader, is_new] = first.try_emplace(group, &assignment);
    if (is_new) continue;
    const api::PodSetAssignment* other = leader->second;
    const bool is_swapped = other->count.value_or(1) > assignment.count.value_or(1);
    const api::PodSetAssignment& small = is_swapped ? assignment : *other;
    const api::PodSetAssignment& large = is_swapped ? *other : assignment;
    offsets[large.name] = small.count.value_or(1);
  }
  return offsets;
}

// Whether the gate is the only thing that the pod waits for.
bool MayBeUngated(const UngatingPod& pod) {
  return pod.pod->IsGated() && pod.domain == nullptr && !pod.pod->is_terminating &&
         !pod.pod->HasGate(api::kElasticJobSchedulingGate);
}

// --- A pod set -----------------------------------------------------------------------------------

// Plans for the pods of one pod set.
class PodSetUngating {
 public:
  PodSetUngating(const api::PodSetAssignment& assignment, const api::PodSet& pod_set,
                 const std::vector<api::UnhealthyNode>& failed)
      : assignment_(assignment),
        pod_set_(pod_set),
        room_(*assignment.topology_assignment, failed) {}

  // `pods` are those of the set, by name.
  std::vector<Ungating> Plan(const Pods& pods, int64_t offset) {
    for (const UngatingPod& pod : pods) Add(pod);
    if (gated_.empty()) return {};
    const auto rule = RankRule::From(assignment_, pod_set_, offset);
    if (!rule || !PlaceByRank(*rule)) PlaceAnywhere();
    return std::move(plan_);
  }

 private:
  void Add(const UngatingPod& pod) {
    if (MayBeUngated(pod)) return gated_.push_back(pod);
    if (pod.pod->IsGated() && pod.domain == nullptr) return;
    const NodeLabels& labels = pod.domain != nullptr ? *pod.domain : pod.pod->node_selector;
    const std::optional<size_t> domain = room_.Find(labels);
    if (domain) room_.Occupy(*domain);
    if (pod.pod->is_terminating) return;
    running_.push_back(pod);
    running_domains_.push_back(domain);
  }

  // False if ranks do not apply.
  bool PlaceByRank(const RankRule& rule) {
    Pods all = running_;
    all.insert(all.end(), gated_.begin(), gated_.end());
    const auto domains = DomainsByRank(all, rule, room_);
    if (!domains) return false;
    for (size_t i = 0; i < running_.size(); ++i)
      if (running_domains_[i] != (*domains)[i]) return false;
    for (size_t i = 0; i < gated_.size(); ++i) TryPlace(gated_[i], (*domains)[running_.size() + i]);
    return true;
  }

  void PlaceAnywhere() {
    size_t domain = 0;
    for (const UngatingPod& pod : gated_) {
      while (domain < room_.size() && !TryPlace(pod, domain)) ++domain;
      if (domain == room_.size()) return;
    }
  }

  bool TryPlace(const UngatingPod& pod, size_t domain) {
    if (!room_.TryTake(domain)) return false;
    plan_.push_back({.pod = std::string(pod.name), .domain = room_.LabelsOf(domain)});
    return true;
  }

  const api::PodSetAssignment& assignment_;
  const api::PodSet& pod_set_;
  DomainRoom room_;
  Pods gated_;
  Pods running_;
  std::vector<std::optional<size_t>> running_domains_;  // nullopt: none of the assignment
  std::vector<Ungating> plan_;
};

bool MayRun(const api::Workload& workload) {
  return workload::IsAdmitted(workload) && workload::HasPlacement(workload) &&
         !workload::IsEvicted(workload) && !workload::IsFinished(workload);
}

}  // namespace

std::vector<Ungating> PlanUngating(const api::Workload& workload, Pods pods) {
  if (!MayRun(workload) || std::ranges::none_of(pods, MayBeUngated)) return {};
  std::ranges::sort(pods, {}, &UngatingPod::name);
  std::map<std::string_view, Pods> by_set;
  for (const UngatingPod& pod : pods) by_set[pod.pod->pod_set].push_back(pod);
  std::map<std::string_view, int64_t> offsets = GroupOffsets(workload);
  std::vector<Ungating> plan;
  for (const api::PodSetAssignment& assignment : workload.status.admission->pod_set_assignments) {
    const api::PodSet* pod_set = FindPodSet(workload, assignment.name);
    const auto found = by_set.find(assignment.name);
    if (pod_set == nullptr || found == by_set.end() || !assignment.topology_assignment) continue;
    PodSetUngating ungating(assignment, *pod_set, workload.status.unhealthy_nodes);
    std::ranges::move(ungating.Plan(found->second, offsets[assignment.name]),
                      std::back_inserter(plan));
  }
  return plan;
}

}  // namespace berth::control
