#include "load/processor_time.h"

#include <unistd.h>

#include <fstream>
#include <iterator>
#include <sstream>

namespace berth::load {

double ProcessorSeconds(int pid) {
  std::ifstream stream("/proc/" + std::to_string(pid) + "/stat");
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  const size_t name_end = text.rfind(')');  // the name may contain anything
  if (name_end == text.npos) return 0;
  std::istringstream fields(text.substr(name_end + 1));
  std::string skipped;
  for (int i = 0; i < 11; ++i) fields >> skipped;
  double user = 0, system = 0;
  fields >> user >> system;
  return (user + system) / static_cast<double>(sysconf(_SC_CLK_TCK));
}

ProcessorTimes ProcessorTimesOf(const std::filesystem::path& plane) {
  ProcessorTimes times{{"runner", ProcessorSeconds(getpid())}};
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(plane, error)) {
    if (entry.path().extension() != ".pid") continue;
    int pid = 0;
    std::ifstream(entry.path()) >> pid;
    times[entry.path().stem()] = ProcessorSeconds(pid);
  }
  return times;
}

ProcessorTimes Between(const ProcessorTimes& before, ProcessorTimes after) {
  for (auto& [name, seconds] : after)
    if (const auto found = before.find(name); found != before.end()) seconds -= found->second;
  return after;
}

}  // namespace berth::load
