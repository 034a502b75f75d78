#pragma once

#include <expected>
#include <string>
#include <string_view>

namespace berth::base {

// Where in the input something was found. Lines and columns count from 1; 0 means unknown.
struct Place {
  std::string file;
  int line = 0;
  int column = 0;

  friend bool operator==(const Place&, const Place&) = default;
};

// "file:12:7", "file:12", "file", "line 12" or "": as much as is known.
std::string ToString(const Place& place);

// What a user or the environment did wrong, as a value. The message says what is wrong; the hint,
// where there is one, says what to write or do instead.
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
