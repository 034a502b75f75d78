#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "base/time.h"
#include "cli/output.h"

namespace berth::cli {

// How much is said: Kueue's words for it.
enum class LogLevel : uint8_t { kPanic, kError, kInfo };

// "panic" says nothing, "error" what goes wrong; "info", "debug" and numbers say all. Nullopt for
// anything else.
std::optional<LogLevel> ParseLogLevel(std::string_view text);

// Without a line break. JSON has the keys that Kueue's log has.
std::string LogLine(LogLevel level, std::string_view message, base::Time time, bool is_json);

// Lines with their time, from any thread.
class ControllerLog {
 public:
  struct Options {
    LogLevel level = LogLevel::kInfo;  // at most this
    bool is_json = false;
  };
  ControllerLog(Output& err, Options options) : err_(err), options_(options) {}

  void Add(LogLevel level, std::string_view message);

 private:
  std::mutex mutex_;
  Output& err_;
  const Options options_;
};

}  // namespace berth::cli
