#include "cli/input.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <set>
#include <system_error>

namespace berth::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kReadable = "check the path and its permissions";

bool IsManifest(const fs::path& path) {
  const fs::path extension = path.extension();
  return extension == ".yaml" || extension == ".yml" || extension == ".json";
}

bool IsHidden(const fs::path& path) { return path.filename().native().starts_with('.'); }

std::string ErrorText(const std::error_code& error) { return error.message(); }

class Finder {
 public:
  void Add(const std::string& path) {
    if (path == "-") return AddFile(path, path);
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (status.type() == fs::file_type::not_found)
      return Fail(path, "no such file or directory", kReadable);
    if (error) return Fail(path, ErrorText(error), kReadable);
    if (!fs::is_directory(status)) return AddFile(path, Canonical(path));
    const size_t before = found_;
    AddFolder(path);
    if (found_ == before && !has_failed_in_folder_)
      Fail(path, "directory contains no manifests", "manifests are files *.yaml, *.yml and *.json");
  }

  InputFiles Take() && { return std::move(input_); }

 private:
  static std::string Canonical(const fs::path& path) {
    std::error_code ignored;
    return fs::canonical(path, ignored).native();
  }

  void AddFile(const std::string& path, const std::string& identity) {
    ++found_;
    if (seen_files_.insert(identity).second) input_.files.push_back(path);
  }

  // Links may form cycles, so each directory is visited once.
  void AddFolder(const fs::path& folder) {
    if (!seen_folders_.insert(Canonical(folder)).second) return;
    std::error_code error;
    std::vector<fs::path> entries;
    for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
      entries.push_back(it->path());
    if (error) {
      has_failed_in_folder_ = true;
      Fail(folder.native(), ErrorText(error), kReadable);
    }
    std::ranges::sort(entries);
    for (const fs::path& entry : entries) {
      if (IsHidden(entry)) continue;
      std::error_code ignored;  // a dangling link is skipped
      const fs::file_status status = fs::status(entry, ignored);
      if (fs::is_directory(status)) {
        AddFolder(entry);
      } else if (fs::is_regular_file(status) && IsManifest(entry)) {
        AddFile(entry.native(), Canonical(entry));
      }
    }
  }

  void Fail(const std::string& path, std::string message, std::string hint) {
    input_.errors.push_back({std::move(message), std::move(hint), {path}});
  }

  InputFiles input_;
  std::set<std::string> seen_files_;
  std::set<std::string> seen_folders_;
  size_t found_ = 0;
  bool has_failed_in_folder_ = false;
};

class Descriptor {
 public:
  explicit Descriptor(const std::string& file)
      : is_owned_(file != "-"),
        number_(is_owned_ ? ::open(file.c_str(), O_RDONLY | O_CLOEXEC) : STDIN_FILENO) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (is_owned_ && number_ >= 0) ::close(number_);
  }

  int number() const { return number_; }

 private:
  bool is_owned_;
  int number_;
};

std::unexpected<base::Error> CannotRead(const std::string& file) {
  return std::unexpected(base::Error{std::strerror(errno), kReadable, {DisplayName(file)}});
}

std::unexpected<base::Error> TooLarge(const std::string& file, size_t max_bytes) {
  return std::unexpected(
      base::Error{"exceeds " + std::to_string(max_bytes >> 20) + " MiB and cannot be a manifest",
                  "split it into several files",
                  {DisplayName(file)}});
}

}  // namespace

InputFiles FindInputFiles(const std::vector<std::string>& paths) {
  Finder finder;
  for (const std::string& path : paths) finder.Add(path);
  return std::move(finder).Take();
}

base::Result<std::string> ReadInput(const std::string& file, size_t max_bytes) {
  const Descriptor descriptor(file);
  if (descriptor.number() < 0) return CannotRead(file);
  struct stat info = {};
  std::string text;
  size_t size = 0;
  if (::fstat(descriptor.number(), &info) == 0 && S_ISREG(info.st_mode)) {
    if (static_cast<size_t>(info.st_size) > max_bytes) return TooLarge(file, max_bytes);
    text.resize(static_cast<size_t>(info.st_size) + 1);  // room to detect growth
  }
  while (true) {
    if (size == text.size()) text.resize(std::max<size_t>(64 << 10, size * 2));
    const ssize_t got = ::read(descriptor.number(), text.data() + size, text.size() - size);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return CannotRead(file);
    if (got == 0) break;
    size += static_cast<size_t>(got);
    if (size > max_bytes) return TooLarge(file, max_bytes);
  }
  text.resize(size);
  return text;
}

std::string DisplayName(const std::string& file) { return file == "-" ? "<stdin>" : file; }

}  // namespace berth::cli
