#include "http/private_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "store/read_file.h"

namespace berth::http {
namespace {

std::unexpected<base::Error> CannotWrite(const std::filesystem::path& path) {
  return base::Fail("cannot write " + path.string() + ": " + std::strerror(errno),
                    "choose a writable directory");
}

bool WriteAll(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(file, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    text.remove_prefix(static_cast<size_t>(written));
  }
  return fsync(file) == 0;
}

}  // namespace

base::Result<void> WritePrivateFile(const std::filesystem::path& path, std::string_view text) {
  // mkostemp creates the file with mode 0600 and a unique name.
  std::string temporary = path.string() + ".XXXXXX";
  const int file = mkostemp(temporary.data(), O_CLOEXEC);
  if (file < 0) return CannotWrite(path);
  const bool is_written = WriteAll(file, text);
  const bool is_closed = close(file) == 0;
  if (!is_written || !is_closed || rename(temporary.c_str(), path.c_str()) != 0) {
    const auto failure = CannotWrite(path);
    unlink(temporary.c_str());
    return failure;
  }
  return {};
}

base::Result<void> MakePrivateDirectory(const std::filesystem::path& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (!error)
    std::filesystem::permissions(path, std::filesystem::perms::owner_all,
                                 std::filesystem::perm_options::replace, error);
  if (error)
    return base::Fail("cannot create the directory " + path.string() + ": " + error.message(),
                      "choose a writable location");
  return {};
}

std::optional<std::string> ReadWholeFile(const std::filesystem::path& path) {
  auto text = store::ReadFile(path);
  if (!text) return std::nullopt;
  return *std::move(text);
}

}  // namespace berth::http
