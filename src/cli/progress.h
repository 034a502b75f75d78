#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "cli/output.h"

namespace berth::cli {

// One line on a terminal that says how far something is, how fast it goes and how long it will
// take. Nothing where no person is looking.
class Progress {
 public:
  Progress(Output& err, std::string what, uint64_t total);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // Cheap: draws a few times a second.
  void Show(uint64_t done);

 private:
  using Clock = std::chrono::steady_clock;

  Output& err_;
  std::string what_;
  uint64_t total_;
  bool is_shown_;
  bool has_drawn_ = false;
  Clock::time_point begin_;
  Clock::time_point next_;
};

// While it lives, Ctrl-C does not end the program but is remembered; a second one ends it.
class InterruptWatch {
 public:
  InterruptWatch();
  ~InterruptWatch();
  InterruptWatch(const InterruptWatch&) = delete;
  InterruptWatch& operator=(const InterruptWatch&) = delete;

  bool is_interrupted() const;
};

}  // namespace berth::cli
