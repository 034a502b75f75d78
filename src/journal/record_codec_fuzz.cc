// Segments of any content: reading one takes bounded time, crashes nothing, and what is read can be
// written and read again.

#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "journal/player.h"
#include "journal/record_codec.h"
#include "journal/segment.h"

using namespace berth::journal;

namespace {

void Read(std::string_view bytes, Player& player) {
  RecordDecoder decoder, again;
  RecordEncoder encoder;
  FrameReader frames(bytes);
  while (const auto frame = frames.Next()) {
    const auto record = decoder.Decode(*frame);
    if (!record) return;
    std::string text;
    encoder.Encode(*record, text);
    CHECK(again.Decode(text) == record);
    static_cast<void>(player.Play(*record));
  }
}

// The bytes as frames with right checksums: else no mutation gets behind them.
std::string Framed(std::string_view bytes) {
  std::string text(kMagic);
  for (size_t end; !bytes.empty(); bytes.remove_prefix(std::min(end + 1, bytes.size()))) {
    end = std::min(bytes.find('\n'), bytes.size());
    AppendFrame(text, [&](std::string& out) { out.append(bytes.substr(0, end)); });
  }
  return text;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  Player raw, framed;
  Read(bytes, raw);
  Read(Framed(bytes), framed);
  return 0;
}
