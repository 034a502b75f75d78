#pragma once

#include <filesystem>
#include <map>
#include <string>

namespace berth::load {

// Seconds of processor time by program.
using ProcessorTimes = std::map<std::string, double>;

// What a running process has used so far; 0 if there is none.
double ProcessorSeconds(int pid);

// What this process and the parts of a control plane have used so far. The parts are those of which
// `plane` has a PART.pid (see test/cluster/plane).
ProcessorTimes ProcessorTimesOf(const std::filesystem::path& plane);

// What was used between two such moments.
ProcessorTimes Between(const ProcessorTimes& before, ProcessorTimes after);

}  // namespace berth::load
