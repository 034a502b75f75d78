#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "store/json.h"

namespace berth::apiserver {

// The part of kubectl's JSONPath that printer columns use: `.a.b`, `['a.b']`, `.a\.b`, `[0]`,
// `[-1]`, `[*]` and `[?(@.type=="Ready")]` with ==, !=, <, <=, >, >= against a text, a number, true
// or false, or with nothing, which asks whether the field is there.
class TablePath {
 public:
  static base::Result<TablePath> Parse(std::string_view text);

  // Everything that the path leads to, in the order of the document.
  std::vector<const store::json::value*> Find(const store::json::value& root) const;

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
    // kFilter.
    std::vector<Step> path;
    Comparison comparison = Comparison::kExists;
    store::json::value operand;
  };
  class Parser;

  static void Take(const Step& step, const store::json::value& from,
                   std::vector<const store::json::value*>& out);
  static std::vector<const store::json::value*> Walk(const std::vector<Step>& steps,
                                                     const store::json::value& root);
  static bool Passes(const Step& filter, const store::json::value& element);
  static bool Compare(Comparison comparison, const store::json::value& left,
                      const store::json::value& right);

  std::vector<Step> steps_;
};

}  // namespace berth::apiserver
