#include "apiserver/table/path.h"

#include <charconv>
#include <optional>

namespace berth::apiserver {

class TablePath::Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  base::Result<std::vector<Step>> Parse() {
    if (text_.starts_with('{') && text_.ends_with('}')) text_ = text_.substr(1, text_.size() - 2);
    if (text_.starts_with('$')) ++at_;
    std::vector<Step> steps;
    while (at_ < text_.size()) {
      if (!ParseStep(steps)) return Broken();
    }
    return steps;
  }

 private:
  std::unexpected<base::Error> Broken() const {
    return base::Fail("not a JSONPath from character " + std::to_string(at_ + 1) + " on: \"" +
                          std::string(text_) + "\"",
                      "write a path such as .status.conditions[?(@.type==\"Ready\")].status");
  }

  bool IsAt(char c) const { return at_ < text_.size() && text_[at_] == c; }
  bool Skip(std::string_view word) {
    if (!text_.substr(at_).starts_with(word)) return false;
    at_ += word.size();
    return true;
  }
  void SkipSpace() {
    while (IsAt(' ')) ++at_;
  }

  bool ParseStep(std::vector<Step>& steps) {
    if (Skip("[")) return ParseBracket(steps);
    if (!Skip(".") && !steps.empty()) return false;
    if (IsAt('[')) return true;
    if (at_ == text_.size()) return steps.empty();  // "." is the document itself
    return ParseField(steps);
  }

  bool ParseField(std::vector<Step>& steps) {
    if (Skip("*")) {
      steps.push_back({.kind = Step::Kind::kAll});
      return true;
    }
    std::string name;
    // In a filter, an operator or a parenthesis also ends a name.
    constexpr std::string_view kEnd = ".[]()=!<> ";
    while (at_ < text_.size() && kEnd.find(text_[at_]) == std::string_view::npos) {
      if (text_[at_] == '\\' && at_ + 1 < text_.size()) ++at_;
      name += text_[at_++];
    }
    if (name.empty()) return false;
    steps.push_back({.kind = Step::Kind::kField, .field = std::move(name)});
    return true;
  }

  bool ParseBracket(std::vector<Step>& steps) {
    if (Skip("?(")) return ParseFilter(steps);
    if (Skip("*]")) {
      steps.push_back({.kind = Step::Kind::kAll});
      return true;
    }
    if (IsAt('\'') || IsAt('"')) {
      std::optional<std::string> name = ParseQuoted();
      if (!name || !Skip("]")) return false;
      steps.push_back({.kind = Step::Kind::kField, .field = *std::move(name)});
      return true;
    }
    int64_t index = 0;
    if (!ParseInteger(index) || !Skip("]")) return false;
    steps.push_back({.kind = Step::Kind::kIndex, .index = index});
    return true;
  }

  bool ParseInteger(int64_t& number) {
    const char* begin = text_.data() + at_;
    const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), number);
    at_ += static_cast<size_t>(end - begin);
    return error == std::errc();
  }

  std::optional<std::string> ParseQuoted() {
    const char quote = text_[at_++];
    std::string value;
    while (at_ < text_.size() && text_[at_] != quote) {
      if (text_[at_] == '\\' && at_ + 1 < text_.size()) ++at_;
      value += text_[at_++];
    }
    if (at_ == text_.size()) return std::nullopt;
    ++at_;
    return value;
  }

  bool ParseFilter(std::vector<Step>& steps) {
    Step filter{.kind = Step::Kind::kFilter};
    SkipSpace();
    if (!Skip("@")) return false;
    while (IsAt('.') || IsAt('[')) {
      // Nested filters are not supported; columns need none.
      if (text_.substr(at_).starts_with("[?") || !ParseStep(filter.path)) return false;
    }
    SkipSpace();
    filter.comparison = ParseComparison();
    SkipSpace();
    if (filter.comparison != Comparison::kExists && !ParseOperand(filter.operand)) return false;
    SkipSpace();
    if (!Skip(")]")) return false;
    steps.push_back(std::move(filter));
    return true;
  }

  Comparison ParseComparison() {
    if (Skip("==")) return Comparison::kEqual;
    if (Skip("!=")) return Comparison::kNotEqual;
    if (Skip("<=")) return Comparison::kAtMost;
    if (Skip(">=")) return Comparison::kAtLeast;
    if (Skip("<")) return Comparison::kLess;
    if (Skip(">")) return Comparison::kGreater;
    return Comparison::kExists;
  }

  bool ParseOperand(json::value& operand) {
    if (IsAt('\'') || IsAt('"')) {
      const std::optional<std::string> text = ParseQuoted();
      if (text) operand = json::string(*text);
      return text.has_value();
    }
    if (Skip("true")) {
      operand = true;
      return true;
    }
    if (Skip("false")) {
      operand = false;
      return true;
    }
    double number = 0;
    const char* begin = text_.data() + at_;
    const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), number);
    at_ += static_cast<size_t>(end - begin);
    operand = number;
    return error == std::errc();
  }

  std::string_view text_;
  size_t at_ = 0;
};

base::Result<TablePath> TablePath::Parse(std::string_view text) {
  auto steps = Parser(text).Parse();
  if (!steps) return std::unexpected(steps.error());
  TablePath path;
  path.steps_ = *std::move(steps);
  return path;
}

std::vector<const json::value*> TablePath::Find(const json::value& root) const {
  return Walk(steps_, root);
}

std::vector<const json::value*> TablePath::Walk(const std::vector<Step>& steps,
                                                const json::value& root) {
  std::vector<const json::value*> found{&root};
  for (const Step& step : steps) {
    std::vector<const json::value*> next;
    for (const json::value* from : found) Take(step, *from, next);
    found = std::move(next);
  }
  return found;
}

void TablePath::Take(const Step& step, const json::value& from,
                     std::vector<const json::value*>& out) {
  if (step.kind == Step::Kind::kField) {
    const json::object* object = from.if_object();
    const json::value* value =
        object != nullptr ? object->if_contains(json::BoostView(step.field)) : nullptr;
    if (value != nullptr) out.push_back(value);
    return;
  }
  if (const json::object* object = from.if_object();
      object != nullptr && step.kind == Step::Kind::kAll) {
    for (const auto& member : *object) out.push_back(&member.value());
    return;
  }
  const json::array* array = from.if_array();
  if (array == nullptr) return;
  if (step.kind == Step::Kind::kIndex) {
    const auto size = static_cast<int64_t>(array->size());
    const int64_t index = step.index < 0 ? size + step.index : step.index;
    if (index >= 0 && index < size) out.push_back(&(*array)[static_cast<size_t>(index)]);
    return;
  }
  for (const json::value& element : *array) {
    if (step.kind == Step::Kind::kAll || Passes(step, element)) out.push_back(&element);
  }
}

bool TablePath::Passes(const Step& filter, const json::value& element) {
  const std::vector<const json::value*> found = Walk(filter.path, element);
  if (found.empty()) return false;
  return filter.comparison == Comparison::kExists ||
         Compare(filter.comparison, *found.front(), filter.operand);
}

namespace {

std::optional<double> NumberOf(const json::value& value) {
  if (value.is_int64()) return static_cast<double>(value.get_int64());
  if (value.is_uint64()) return static_cast<double>(value.get_uint64());
  if (value.is_double()) return value.get_double();
  return std::nullopt;
}

// Nullopt if the values are not comparable.
std::optional<int> Order(const json::value& left, const json::value& right) {
  if (left.is_string() && right.is_string())
    return json::View(left.get_string()).compare(json::View(right.get_string()));
  if (left.is_bool() && right.is_bool())
    return static_cast<int>(left.get_bool()) - static_cast<int>(right.get_bool());
  const std::optional<double> a = NumberOf(left);
  const std::optional<double> b = NumberOf(right);
  if (!a || !b) return std::nullopt;
  return *a < *b ? -1 : *a > *b ? 1 : 0;
}

}  // namespace

bool TablePath::Compare(Comparison comparison, const json::value& left, const json::value& right) {
  const std::optional<int> order = Order(left, right);
  if (!order) return comparison == Comparison::kNotEqual;
  switch (comparison) {
    case Comparison::kEqual:
      return *order == 0;
    case Comparison::kNotEqual:
      return *order != 0;
    case Comparison::kLess:
      return *order < 0;
    case Comparison::kAtMost:
      return *order <= 0;
    case Comparison::kGreater:
      return *order > 0;
    case Comparison::kAtLeast:
      return *order >= 0;
    case Comparison::kExists:
      break;
  }
  return true;
}

}  // namespace berth::apiserver
