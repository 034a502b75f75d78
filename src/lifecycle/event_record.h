#pragma once

#include <cstdint>
#include <string>

namespace berth::lifecycle {

// An Event that a planner wants recorded about an object once its plan is written.
struct EventRecord {
  enum class About : uint8_t { kWorkload, kJob };
  About about = About::kWorkload;
  bool is_warning = false;
  std::string reason;
  std::string message;
  std::string action = {};  // "": the reason

  friend bool operator==(const EventRecord&, const EventRecord&) = default;
};

}  // namespace berth::lifecycle
