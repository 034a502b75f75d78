#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "json/json.h"

namespace berth::apiserver {

// The subset of kubectl's JSONPath for printer columns: `.a.b`, `['a.b']`, `.a\.b`, `[0]`, `[-1]`,
// `[*]` and `[?(@.type=="Ready")]` with ==, !=, <, <=, >, >= against a string, a number, true or
// false. A filter without a comparison tests for existence.
class TablePath {
 public:
  static base::Result<TablePath> Parse(std::string_view text);

  // All matches in document order.
  std::vector<const json::value*> Find(const json::value& root) const;

 private:
  enum class Comparison : uint8_t {
    kExists,
    kEqual,
    kNotEqual,
    kLess,
    kAtMost,
    kGreater,
    kAtLeast
  };
  struct Step {
    enum class Kind : uint8_t { kField, kIndex, kAll, kFilter };
    Kind kind = Kind::kField;
    std::string field;
    int64_t index = 0;
    // For kFilter.
    std::vector<Step> path;
    Comparison comparison = Comparison::kExists;
    json::value operand;
  };
  class Parser;

  static void Take(const Step& step, const json::value& from, std::vector<const json::value*>& out);
  static std::vector<const json::value*> Walk(const std::vector<Step>& steps,
                                              const json::value& root);
  static bool Passes(const Step& filter, const json::value& element);
  static bool Compare(Comparison comparison, const json::value& left, const json::value& right);

  std::vector<Step> steps_;
};

}  // namespace berth::apiserver
