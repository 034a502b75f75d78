#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "apiserver/http_message.h"

namespace berth::apiserver {

// Reads one HTTP/1.1 request out of bytes that come in pieces.
class HttpRequestReader {
 public:
  struct Limits {
    size_t header_bytes = 64 << 10;
    size_t body_bytes = 3 << 20;
  };
  explicit HttpRequestReader(const Limits& limits);
  ~HttpRequestReader();
  HttpRequestReader(HttpRequestReader&&) noexcept;
  HttpRequestReader& operator=(HttpRequestReader&&) noexcept;

  enum class State : uint8_t {
    kHeader,   // more is needed
    kBody,     // the header is there; more is needed
    kDone,     // all is there
    kRefused,  // this is no request, or too large
  };
  State state() const { return state_; }

  // Takes what it can use, and returns how many bytes that were: the others are to be given again
  // with what comes next, or, once it is done, belong to the next request.
  size_t Put(std::string_view bytes);

  // Once the header is there.
  std::string_view target() const;
  std::string_view authorization() const;
  bool is_head() const;
  bool keeps_alive() const;
  bool awaits_continue() const;

  // Once it is done, for one time. Nobody is its subject yet.
  HttpRequest Take();

  // What to answer if it is refused.
  HttpResponse Refusal() const;

 private:
  struct Parser;

  Limits limits_;
  State state_ = State::kHeader;
  std::unique_ptr<Parser> parser_;
};

}  // namespace berth::apiserver
