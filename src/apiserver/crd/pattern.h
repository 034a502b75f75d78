#pragma once

#include <memory>
#include <string_view>
#include <utility>

#include "base/error.h"

namespace re2 {
class RE2;
}

namespace berth::apiserver {

// A regular expression in the syntax of Kubernetes schemas, which is RE2's: no back references, no
// look-around. Time is linear in the text and memory is bounded. Immutable, so threads may share
// it.
class StructuralPattern {
 public:
  // Fails if the text is not a regular expression. The error has a hint if Kubernetes may accept
  // the text nevertheless.
  static base::Result<StructuralPattern> Compile(std::string_view text);

  // Unanchored: true if any part of the text matches.
  bool Matches(std::string_view text) const;

 private:
  explicit StructuralPattern(std::shared_ptr<const re2::RE2> compiled)
      : compiled_(std::move(compiled)) {}

  std::shared_ptr<const re2::RE2> compiled_;  // never null
};

}  // namespace berth::apiserver
