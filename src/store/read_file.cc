#include "store/read_file.h"

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

namespace berth::store {
namespace {

std::unexpected<base::Error> NotReadable(const std::filesystem::path& path,
                                         const std::string& why) {
  return base::Fail("cannot read " + path.string() + ": " + why,
                    "check the path and its permissions");
}

}  // namespace

base::Result<std::string> ReadFile(const std::filesystem::path& path, size_t most_bytes) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rbe"),
                                                             &std::fclose);
  if (file == nullptr) return NotReadable(path, std::strerror(errno));
  std::string text;
  std::array<char, 1 << 16> piece;
  while (const size_t size = std::fread(piece.data(), 1, piece.size(), file.get())) {
    if (size > most_bytes - text.size())
      return NotReadable(path, "more than " + std::to_string(most_bytes) + " bytes");
    text.append(piece.data(), size);
  }
  if (std::ferror(file.get()) != 0) return NotReadable(path, std::strerror(errno));
  return text;
}

}  // namespace berth::store
