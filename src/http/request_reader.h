#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "http/message.h"

namespace berth::http {

// Incremental parser of one HTTP/1.1 request.
class RequestReader {
 public:
  struct Limits {
    size_t header_bytes = 64 << 10;
    size_t body_bytes = 3 << 20;
  };
  explicit RequestReader(const Limits& limits);
  ~RequestReader();
  RequestReader(RequestReader&&) noexcept;
  RequestReader& operator=(RequestReader&&) noexcept;

  enum class State : uint8_t {
    kHeader,   // needs more input
    kBody,     // header complete; needs more input
    kDone,     // request complete
    kRefused,  // malformed or too large
  };
  State state() const { return state_; }

  // Returns the number of bytes consumed. Pass the rest again with the next input; once the state
  // is kDone, the rest belongs to the next request.
  size_t Put(std::string_view bytes);

  // Valid once the header is complete.
  std::string_view target() const;
  std::string_view authorization() const;
  bool is_head() const;
  bool keeps_alive() const;
  bool awaits_continue() const;

  // Call once, in state kDone. The subject is still empty.
  Request Take();

  // The response to send in state kRefused.
  Response Refusal() const;

 private:
  struct Parser;

  Limits limits_;
  State state_ = State::kHeader;
  std::unique_ptr<Parser> parser_;
};

}  // namespace berth::http
