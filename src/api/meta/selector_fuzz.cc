// Compares the compiled selector with a naive evaluation.
//
// Each line of the input is a part of a selector or a label to match; words are separated by
// blanks:
//   label KEY VALUE | equals KEY VALUE | OPERATOR KEY VALUE…

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/meta/selector.h"
#include "base/check.h"

namespace {

using namespace berth::api;  // the fuzzer tests one header

struct Input {
  LabelSelector selector;
  Labels labels;
};

std::vector<std::string> Split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  for (size_t end; (end = text.find(separator)) != text.npos; text.remove_prefix(end + 1)) {
    parts.emplace_back(text.substr(0, end));
  }
  parts.emplace_back(text);
  return parts;
}

Input Read(std::string_view text) {
  Input input;
  for (const std::string& line : Split(text, '\n')) {
    std::vector<std::string> words = Split(line, ' ');
    if (words.size() < 2) continue;
    const std::string value = words.size() > 2 ? words[2] : "";
    if (words[0] == "label") {
      input.labels.Set(words[1], value);
    } else if (words[0] == "equals") {
      input.selector.match_labels.Set(words[1], value);
    } else {
      input.selector.match_expressions.push_back({.key = words[1],
                                                  .op = words[0],
                                                  .values = {words.begin() + 2, words.end()},
                                                  .extra = {}});
    }
  }
  return input;
}

bool NaiveMatches(const LabelSelectorRequirement& expression, const Labels& labels) {
  const std::string* value = labels.Find(expression.key);
  const bool is_listed =
      value != nullptr && std::ranges::find(expression.values, *value) != expression.values.end();
  if (expression.op == kSelectorIn) return is_listed;
  if (expression.op == kSelectorNotIn) return !is_listed;
  return (value != nullptr) == (expression.op == kSelectorExists);
}

bool NaiveMatches(const Input& input) {
  for (const auto& [key, value] : input.selector.match_labels) {
    const std::string* label = input.labels.Find(key);
    if (label == nullptr || *label != value) return false;
  }
  return std::ranges::all_of(input.selector.match_expressions, [&](const auto& expression) {
    return NaiveMatches(expression, input.labels);
  });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const Input input = Read({reinterpret_cast<const char*>(data), size});
  ProblemReport report;
  ValidateSelector(input.selector, "selector", report);
  const bool is_valid = std::move(report).Take().empty();
  const auto selector = Selector::Compile(input.selector);
  CHECK(selector.has_value() == is_valid);
  if (!selector) return 0;
  CHECK(selector->Matches(input.labels) == NaiveMatches(input));
  CHECK(selector->ToString().empty() == selector->is_everything());
  return 0;
}
