#include "api/meta/selector.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "api/meta/label_rules.h"
#include "api/meta/names.h"

namespace berth::api {
namespace {

constexpr std::string_view kOperators = "In, NotIn, Exists or DoesNotExist";

bool TakesValues(std::string_view op) { return op == kSelectorIn || op == kSelectorNotIn; }
bool TakesNoValues(std::string_view op) {
  return op == kSelectorExists || op == kSelectorDoesNotExist;
}

void ValidateOperator(const LabelSelectorRequirement& expression, ProblemReport& report) {
  if (TakesValues(expression.op)) {
    if (expression.values.empty()) {
      report.Required("values", expression.op + " needs at least one value",
                      "list the values, or use Exists or DoesNotExist");
    }
  } else if (TakesNoValues(expression.op)) {
    if (!expression.values.empty()) {
      report.Forbidden("values", expression.op + " takes no values",
                       "remove them, or use In or NotIn");
    }
  } else {
    report.Invalid("operator", Quoted(expression.op) + " is not an operator",
                   "write " + std::string(kOperators));
  }
}

void ValidateExpression(const LabelSelectorRequirement& expression, ProblemReport& report) {
  ValidateOperator(expression, report);
  ReportFaults(expression.key, QualifiedNameProblems(expression.key), "key", report);
  for (size_t i = 0; i < expression.values.size(); ++i) {
    const std::string& value = expression.values[i];
    if (IsLabelValue(value)) continue;
    const auto at = report.In("values", i);
    ReportFaults(value, LabelValueProblems(value), "", report);
  }
}

base::Error FirstOf(schema::Problems problems) {
  schema::Problem& first = problems.front();
  return {.message = first.field + ": " + std::move(first.message),
          .hint = std::move(first.hint),
          .place = {}};
}

}  // namespace

Selector Selector::Everything() {
  Selector selector;
  selector.is_nothing_ = false;
  return selector;
}

std::optional<Selector::Operator> Selector::OperatorOf(std::string_view word) {
  if (word == kSelectorIn) return Operator::kIn;
  if (word == kSelectorNotIn) return Operator::kNotIn;
  if (word == kSelectorExists) return Operator::kExists;
  if (word == kSelectorDoesNotExist) return Operator::kDoesNotExist;
  return std::nullopt;
}

// Stable: requirements of the same key keep their order.
void Selector::SortByKey(std::vector<Requirement>& requirements) {
  std::vector<size_t> order(requirements.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::sort(order, {}, [&](size_t i) {
    return std::pair<std::string_view, size_t>(requirements[i].key, i);
  });
  std::vector<Requirement> sorted;
  sorted.reserve(order.size());
  for (size_t i : order) sorted.push_back(std::move(requirements[i]));
  requirements = std::move(sorted);
}

base::Result<Selector> Selector::Compile(const LabelSelector& source) {
  ProblemReport report;
  ValidateSelector(source, "selector", report);
  if (schema::Problems problems = std::move(report).Take(); !problems.empty()) {
    return std::unexpected(FirstOf(std::move(problems)));
  }
  Selector selector = Everything();
  selector.requirements_.reserve(source.match_labels.size() + source.match_expressions.size());
  for (const auto& [key, value] : source.match_labels) {
    selector.requirements_.push_back({key, Operator::kEquals, {value}});
  }
  for (const LabelSelectorRequirement& expression : source.match_expressions) {
    Requirement requirement{expression.key, *OperatorOf(expression.op), expression.values};
    std::ranges::sort(requirement.values);
    selector.requirements_.push_back(std::move(requirement));
  }
  SortByKey(selector.requirements_);
  return selector;
}

base::Result<Selector> Selector::Compile(const std::optional<LabelSelector>& selector) {
  if (!selector) return Selector();
  return Compile(*selector);
}

bool Selector::Requirement::Matches(const Labels& labels) const {
  const std::string* value = labels.Find(key);
  switch (op) {
    case Operator::kEquals:
      return value != nullptr && *value == values.front();
    case Operator::kIn:
      return value != nullptr && std::ranges::binary_search(values, *value);
    case Operator::kNotIn:
      return value == nullptr || !std::ranges::binary_search(values, *value);
    case Operator::kExists:
      return value != nullptr;
    case Operator::kDoesNotExist:
      return value == nullptr;
  }
  return false;
}

bool Selector::Matches(const Labels& labels) const {
  return !is_nothing_ && std::ranges::all_of(requirements_, [&](const Requirement& requirement) {
    return requirement.Matches(labels);
  });
}

void Selector::Requirement::AppendTo(std::string& text) const {
  if (op == Operator::kDoesNotExist) text += '!';
  text += key;
  if (op == Operator::kEquals) text += '=' + values.front();
  if (op != Operator::kIn && op != Operator::kNotIn) return;
  text += op == Operator::kIn ? " in (" : " notin (";
  for (size_t i = 0; i < values.size(); ++i) {
    if (i > 0) text += ',';
    text += values[i];
  }
  text += ')';
}

std::string Selector::ToString() const {
  std::string text;
  for (const Requirement& requirement : requirements_) {
    if (!text.empty()) text += ',';
    requirement.AppendTo(text);
  }
  return text;
}

void ValidateSelector(const LabelSelector& selector, std::string_view field,
                      ProblemReport& report) {
  const auto in = report.In(field);
  ValidateLabels(selector.match_labels, "matchLabels", report);
  for (size_t i = 0; i < selector.match_expressions.size(); ++i) {
    const auto at = report.In("matchExpressions", i);
    ValidateExpression(selector.match_expressions[i], report);
  }
}

void ValidateSelector(const std::optional<LabelSelector>& selector, std::string_view field,
                      ProblemReport& report) {
  if (selector) ValidateSelector(*selector, field, report);
}

}  // namespace berth::api
