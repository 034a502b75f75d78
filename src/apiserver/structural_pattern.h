#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace berth::apiserver {

// A regular expression in the syntax that schemas use (RE2: no back references, no look-around),
// matched in time linear in the text, so that no pattern and no text can hold a server up.
//
// Characters, ".", classes with ranges and \d \w \s, [[:alpha:]] and the like, groups,
// alternatives, * + ? {m,n} (lazy ones too), ^ $ \A \z \b \B, and (?i) in front.
class StructuralPattern {
 public:
  // Fails if the text is no regular expression. Fails with a hint if it may be one, but is too
  // large or uses what is not supported (\p{…}, flags other than i).
  static base::Result<StructuralPattern> Compile(std::string_view text);

  // Whether some part of the text matches.
  bool Matches(std::string_view text) const;

  struct Range {
    uint32_t first = 0;
    uint32_t last = 0;
  };
  enum class Op : uint8_t {
    kCharacter,  // one of `ranges`, or none of them
    kSplit,      // go on at both targets
    kJump,
    kBegin,  // only at the beginning
    kEnd,
    kWordBoundary,
    kNoWordBoundary,
    kMatch,
  };
  struct Step {
    Op op = Op::kMatch;
    bool is_negated = false;
    std::vector<Range> ranges;
    uint32_t target = 0;
    uint32_t other = 0;
  };

 private:
  explicit StructuralPattern(std::vector<Step> steps) : steps_(std::move(steps)) {}

  std::vector<Step> steps_;
};

}  // namespace berth::apiserver
