#include "workload/node_rules.h"

#include <algorithm>
#include <charconv>

#include "api/meta/names.h"

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

}  // namespace

NumberedLabel NumberedLabel::From(const std::string& key, const std::string& value) {
  return {value, ParseInteger(value), api::IsLabelKey(key)};
}

NumberedTaint NumberedTaint::From(const api::Taint& taint) {
  return {taint, ParsePlainDecimal(taint.value)};
}

bool KeepsPodsOff(const api::Taint& taint) {
  return taint.effect == api::kNoSchedule || taint.effect == api::kNoExecute;
}

bool Tolerates(const api::Toleration& toleration, const NumberedTaint& numbered) {
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

bool Holds(const api::NodeSelectorRequirement& expression, const NumberedLabel* label) {
  const std::string& op = expression.op;
  const bool is_negative = op == api::kNodeSelectorDoesNotExist || op == api::kNodeSelectorNotIn;
  if (label == nullptr) return is_negative;
  if (op == api::kNodeSelectorExists) return true;
  if (op == api::kNodeSelectorDoesNotExist) return false;
  const bool is_listed =
      std::ranges::find(expression.values, label->value) != expression.values.end();
  if (op == api::kNodeSelectorIn) return is_listed;
  if (op == api::kNodeSelectorNotIn) return !is_listed;
  if (!label->number) return false;
  const std::optional<int64_t> bound = ParseInteger(expression.values[0]);
  return op == api::kNodeSelectorGreater ? *label->number > *bound : *label->number < *bound;
}

}  // namespace berth::workload
