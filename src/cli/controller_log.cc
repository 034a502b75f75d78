#include "cli/controller_log.h"

#include "cli/printable.h"
#include "schema/json/writer.h"
#include "store/system_time.h"

namespace berth::cli {

std::optional<LogLevel> ParseLogLevel(std::string_view text) {
  if (text == "panic") return LogLevel::kPanic;
  if (text == "error") return LogLevel::kError;
  const bool is_number =
      !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
  return is_number || text == "info" || text == "debug" ? std::optional(LogLevel::kInfo)
                                                        : std::nullopt;
}

std::string LogLine(LogLevel level, std::string_view message, base::Time time, bool is_json) {
  if (!is_json) return base::FormatMicroTime(time) + " " + Printable(message);
  schema::JsonWriter w;
  w.BeginObject().Member("level", level == LogLevel::kInfo ? "info" : "error");
  w.Member("ts", base::FormatMicroTime(time)).Member("logger", "berth").Member("msg", message);
  w.EndObject();
  return w.Take();
}

void ControllerLog::Add(LogLevel level, std::string_view message) {
  if (level > options_.level) return;
  const base::Time time = store::SystemTime();
  const std::lock_guard lock(mutex_);
  err_ << LogLine(level, message, time, options_.is_json) << "\n";
  err_.Flush();
}

}  // namespace berth::cli
