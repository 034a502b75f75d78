#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/error.h"

namespace berth::load {

// A child process and its resource usage.
class ControllerProcess {
 public:
  struct Cost {
    double cpu_seconds = 0;
    double peak_mebibytes = 0;
    int exit_code = 0;
  };

  // The first argument is the program.
  static base::Result<ControllerProcess> Start(const std::vector<std::string>& arguments);

  void Signal(int signal) const;
  // Non-blocking.
  bool HasEnded();
  // Waits for it to exit.
  Cost Wait();
  // Stops it with SIGTERM.
  Cost Stop();

 private:
  explicit ControllerProcess(int pid) : pid_(pid) {}

  int pid_;
  std::optional<Cost> cost_;  // set after exit

  bool Collect(int options);
};

}  // namespace berth::load
