#include "observe/process_samples.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace berth::observe {
namespace {

std::string ReadProcFile(const char* path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

double CountOpenFiles() {
  std::error_code error;
  double count = 0;
  for (std::filesystem::directory_iterator it("/proc/self/fd", error), end; !error && it != end;
       it.increment(error))
    ++count;
  return count;
}

// Time of boot, in seconds since 1970.
double BootSeconds() {
  double uptime = 0;
  std::ifstream("/proc/uptime") >> uptime;
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration<double>(now).count() - uptime;
}

}  // namespace

std::optional<ProcessStat> ParseProcessStat(std::string_view stat, double ticks_per_second,
                                            double page_bytes) {
  // The name may contain anything and ends with the last parenthesis. The fields after it start at
  // 3; used are 14 and 15 (CPU time), 22 (start) and 24 (pages).
  const size_t name_end = stat.rfind(')');
  if (name_end == std::string_view::npos) return std::nullopt;
  stat.remove_prefix(name_end + 1);
  std::array<double, 25> fields{};
  for (size_t i = 3; i < fields.size(); ++i) {
    stat.remove_prefix(std::min(stat.find_first_not_of(' '), stat.size()));
    const size_t end = std::min(stat.find(' '), stat.size());
    if (end == 0) return std::nullopt;
    if (i > 3) std::from_chars(stat.data(), stat.data() + end, fields[i]);
    stat.remove_prefix(end);
  }
  return ProcessStat{.cpu_seconds = (fields[14] + fields[15]) / ticks_per_second,
                     .resident_bytes = fields[24] * page_bytes,
                     .started_seconds = fields[22] / ticks_per_second};
}

std::vector<Sample> ProcessSamples() {
  static const double kBoot =
      BootSeconds();  // cached, so that setting the clock does not move the start time
  const auto stat =
      ParseProcessStat(ReadProcFile("/proc/self/stat"), static_cast<double>(sysconf(_SC_CLK_TCK)),
                       static_cast<double>(sysconf(_SC_PAGESIZE)));
  if (!stat) return {};
  return {{Metric::kProcessCpu, {}, stat->cpu_seconds},
          {Metric::kProcessMemory, {}, stat->resident_bytes},
          {Metric::kProcessStart, {}, kBoot + stat->started_seconds},
          {Metric::kProcessFiles, {}, CountOpenFiles()}};
}

}  // namespace berth::observe
