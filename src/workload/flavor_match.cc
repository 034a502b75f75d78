#include "workload/flavor_match.h"

#include <algorithm>
#include <charconv>

#include "api/meta/names.h"
#include "base/time.h"

namespace berth::workload {
namespace {

// Go's strconv.ParseInt in base 10.
std::optional<int64_t> ParseInteger(std::string_view text) {
  if (text.starts_with('+')) {
    text.remove_prefix(1);
    if (text.starts_with('-')) return std::nullopt;
  }
  int64_t number = 0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || rest != end) return std::nullopt;
  return number;
}

// A number written in one way only: no plus, no leading zero, no "-0".
std::optional<int64_t> ParsePlainDecimal(std::string_view text) {
  std::string_view digits = text;
  if (digits.starts_with('-')) digits.remove_prefix(1);
  const bool has_odd_start =
      digits.empty() || digits[0] < '0' || digits[0] > '9' || (digits[0] == '0' && text.size() > 1);
  return has_odd_start ? std::nullopt : ParseInteger(text);
}

bool KeepsPodsOff(const api::Taint& taint) {
  return taint.effect == api::kNoSchedule || taint.effect == api::kNoExecute;
}

bool IsWellFormed(const api::NodeSelectorRequirement& expression) {
  const std::string& op = expression.op;
  const size_t count = expression.values.size();
  if (op == api::kNodeSelectorIn || op == api::kNodeSelectorNotIn) {
    if (count == 0) return false;
  } else if (op == api::kNodeSelectorExists || op == api::kNodeSelectorDoesNotExist) {
    if (count != 0) return false;
  } else if (op == api::kNodeSelectorGreater || op == api::kNodeSelectorLess) {
    if (count != 1 || !ParseInteger(expression.values[0])) return false;
  } else {
    return false;
  }
  return std::ranges::all_of(expression.values, &api::IsLabelValue);
}

}  // namespace

std::string TaintText(const api::Taint& taint) {
  const std::string time = taint.time_added ? base::FormatTime(*taint.time_added) : "<nil>";
  return "{" + taint.key + " " + taint.value + " " + taint.effect + " " + time + "}";
}

FlavorMatcher::FlavorMatcher(const api::ResourceFlavorSpec& flavor) {
  for (const auto& [key, value] : flavor.node_labels) {
    labels_.Set(key, {value, ParseInteger(value), api::IsLabelKey(key)});
  }
  for (const api::Taint& taint : flavor.node_taints) {
    const NumberedTaint numbered{taint, ParsePlainDecimal(taint.value)};
    const bool is_tolerated = std::ranges::any_of(flavor.tolerations, [&](const auto& toleration) {
      return Tolerates(toleration, numbered);
    });
    if (KeepsPodsOff(taint) && !is_tolerated) taints_.push_back(numbered);
  }
}

bool FlavorMatcher::Tolerates(const api::Toleration& toleration, const NumberedTaint& numbered) {
  const api::Taint& taint = numbered.taint;
  if (!toleration.effect.empty() && toleration.effect != taint.effect) return false;
  if (!toleration.key.empty() && toleration.key != taint.key) return false;
  const std::string& op = toleration.op;
  if (op.empty() || op == api::kTolerationEqual) return toleration.value == taint.value;
  if (op == api::kTolerationExists) return true;
  const bool is_greater = op == api::kTolerationGreater;
  if (!is_greater && op != api::kTolerationLess) return false;
  const std::optional<int64_t> bound = ParsePlainDecimal(toleration.value);
  if (!bound || !numbered.number) return false;
  return is_greater ? *numbered.number > *bound : *numbered.number < *bound;
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
    const Label* label = labels_.Find(entry.first);
    return label == nullptr || label->value == entry.second;
  });
}

FlavorMatcher::TermMatch FlavorMatcher::MatchExpression(
    const api::NodeSelectorRequirement& expression, const Label& label) {
  if (!label.is_valid_key || !IsWellFormed(expression)) return TermMatch::kMalformed;
  const auto holds = [](bool value) { return value ? TermMatch::kHolds : TermMatch::kFails; };
  const std::string& op = expression.op;
  if (op == api::kNodeSelectorExists) return TermMatch::kHolds;
  if (op == api::kNodeSelectorDoesNotExist) return TermMatch::kFails;
  const bool is_listed =
      std::ranges::find(expression.values, label.value) != expression.values.end();
  if (op == api::kNodeSelectorIn) return holds(is_listed);
  if (op == api::kNodeSelectorNotIn) return holds(!is_listed);
  if (!label.number) return TermMatch::kFails;
  const std::optional<int64_t> bound = ParseInteger(expression.values[0]);
  return holds(op == api::kNodeSelectorGreater ? *label.number > *bound : *label.number < *bound);
}

FlavorMatcher::TermMatch FlavorMatcher::MatchTerm(const api::NodeSelectorTerm& term) const {
  TermMatch result = TermMatch::kIrrelevant;
  for (const api::NodeSelectorRequirement& expression : term.match_expressions) {
    const Label* label = labels_.Find(expression.key);
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
