#pragma once

// Label selectors, made ready for matching many objects.
//
// A selector is a conjunction: every entry of matchLabels and every expression must hold. NotIn and
// DoesNotExist hold when the label is absent. No selector at all selects nothing, an empty one
// selects everything.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/meta.h"
#include "api/problem_report.h"
#include "base/error.h"
#include "base/flat_map.h"

namespace berth::api {

using Labels = base::FlatMap<std::string>;

class Selector {
 public:
  // Selects nothing.
  Selector() = default;
  static Selector Everything();

  // The compiled form, or why there is none: exactly those selectors compile of which
  // ValidateSelector reports nothing.
  static base::Result<Selector> Compile(const LabelSelector& selector);
  // Nullopt compiles to a selector of nothing.
  static base::Result<Selector> Compile(const std::optional<LabelSelector>& selector);

  // O(r log n) for r requirements and n labels; allocates nothing.
  bool Matches(const Labels& labels) const;

  // Whether there is no requirement at all, so that every object matches.
  bool is_everything() const { return !is_nothing_ && requirements_.empty(); }
  bool is_nothing() const { return is_nothing_; }

  // As kubectl writes it: "a=1,b in (x,y),!c", ordered by key; "" for everything and for nothing.
  std::string ToString() const;

  friend bool operator==(const Selector&, const Selector&) = default;

 private:
  enum class Operator : uint8_t { kEquals, kIn, kNotIn, kExists, kDoesNotExist };

  struct Requirement {
    std::string key;
    Operator op;
    std::vector<std::string> values;  // sorted

    bool Matches(const Labels& labels) const;
    void AppendTo(std::string& text) const;
    friend bool operator==(const Requirement&, const Requirement&) = default;
  };

  static std::optional<Operator> OperatorOf(std::string_view word);
  static void SortByKey(std::vector<Requirement>& requirements);

  bool is_nothing_ = true;
  std::vector<Requirement> requirements_;  // by key; of one key, matchLabels first
};

// What is wrong with a selector, reported on `field` and what is below it.
void ValidateSelector(const LabelSelector& selector, std::string_view field, ProblemReport& report);
void ValidateSelector(const std::optional<LabelSelector>& selector, std::string_view field,
                      ProblemReport& report);

}  // namespace berth::api
