#pragma once

// CHECK(condition): an invariant of Berth itself, on in every build. A failed CHECK is a bug in
// this program, never something that a user or the environment did; those are Errors (error.h).

namespace berth::base {

// Prints the place and the condition to standard error and aborts.
[[noreturn]] void CheckFailed(const char* file, int line, const char* condition);

}  // namespace berth::base

#define CHECK(condition)                  \
  (static_cast<bool>(condition) ? void(0) \
                                : ::berth::base::CheckFailed(__FILE__, __LINE__, #condition))
