#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace berth::http::testing {

// A temporary directory, removed with the object.
class Directory {
 public:
  Directory() {
    std::string name = (std::filesystem::temp_directory_path() / "berth.XXXXXX").string();
    path_ = mkdtemp(name.data());
  }
  ~Directory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Directory(const Directory&) = delete;
  Directory& operator=(const Directory&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::string operator/(std::string_view name) const { return (path_ / name).native(); }

  // Writes a file, creates its parent directories, and returns its path.
  std::string Write(std::string_view name, std::string_view text) const {
    const std::filesystem::path file = path_ / name;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << text;
    return file.native();
  }

 private:
  std::filesystem::path path_;
};

}  // namespace berth::http::testing
