#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/error.h"

namespace berth::load {

// A program that runs beside this one, and what it has cost in the end.
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
  // Whether it has ended, without waiting.
  bool HasEnded();
  // Waits until it has ended.
  Cost Wait();
  // Ends it with SIGTERM.
  Cost Stop();

 private:
  explicit ControllerProcess(int pid) : pid_(pid) {}

  int pid_;
  std::optional<Cost> cost_;  // when it has ended

  bool Collect(int options);
};

}  // namespace berth::load
