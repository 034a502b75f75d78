#pragma once

// What planners want done. Plain data: a planner looks at objects and says this, the runner does
// it.

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/time.h"
#include "store/call.h"

namespace berth::control {

// What somebody who looks at an object should know of: becomes an Event about it.
struct Note {
  enum class About : uint8_t { kWorkload, kJob };
  About about = About::kWorkload;
  bool is_warning = false;
  std::string reason;
  std::string message;

  friend bool operator==(const Note&, const Note&) = default;
};

// Which of two states of one object is the earlier one. Servers count versions up.
bool IsOlderVersion(std::string_view a, std::string_view b);

}  // namespace berth::control
