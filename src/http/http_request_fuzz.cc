// Any bytes are a request, rejected with a proper status, or incomplete, regardless of how they are
// split. The first input byte is the piece size.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "apiserver/rest/target.h"
#include "base/check.h"
#include "http/request_reader.h"

namespace {

using namespace berth::http;
using State = RequestReader::State;

constexpr RequestReader::Limits kLimits{.header_bytes = 512, .body_bytes = 256};

struct Reading {
  State state = State::kHeader;
  Request request;
  int status = 0;
  size_t used = 0;
};

// Parses `text` in pieces of at most `piece` bytes.
Reading ReadInPieces(std::string_view text, size_t piece) {
  RequestReader reader(kLimits);
  Reading reading;
  size_t given = 0;
  while (given < text.size() && reader.state() != State::kDone &&
         reader.state() != State::kRefused) {
    given = std::min(text.size(), given + piece);
    reading.used += reader.Put(text.substr(reading.used, given - reading.used));
    CHECK(reading.used <= given);
  }
  reading.state = reader.state();
  if (reading.state == State::kDone) reading.request = reader.Take();
  if (reading.state == State::kRefused) reading.status = reader.Refusal().status;
  return reading;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  const Reading whole = ReadInPieces(text, text.size() + 1);
  const Reading cut = ReadInPieces(text, size_t{data[0]} + 1);
  CHECK((whole.state == State::kDone) == (cut.state == State::kDone));
  if (whole.state == State::kRefused) {
    CHECK(whole.status == 400 || whole.status == 413 || whole.status == 431);
  }
  if (whole.state != State::kDone) return 0;
  CHECK(whole.used == cut.used);
  CHECK(whole.request.body == cut.request.body && whole.request.target == cut.request.target);
  CHECK(whole.request.method == cut.request.method && whole.request.accept == cut.request.accept);
  CHECK(whole.request.body.size() <= kLimits.body_bytes);
  RestTarget::Parse(whole.request.target);
  return 0;
}
