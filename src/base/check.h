#pragma once

// CHECK(condition): an invariant of Berth itself, enabled in every build. A failed CHECK is a bug
// in this program. User and environment errors are values (error.h).

namespace berth::base {

// Prints the source location and the condition to standard error and aborts.
[[noreturn]] void CheckFailed(const char* file, int line, const char* condition);

}  // namespace berth::base

#define CHECK(condition)                  \
  (static_cast<bool>(condition) ? void(0) \
                                : ::berth::base::CheckFailed(__FILE__, __LINE__, #condition))
