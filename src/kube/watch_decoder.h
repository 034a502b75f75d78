#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "store/call.h"
#include "store/failure.h"

namespace berth::kube {

// Decodes the body of a watch, one JSON object per line, from chunks that may split lines.
class WatchDecoder {
 public:
  struct Limits {
    size_t line_bytes = 64 << 20;  // the longest event
  };

  WatchDecoder() = default;
  explicit WatchDecoder(Limits limits) : limits_(limits) {}

  // The events that the bytes complete. A failure, sent by the server or of decoding, is the last
  // element; do not pass more bytes afterwards.
  std::vector<store::Outcome<store::Event>> Decode(std::string_view bytes);

 private:
  Limits limits_;
  std::string line_;  // incomplete
};

// Decodes one line.
store::Outcome<store::Event> ReadWatchEvent(std::string_view line);

}  // namespace berth::kube
