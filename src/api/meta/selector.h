#pragma once

// Label selectors, compiled for matching many objects.
//
// A selector is a conjunction: all entries of matchLabels and all expressions must hold. NotIn and
// DoesNotExist hold if the label is absent. An absent selector selects nothing, an empty one
// everything.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/meta/meta.h"
#include "api/meta/problem_report.h"
#include "base/error.h"
#include "base/flat_map.h"

namespace berth::api {

using Labels = base::FlatMap<std::string>;

class Selector {
 public:
  // Selects nothing.
  Selector() = default;
  static Selector Everything();

  // Compiles the selector. Fails exactly for the selectors that ValidateSelector rejects.
  static base::Result<Selector> Compile(const LabelSelector& selector);
  // Nullopt compiles to a selector that selects nothing.
  static base::Result<Selector> Compile(const std::optional<LabelSelector>& selector);

  // O(r log n) for r requirements and n labels. Does not allocate.
  bool Matches(const Labels& labels) const;

  // Whether the selector has no requirements and so matches every object.
  bool is_everything() const { return !is_nothing_ && requirements_.empty(); }
  bool is_nothing() const { return is_nothing_; }

  // kubectl's notation: "a=1,b in (x,y),!c", ordered by key; "" for everything and for nothing.
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
  std::vector<Requirement> requirements_;  // by key; for equal keys, matchLabels first
};

// Reports problems of a selector on `field` and its subfields.
void ValidateSelector(const LabelSelector& selector, std::string_view field, ProblemReport& report);
void ValidateSelector(const std::optional<LabelSelector>& selector, std::string_view field,
                      ProblemReport& report);

}  // namespace berth::api
