#pragma once

#include <string>
#include <string_view>

namespace berth::cli {

// Buffered writer to a file descriptor. A closed pipe (`berth crds | head`) is not an error: later
// output is dropped.
class Output {
 public:
  explicit Output(int descriptor) : descriptor_(descriptor) {}
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  Output& operator<<(std::string_view text);

  // Flushes the buffer. False if any write so far failed for a reason other than a closed pipe.
  bool Flush();

  // True for an interactive terminal.
  bool IsTerminal() const;

 private:
  int descriptor_;
  std::string buffer_;
  bool is_closed_ = false;
  bool has_failed_ = false;
};

}  // namespace berth::cli
