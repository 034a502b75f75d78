#pragma once

#include <expected>
#include <string>
#include <string_view>

namespace berth::base {

// A location in the input. Lines and columns count from 1; 0 means unknown.
struct Place {
  std::string file;
  int line = 0;
  int column = 0;

  friend bool operator==(const Place&, const Place&) = default;
};

// "file:12:7", "file:12", "file", "line 12" or "", depending on the known parts.
std::string ToString(const Place& place);

// A user or environment error as a value. The message states the problem; the optional hint states
// what to write or do instead.
struct Error {
  std::string message;
  std::string hint;
  Place place;

  friend bool operator==(const Error&, const Error&) = default;
};

// "place: message (hint)".
std::string ToString(const Error& error);

template <class T>
using Result = std::expected<T, Error>;

inline std::unexpected<Error> Fail(std::string message, std::string hint = {}) {
  return std::unexpected(Error{std::move(message), std::move(hint), {}});
}

}  // namespace berth::base
