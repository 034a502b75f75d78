// The names of nodes, and nodes that cannot be used, change no decision.

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "api/core/node.h"
#include "api/kueue/topology.h"
#include "api/kueue/topology_assignment.h"
#include "api/kueue/well_known.h"
#include "api/kueue/workload.h"
#include "api/meta/conditions.h"
#include "json/json.h"
#include "scenario/testing/scenario_pairs.h"

namespace berth::scenario {
namespace {

using testing::All;
using testing::MetamorphicTest;
using testing::ScenarioPair;

using TopologyMetamorphicTest = MetamorphicTest;

// --- Names --------------------------------------------------------------------------------------

// Keeps the order of names, which decides between equal domains.
void Rename(std::string& host) { host.insert(0, "m-"); }

// Lists the domains one by one: slices are cut by names.
void FlattenAssignment(api::TopologyAssignment& assignment) {
  assignment.previous_domains = api::UnpackTopologyAssignment(assignment);
  assignment.slices.clear();
}

void RenameHosts(api::TopologyAssignment& assignment) {
  std::vector<api::TopologyDomain> domains = api::UnpackTopologyAssignment(assignment);
  for (size_t level = 0; level < assignment.levels.size(); ++level) {
    if (assignment.levels[level] != api::kHostnameLabel) continue;
    for (api::TopologyDomain& domain : domains) Rename(domain.values[level]);
  }
  assignment = api::PackTopologyAssignment(assignment.levels, domains);
}

void RenameHosts(std::vector<api::NodeSelectorRequirement>& requirements) {
  for (api::NodeSelectorRequirement& requirement : requirements) {
    if (requirement.key == api::kHostnameLabel) std::ranges::for_each(requirement.values, Rename);
  }
}

void RenameHosts(api::PodSpec& pod) {
  if (!pod.affinity || !pod.affinity->node_affinity) return;
  api::NodeAffinity& affinity = *pod.affinity->node_affinity;
  if (auto& required = affinity.required_during_scheduling_ignored_during_execution)
    for (api::NodeSelectorTerm& term : required->node_selector_terms)
      RenameHosts(term.match_expressions);
  for (auto& preferred : affinity.preferred_during_scheduling_ignored_during_execution)
    RenameHosts(preferred.preference.match_expressions);
}

template <class Change>
void ForEachAssignment(api::Admission& admission, Change change) {
  for (api::PodSetAssignment& pod_set : admission.pod_set_assignments)
    if (pod_set.topology_assignment) change(*pod_set.topology_assignment);
}

void RenameHosts(api::Workload& workload) {
  for (api::PodSet& pod_set : workload.spec.pod_sets) RenameHosts(pod_set.template_.spec);
  for (api::UnhealthyNode& node : workload.status.unhealthy_nodes) Rename(node.name);
  if (workload.status.admission)
    ForEachAssignment(*workload.status.admission, [](auto& a) { RenameHosts(a); });
}

void RenameHosts(api::Node& node) {
  Rename(node.metadata.name);
  if (const std::string* host = node.metadata.labels.Find(api::kHostnameLabel)) {
    std::string renamed = *host;
    Rename(renamed);
    node.metadata.labels.Set(api::kHostnameLabel, renamed);
  }
}

// A pod of others.
void RenameNodeOf(AnyObject& job) {
  json::value* spec = job.kind == "Pod" ? job.tree.as_object().if_contains("spec") : nullptr;
  json::value* node = spec == nullptr ? nullptr : spec->as_object().if_contains("nodeName");
  if (node == nullptr) return;
  std::string name(node->as_string());
  Rename(name);
  *node = name;
}

template <class Change>
void ChangeAssignments(Outcome& outcome, Change change) {
  for (const auto& [name, admission] : Admissions(*outcome.admissions)) {
    api::Admission changed = admission;
    ForEachAssignment(changed, change);
    outcome.admissions->Set(name, std::move(changed));
  }
}

std::vector<ScenarioPair> WithOtherNames(const Scenario& original) {
  std::vector<ScenarioPair> all;
  ScenarioPair& pair = all.emplace_back(original);
  pair.about = "nodes, and the same nodes by other names,";
  pair.compares_reasons = true;
  for (api::Node* node : All<api::Node>(pair.b)) RenameHosts(*node);
  for (api::Workload* workload : All<api::Workload>(pair.b)) RenameHosts(*workload);
  for (AnyObject& job : pair.b.steps.front().jobs) RenameNodeOf(job);
  pair.in_a = [](Outcome& outcome) {
    ChangeAssignments(outcome, [](api::TopologyAssignment& assignment) {
      RenameHosts(assignment);
      FlattenAssignment(assignment);
    });
  };
  pair.in_b = [](Outcome& outcome) { ChangeAssignments(outcome, FlattenAssignment); };
  return all;
}

TEST_F(TopologyMetamorphicTest, ConsistentNamesOfNodesChangeNothing) {
  EXPECT_GT(testing::CompareInRandomScenarios(WithOtherNames, testing::kTopologySuites), 100u);
}

// --- Unusable nodes -----------------------------------------------------------------------------

// A large node beside an existing one, by a name before or behind those of all others.
api::Node Beside(const api::Node& node, std::string_view name) {
  api::Node added = node;
  added.metadata.name = name;
  added.metadata.labels.Set(api::kHostnameLabel, std::string(name));
  for (const auto& [resource, amount] : node.status.allocatable)
    added.status.allocatable.Set(resource, quantity::Quantity::FromInt(1000));
  return added;
}

std::set<std::string> LevelsOf(Scenario& scenario) {
  std::set<std::string> levels;
  for (const api::Topology* topology : All<api::Topology>(scenario))
    for (const api::TopologyLevel& level : topology->spec.levels) levels.insert(level.node_label);
  return levels;
}

std::vector<api::Node> UnusableNodes(Scenario& scenario) {
  const std::vector<api::Node*> nodes = All<api::Node>(scenario);
  if (nodes.empty()) return {};
  api::Node cordoned = Beside(*nodes.front(), "0-cordoned");
  cordoned.spec.unschedulable = true;
  api::Node not_ready = Beside(*nodes.back(), "zz-not-ready");
  not_ready.status.conditions.clear();
  api::Node unknown = Beside(*nodes[nodes.size() / 2], "0-unknown");
  for (api::CoreCondition& condition : unknown.status.conditions) condition.status = "Unknown";
  api::Node without_levels = Beside(*nodes.front(), "zz-without-levels");
  for (const std::string& level : LevelsOf(scenario)) without_levels.metadata.labels.Erase(level);
  return {cordoned, not_ready, unknown, without_levels};
}

std::vector<ScenarioPair> WithUnusableNodes(const Scenario& original) {
  std::vector<ScenarioPair> all;
  ScenarioPair pair(original);
  pair.about = "nodes, and the same with unusable ones between them,";
  pair.compares_reasons = true;
  std::vector<api::Object>& objects = pair.b.steps.front().apply;
  for (api::Node& node : UnusableNodes(pair.b)) {
    api::Object added(api::Node::KindInfo());
    *added.As<api::Node>() = std::move(node);
    objects.insert(objects.begin() + static_cast<std::ptrdiff_t>(objects.size() / 2),
                   std::move(added));
  }
  if (objects.size() > pair.a.steps.front().apply.size()) all.push_back(std::move(pair));
  return all;
}

TEST_F(TopologyMetamorphicTest, NodesThatCannotBeUsedChangeNothing) {
  EXPECT_GT(testing::CompareInRandomScenarios(WithUnusableNodes, testing::kTopologySuites), 100u);
}

}  // namespace
}  // namespace berth::scenario
