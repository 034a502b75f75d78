#pragma once

#include <filesystem>
#include <map>
#include <string>

namespace berth::load {

// CPU seconds by program.
using ProcessorTimes = std::map<std::string, double>;

// CPU time of a running process; 0 if it does not exist.
double ProcessorSeconds(int pid);

// CPU time of this process and of the control plane's parts, found by their PART.pid in `plane`
// (see test/cluster/plane).
ProcessorTimes ProcessorTimesOf(const std::filesystem::path& plane);

// The difference of two measurements.
ProcessorTimes Between(const ProcessorTimes& before, ProcessorTimes after);

}  // namespace berth::load
