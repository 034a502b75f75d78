#include "kube/files.h"

#include <cerrno>
#include <cstring>
#include <fstream>

namespace berth::kube {

base::Result<std::string> ReadFileText(const std::string& path) {
  constexpr std::streamsize kMost = 16 << 20;
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  std::string text;
  if (file) {
    text.resize(kMost);
    file.read(text.data(), kMost);
    text.resize(static_cast<size_t>(file.gcount()));
  }
  if (file.eof() && !file.bad()) return text;
  return base::Fail(
      "cannot read " + path + ": " + (errno != 0 ? std::strerror(errno) : "it is too large"),
      "give a file that is there and may be read");
}

}  // namespace berth::kube
