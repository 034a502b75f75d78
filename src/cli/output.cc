#include "cli/output.h"

#include <unistd.h>

#include <cerrno>

namespace berth::cli {

Output& Output::operator<<(std::string_view text) {
  constexpr size_t kFlushAt = 64 << 10;
  buffer_ += text;
  if (buffer_.size() >= kFlushAt) Flush();
  return *this;
}

bool Output::Flush() {
  std::string_view rest = buffer_;
  while (!rest.empty() && !is_closed_) {
    const ssize_t written = ::write(descriptor_, rest.data(), rest.size());
    if (written >= 0) {
      rest.remove_prefix(static_cast<size_t>(written));
    } else if (errno != EINTR) {
      is_closed_ = true;
      has_failed_ = errno != EPIPE;
    }
  }
  buffer_.clear();
  return !has_failed_;
}

bool Output::IsTerminal() const { return ::isatty(descriptor_) == 1; }

}  // namespace berth::cli
