#include "workload/topology/node_match_table.h"

#include <algorithm>

#include "schema/encode.h"

namespace berth::workload {
namespace {

// The fields of a node that field selectors may name.
constexpr std::string_view kNameField = "metadata.name";

bool IsEmpty(const api::NodeSelectorTerm& term) {
  return term.match_expressions.empty() && term.match_fields.empty();
}

bool MatchesTerm(const api::NodeSelectorTerm& term, const NodeProfile& node) {
  if (IsEmpty(term)) return false;
  const NumberedLabel name = NumberedLabel::From(std::string(kNameField), node.name);
  return std::ranges::all_of(term.match_expressions,
                             [&](const api::NodeSelectorRequirement& e) {
                               return IsWellFormed(e) && Holds(e, node.labels.Find(e.key));
                             }) &&
         std::ranges::all_of(term.match_fields, [&](const api::NodeSelectorRequirement& e) {
           return IsWellFormed(e) && e.key == kNameField && Holds(e, &name);
         });
}

bool ToleratesAll(const NodeRequirements& requirements, const std::vector<api::Toleration>& more,
                  const NodeProfile& node) {
  return std::ranges::all_of(node.taints, [&](const NumberedTaint& taint) {
    const auto tolerates = [&](const api::Toleration& t) { return Tolerates(t, taint); };
    return std::ranges::any_of(requirements.tolerations, tolerates) ||
           std::ranges::any_of(more, tolerates);
  });
}

bool MatchesSelector(const NodeRequirements& requirements, const NodeProfile& node) {
  return std::ranges::all_of(requirements.node_selector, [&](const auto& wanted) {
    const NumberedLabel* label = node.labels.Find(wanted.first);
    return label != nullptr && label->value == wanted.second;
  });
}

// Equal if and only if the requirements are.
std::string KeyOf(const NodeRequirements& requirements) {
  std::string key;
  for (const api::Toleration& toleration : requirements.tolerations)
    key += schema::Encode(toleration) + "\n";
  for (const auto& [label, value] : requirements.node_selector) key += label + "=" + value + "\n";
  return key + schema::Encode(requirements.affinity);
}

}  // namespace

NodeRequirements NodeRequirements::From(const api::PodSpec& pod) {
  NodeRequirements requirements{
      .tolerations = pod.tolerations, .node_selector = pod.node_selector, .affinity = {}};
  if (pod.affinity && pod.affinity->node_affinity)
    requirements.affinity = *pod.affinity->node_affinity;
  return requirements;
}

bool NodeRequirements::Merge(const api::PodSetUpdate& update) {
  for (const auto& [label, value] : update.node_selector) {
    const std::string* known = node_selector.Find(label);
    if (known != nullptr && *known != value) return false;
    node_selector.Set(label, value);
  }
  tolerations.insert(tolerations.end(), update.tolerations.begin(), update.tolerations.end());
  return true;
}

NodeProfile NodeProfile::From(const api::Node& node) {
  NodeProfile profile{.name = node.metadata.name, .labels = {}, .taints = {}};
  for (const auto& [key, value] : node.metadata.labels)
    profile.labels.Set(key, NumberedLabel::From(key, value));
  for (const api::Taint& taint : node.spec.taints)
    if (KeepsPodsOff(taint)) profile.taints.push_back(NumberedTaint::From(taint));
  return profile;
}

engine::NodeMatch MatchNode(const NodeRequirements& requirements,
                            const std::vector<api::Toleration>& flavor_tolerations,
                            const NodeProfile& node) {
  using engine::NodeExclusion;
  if (!ToleratesAll(requirements, flavor_tolerations, node)) return {.why = NodeExclusion::kTaint};
  if (!MatchesSelector(requirements, node)) return {.why = NodeExclusion::kNodeSelector};
  const auto& required = requirements.affinity.required_during_scheduling_ignored_during_execution;
  const auto matches = [&](const api::NodeSelectorTerm& term) { return MatchesTerm(term, node); };
  if (required && !std::ranges::any_of(required->node_selector_terms, matches))
    return {.why = NodeExclusion::kNodeAffinity};
  engine::NodeMatch match;
  for (const api::PreferredSchedulingTerm& term :
       requirements.affinity.preferred_during_scheduling_ignored_during_execution)
    if (matches(term.preference)) match.score += term.weight;
  return match;
}

engine::NodeMatchId NodeMatchTable::Intern(NodeRequirements requirements) {
  const engine::NodeMatchId id = ids_.Intern(KeyOf(requirements));
  if (id.index() == requirements_.size()) requirements_.push_back(std::move(requirements));
  return id;
}

void NodeMatchTable::SetNode(engine::ClusterNodeId id, NodeProfile profile) {
  if (nodes_.size() <= id.index()) nodes_.resize(id.index() + 1);
  nodes_[id.index()] = std::move(profile);
}

void NodeMatchTable::SetTolerations(engine::FlavorId id, std::vector<api::Toleration> tolerations) {
  if (tolerations_.size() <= id.index()) tolerations_.resize(id.index() + 1);
  tolerations_[id.index()] = std::move(tolerations);
}

engine::NodeMatch NodeMatchTable::Match(engine::NodeMatchId id, engine::FlavorId flavor,
                                        engine::ClusterNodeId node) const {
  return MatchNode(requirements_[id.index()], tolerations_[flavor.index()], nodes_[node.index()]);
}

}  // namespace berth::workload
