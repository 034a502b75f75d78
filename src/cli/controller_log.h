#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "base/time.h"
#include "cli/output.h"

namespace berth::cli {

// Log levels, named as in Kueue.
enum class LogLevel : uint8_t { kPanic, kError, kInfo };

// "panic" logs nothing, "error" failures; "info", "debug" and numbers log everything. Nullopt for
// anything else.
std::optional<LogLevel> ParseLogLevel(std::string_view text);

// One line without a line break. JSON has the keys of Kueue's log.
std::string LogLine(LogLevel level, std::string_view message, base::Time time, bool is_json);

// Timestamped log lines. Thread-safe.
class ControllerLog {
 public:
  struct Options {
    LogLevel level = LogLevel::kInfo;  // maximum level
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
