#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "cli/output.h"

namespace berth::cli {

// A progress line with rate and remaining time on a terminal; nothing otherwise.
class Progress {
 public:
  Progress(Output& err, std::string label, uint64_t total);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // Cheap: redraws a few times a second.
  void Show(uint64_t done);

 private:
  using Clock = std::chrono::steady_clock;

  Output& err_;
  std::string label_;
  uint64_t total_;
  bool is_shown_;
  bool has_drawn_ = false;
  Clock::time_point begin_;
  Clock::time_point next_;
};

// While alive, records the first Ctrl-C instead of ending the program; a second one ends it.
class InterruptWatch {
 public:
  InterruptWatch();
  ~InterruptWatch();
  InterruptWatch(const InterruptWatch&) = delete;
  InterruptWatch& operator=(const InterruptWatch&) = delete;

  bool is_interrupted() const;
};

}  // namespace berth::cli
