#pragma once

#include <string>
#include <string_view>

namespace berth::cli {

// Buffers what goes to a file descriptor. A reader that has seen enough (`berth crds | head`) is no
// error: what follows is dropped.
class Output {
 public:
  explicit Output(int descriptor) : descriptor_(descriptor) {}
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  Output& operator<<(std::string_view text);

  // Writes what is buffered. False if some of it could not be written, now or before, for another
  // reason than that nobody reads it.
  bool Flush();

  // Whether a person is looking.
  bool IsTerminal() const;

 private:
  int descriptor_;
  std::string buffer_;
  bool is_closed_ = false;
  bool has_failed_ = false;
};

}  // namespace berth::cli
