#pragma once

// A random walk over the life of placed pods: they are created, ungated, deleted, end and are
// replaced; writes of gates fail or succeed; nodes fail and assignments change. Each plan is
// checked when it is made.

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "control/placement/ungating.h"
#include "control/testing/placed_workload.h"
#include "workload/convert/convert_topology.h"

namespace berth::control::testing {

class UngatingWalk {
 public:
  // Returns a number below the bound. Precondition: the bound is positive.
  using Choose = std::function<uint64_t(uint64_t bound)>;

  explicit UngatingWalk(Choose choose) : choose_(std::move(choose)) {
    for (const char* name : {"main", "other"}) sets_.push_back(AnySet(name));
  }

  void Step() {
    switch (Pick(10)) {
      case 0:
        return DropPod();
      case 1:
        return DeletePod();
      case 2:
        return ReplaceDomain();
      case 3:
        return FailNode();
      case 4:
      case 5:
        return FinishWrite();
      case 6:
        return Plan();
      default:
        return AddPod();
    }
  }

  // What is wrong with a plan; "" if nothing is.
  const std::string& problem() const { return problem_; }

 private:
  struct Known {
    PlacedPod pod;
    NodeLabels domain;
    bool is_in_flight = false;
  };

  uint64_t Pick(uint64_t bound) { return choose_(bound); }
  std::string AnyNode() { return "n" + std::to_string(Pick(5)); }

  static bool HasDomain(const PlacedSet& set, const std::vector<std::string>& values) {
    return std::ranges::any_of(set.domains,
                               [&](const auto& domain) { return domain.first == values; });
  }

  PlacedSet AnySet(const char* name) {
    PlacedSet set{.name = name, .domains = {}, .request = {}};
    if (Pick(3) == 0) set.levels = {"block", "rack"};
    for (uint64_t i = Pick(4) + 1; i > 0; --i) {
      std::vector<std::string> values = {AnyNode()};
      if (set.levels.size() > 1) values.push_back(AnyNode());
      const auto count = static_cast<int32_t>(Pick(3) + 1);
      if (!HasDomain(set, values)) set.domains.emplace_back(std::move(values), count);
    }
    if (Pick(2) == 0) set.request.pod_index_label = "index";
    if (Pick(3) == 0) set.request.sub_group_index_label = "job";
    if (Pick(4) != 0) set.request.sub_group_count = static_cast<int32_t>(Pick(3));
    if (Pick(3) == 0) set.request.pod_set_group_name = "group";
    if (Pick(5) == 0) set.count = static_cast<int32_t>(Pick(9));
    return set;
  }

  api::Workload TheWorkload() const {
    api::Workload workload = PlacedWorkload(sets_);
    for (const std::string& node : failed_)
      workload.status.unhealthy_nodes.push_back({.name = node, .extra = {}});
    return workload;
  }

  void AddPod() {
    const std::string name = "p" + std::to_string(Pick(12));
    if (pods_.contains(name)) return;
    PlacedPod pod = GatedPod({}, sets_[Pick(2)].name);
    if (Pick(8) != 0) pod.indices.Set("index", static_cast<int32_t>(Pick(6)));
    if (Pick(4) != 0) pod.indices.Set("job", static_cast<int32_t>(Pick(3)));
    if (Pick(6) == 0) pod.index_offset = Pick(2) == 0 ? "1" : "x";
    if (Pick(8) == 0) pod.gates.emplace_back(api::kElasticJobSchedulingGate);
    pods_.insert_or_assign(name, Known{.pod = std::move(pod), .domain = {}});
  }

  Known* AnyPod() {
    if (pods_.empty()) return nullptr;
    return &std::next(pods_.begin(), static_cast<int64_t>(Pick(pods_.size())))->second;
  }

  void DropPod() {
    if (!pods_.empty())
      pods_.erase(std::next(pods_.begin(), static_cast<int64_t>(Pick(pods_.size()))));
  }

  void DeletePod() {
    if (Known* known = AnyPod()) known->pod.is_terminating = true;
  }

  void FinishWrite() {
    Known* known = AnyPod();
    if (known == nullptr || !std::exchange(known->is_in_flight, false) || Pick(4) == 0) return;
    known->pod.gates.clear();
    for (const auto& [key, value] : known->domain) known->pod.node_selector.Set(key, value);
  }

  void ReplaceDomain() {
    PlacedSet& set = sets_[Pick(2)];
    std::vector<std::string>& values = set.domains[Pick(set.domains.size())].first;
    std::vector<std::string> other = values;
    other.back() = AnyNode();
    if (!HasDomain(set, other)) values = std::move(other);
    if (Pick(2) == 0) failed_.clear();
  }

  void FailNode() { failed_.push_back(AnyNode()); }

  std::vector<UngatingPod> Pods() const {
    std::vector<UngatingPod> pods;
    for (const auto& [name, known] : pods_)
      pods.push_back({.name = name,
                      .pod = &known.pod,
                      .domain = known.is_in_flight ? &known.domain : nullptr});
    return pods;
  }

  void Plan() {
    const api::Workload workload = TheWorkload();
    std::vector<UngatingPod> shuffled = Pods();
    for (size_t i = shuffled.size(); i > 1; --i) std::swap(shuffled[i - 1], shuffled[Pick(i)]);
    const std::vector<Ungating> plan = PlanUngating(workload, Pods());
    if (PlanUngating(workload, shuffled) != plan) problem_ = "the order of pods matters";
    for (const Ungating& ungating : plan) Start(ungating);
    for (const PlacedSet& set : sets_) Check(set, plan);
    if (!PlanUngating(workload, Pods()).empty()) problem_ = "a second plan is not empty";
  }

  void Start(const Ungating& ungating) {
    const auto known = pods_.find(ungating.pod);
    if (known == pods_.end()) return Report(ungating, "no such pod");
    const PlacedPod& pod = known->second.pod;
    if (!pod.IsGated() || pod.is_terminating || known->second.is_in_flight ||
        pod.HasGate(api::kElasticJobSchedulingGate))
      Report(ungating, "must not be ungated");
    const std::string* node = ungating.domain.Find(api::kHostnameLabel);
    if (node != nullptr && std::ranges::find(failed_, *node) != failed_.end())
      Report(ungating, "its node has failed");
    known->second.is_in_flight = true;
    known->second.domain = ungating.domain;
  }

  static NodeLabels LabelsOf(const PlacedSet& set, const std::vector<std::string>& values) {
    NodeLabels labels;
    for (size_t i = 0; i < set.levels.size(); ++i) labels.Set(set.levels[i], values[i]);
    return labels;
  }

  // Pods by domain, as they run or will run.
  std::map<std::string, int> Placed(const PlacedSet& set) const {
    std::map<std::string, int> placed;
    for (const auto& [name, known] : pods_) {
      if (known.pod.pod_set != set.name || (known.pod.IsGated() && !known.is_in_flight)) continue;
      ++placed[TextOf(set, known.is_in_flight ? known.domain : known.pod.node_selector)];
    }
    return placed;
  }

  static std::string TextOf(const PlacedSet& set, const NodeLabels& labels) {
    std::string text;
    for (const std::string& level : set.levels) text += "/" + labels.ValueOrEmpty(level);
    return text;
  }

  void Check(const PlacedSet& set, const std::vector<Ungating>& plan) {
    std::map<std::string, int> counts;
    for (const auto& [values, count] : set.domains)
      counts[TextOf(set, LabelsOf(set, values))] += count;
    std::map<std::string, int> placed = Placed(set);
    for (const Ungating& ungating : plan) {
      if (pods_.at(ungating.pod).pod.pod_set != set.name) continue;
      const std::string domain = TextOf(set, ungating.domain);
      if (!counts.contains(domain)) Report(ungating, "has no domain of the assignment");
      if (placed[domain] > counts[domain]) Report(ungating, "its domain is overfull");
    }
    if (!set.request.pod_index_label) CheckNoneWaits(set, counts, placed);
  }

  // Without ranks, pods wait only if there is no room.
  void CheckNoneWaits(const PlacedSet& set, const std::map<std::string, int>& counts,
                      std::map<std::string, int>& placed) {
    const auto waits = [&](const auto& entry) {
      const PlacedPod& pod = entry.second.pod;
      return pod.pod_set == set.name && pod.IsGated() && !entry.second.is_in_flight &&
             !pod.is_terminating && !pod.HasGate(api::kElasticJobSchedulingGate);
    };
    if (std::ranges::none_of(pods_, waits)) return;
    for (const auto& [domain, count] : counts) {
      const bool has_failed =
          set.levels.size() == 1 && std::ranges::find(failed_, domain.substr(1)) != failed_.end();
      if (!has_failed && placed[domain] < count) problem_ = "a pod waits though there is room";
    }
  }

  void Report(const Ungating& ungating, std::string_view what) {
    problem_ = ungating.pod + ": " + std::string(what);
  }

  Choose choose_;
  std::vector<PlacedSet> sets_;
  std::map<std::string, Known> pods_;
  std::vector<std::string> failed_;
  std::string problem_;
};

}  // namespace berth::control::testing
