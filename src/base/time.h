#pragma once

#include <compare>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace berth::base {

// A length of time in nanoseconds, like Go's time.Duration.
struct Duration {
  int64_t nanos = 0;

  static constexpr Duration Seconds(int64_t s) { return {s * 1'000'000'000}; }
  static constexpr Duration Milliseconds(int64_t ms) { return {ms * 1'000'000}; }
  constexpr double seconds() const { return static_cast<double>(nanos) / 1e9; }

  friend constexpr auto operator<=>(Duration, Duration) = default;
};

// A point in time in microseconds since 1970 UTC: exact for both Kubernetes time types. Decisions
// never read a clock; times arrive with events.
struct Time {
  int64_t micros = 0;

  static constexpr Time FromSeconds(int64_t s) { return {s * 1'000'000}; }
  constexpr int64_t seconds() const {
    return micros / 1'000'000 - (micros % 1'000'000 < 0 ? 1 : 0);
  }

  friend constexpr auto operator<=>(Time, Time) = default;
  friend constexpr Time operator+(Time t, Duration d) { return {t.micros + d.nanos / 1000}; }
  friend constexpr Time operator-(Time t, Duration d) { return {t.micros - d.nanos / 1000}; }
  // Saturates at the limits of Duration, about 292 years; the zero time is further away.
  friend constexpr Duration operator-(Time a, Time b) {
    using Limits = std::numeric_limits<int64_t>;
    int64_t difference = 0, nanos = 0;
    if (__builtin_sub_overflow(a.micros, b.micros, &difference) ||
        __builtin_mul_overflow(difference, int64_t{1000}, &nanos))
      return {a < b ? Limits::min() : Limits::max()};
    return {nanos};
  }
};

// Year 1: Go's zero time, written for "not set". Earlier than any real time.
inline constexpr Time kZeroTime = Time::FromSeconds(-62135596800);

// RFC 3339 with any offset, truncated to microseconds. Nullopt if malformed or not a calendar date.
// As lenient as Go: the hour may have one digit, the fraction may start with a comma.
std::optional<Time> ParseTime(std::string_view text);
// "2026-01-02T15:04:05Z", truncated to seconds.
std::string FormatTime(Time time);
// "2026-01-02T15:04:05.000000Z".
std::string FormatMicroTime(Time time);
// Writes to a buffer of at least kMostTimeSize characters; returns the end.
inline constexpr size_t kMostTimeSize = 40;
char* WriteTime(char* at, Time time);
char* WriteMicroTime(char* at, Time time);

// Go's duration syntax: "1h30m", "1.5s", "-2us", "0".
std::optional<Duration> ParseDuration(std::string_view text);
// Go's form: "1h30m0s", "1.5s", "300ms", "0s".
std::string FormatDuration(Duration duration);

}  // namespace berth::base
