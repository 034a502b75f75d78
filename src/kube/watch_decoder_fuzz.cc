// Decoding does not depend on how the bytes are split. Input: the size of the pieces, then the
// stream.

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/check.h"
#include "kube/watch_decoder.h"

namespace {

std::vector<std::string> DecodeStream(std::string_view stream, size_t piece) {
  std::vector<std::string> told;
  berth::kube::WatchDecoder decoder({.line_bytes = 4096});
  for (size_t at = 0; at < stream.size(); at += piece) {
    for (const auto& event : decoder.Decode(stream.substr(at, piece))) {
      if (!event) return told;  // the failure may be noticed at different places
      told.emplace_back(event->object.text());
    }
  }
  return told;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const std::string_view stream(reinterpret_cast<const char*>(data) + 1, size - 1);
  CHECK(DecodeStream(stream, std::max<size_t>(data[0], 1)) ==
        DecodeStream(stream, std::max<size_t>(stream.size(), 1)));
  return 0;
}
