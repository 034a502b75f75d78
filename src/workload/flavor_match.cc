#include "workload/flavor_match.h"

#include <algorithm>

#include "base/time.h"

namespace berth::workload {

std::string TaintText(const api::Taint& taint) {
  const std::string time = taint.time_added ? base::FormatTime(*taint.time_added) : "<nil>";
  return "{" + taint.key + " " + taint.value + " " + taint.effect + " " + time + "}";
}

FlavorMatcher::FlavorMatcher(const api::ResourceFlavorSpec& flavor) {
  for (const auto& [key, value] : flavor.node_labels) {
    labels_.Set(key, NumberedLabel::From(key, value));
  }
  for (const api::Taint& taint : flavor.node_taints) {
    const NumberedTaint numbered = NumberedTaint::From(taint);
    const bool is_tolerated = std::ranges::any_of(flavor.tolerations, [&](const auto& toleration) {
      return Tolerates(toleration, numbered);
    });
    if (KeepsPodsOff(taint) && !is_tolerated) taints_.push_back(numbered);
  }
}

const api::Taint* FlavorMatcher::UntoleratedBy(
    const std::vector<api::Toleration>& tolerations) const {
  for (const NumberedTaint& taint : taints_) {
    const bool is_tolerated = std::ranges::any_of(
        tolerations, [&](const auto& toleration) { return Tolerates(toleration, taint); });
    if (!is_tolerated) return &taint.taint;
  }
  return nullptr;
}

bool FlavorMatcher::SelectorHolds(const base::FlatMap<std::string>& node_selector) const {
  return std::ranges::all_of(node_selector, [this](const auto& entry) {
    const NumberedLabel* label = labels_.Find(entry.first);
    return label == nullptr || label->value == entry.second;
  });
}

FlavorMatcher::TermMatch FlavorMatcher::MatchExpression(
    const api::NodeSelectorRequirement& expression, const NumberedLabel& label) {
  if (!label.is_valid_key || !IsWellFormed(expression)) return TermMatch::kMalformed;
  return Holds(expression, &label) ? TermMatch::kHolds : TermMatch::kFails;
}

FlavorMatcher::TermMatch FlavorMatcher::MatchTerm(const api::NodeSelectorTerm& term) const {
  TermMatch result = TermMatch::kIrrelevant;
  for (const api::NodeSelectorRequirement& expression : term.match_expressions) {
    const NumberedLabel* label = labels_.Find(expression.key);
    if (label != nullptr) result = std::max(result, MatchExpression(expression, *label));
  }
  return result;
}

FlavorFit FlavorMatcher::MatchAffinity(const api::PodSpec& pod) const {
  if (!pod.affinity || !pod.affinity->node_affinity) return FlavorFit::kMatch;
  const auto& required =
      pod.affinity->node_affinity->required_during_scheduling_ignored_during_execution;
  if (!required || required->node_selector_terms.empty()) return FlavorFit::kMatch;
  FlavorFit fit = FlavorFit::kAffinity;
  for (const api::NodeSelectorTerm& term : required->node_selector_terms) {
    const TermMatch match = MatchTerm(term);
    if (match == TermMatch::kHolds || match == TermMatch::kIrrelevant) return FlavorFit::kMatch;
    if (match == TermMatch::kMalformed) fit = FlavorFit::kMalformedAffinity;
  }
  return fit;
}

FlavorVerdict FlavorMatcher::Match(const api::PodSpec& pod) const {
  if (const api::Taint* taint = UntoleratedBy(pod.tolerations)) {
    return {.fit = FlavorFit::kUntoleratedTaint, .taint = taint};
  }
  if (labels_.empty()) return {};
  if (!SelectorHolds(pod.node_selector)) return {.fit = FlavorFit::kAffinity};
  return {.fit = MatchAffinity(pod)};
}

FlavorVerdict FlavorMatcher::Match(std::span<const api::PodSpec* const> pods) const {
  for (size_t i = 0; i < pods.size(); ++i) {
    FlavorVerdict verdict = Match(*pods[i]);
    verdict.pod = i;
    if (!verdict.is_match()) return verdict;
  }
  return {};
}

}  // namespace berth::workload
