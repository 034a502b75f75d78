#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

namespace berth::apiserver::testing {

// A directory of its own that goes when it does.
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

 private:
  std::filesystem::path path_;
};

}  // namespace berth::apiserver::testing
