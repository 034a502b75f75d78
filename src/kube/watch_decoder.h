#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "store/call.h"
#include "store/failure.h"

namespace berth::kube {

// The events in the body of a watch: one JSON object a line, however the bytes were cut on their
// way.
class WatchDecoder {
 public:
  struct Limits {
    size_t line_bytes = 64 << 20;  // an event may not be longer
  };

  WatchDecoder() = default;
  explicit WatchDecoder(Limits limits) : limits_(limits) {}

  // The events that the bytes complete. A failure, which the server has told or which is what
  // cannot be read, is the last; nothing more is to be fed afterwards.
  std::vector<store::Outcome<store::Event>> Feed(std::string_view bytes);

 private:
  Limits limits_;
  std::string line_;  // what has come of the next one
};

// One line.
store::Outcome<store::Event> ReadWatchEvent(std::string_view line);

}  // namespace berth::kube
