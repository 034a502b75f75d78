#pragma once

#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>

namespace berth::cli::testing {

// A directory that is gone when the test ends.
class Folder {
 public:
  Folder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "berth-XXXXXX").native();
    path_ = mkdtemp(pattern.data());
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { std::filesystem::remove_all(path_); }

  const std::filesystem::path& path() const { return path_; }
  std::string operator/(std::string_view name) const { return (path_ / name).native(); }

  // Writes a file, and the directories around it, and returns its path.
  std::string Write(std::string_view name, std::string_view text) const {
    const std::filesystem::path file = path_ / name;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << text;
    return file.native();
  }

 private:
  std::filesystem::path path_;
};

inline std::string ReadFile(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return std::move(text).str();
}

struct Outcome {
  int exit_code = 0;
  std::string out;
  std::string err;
};

// Runs a line of shell, in which $BERTH is the program.
inline Outcome Shell(const std::string& line, std::string_view input = {}) {
  const Folder folder;
  const std::string in = folder.Write("in", input);
  const std::string script = folder.Write("script", line);
  const std::string command = "BERTH='" BERTH_BINARY "' NO_COLOR= TERM=xterm bash '" + script +
                              "' <'" + in + "' >'" + folder / "out" + "' 2>'" + folder / "err" +
                              "'";
  const int status = std::system(command.c_str());
  return {.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1,
          .out = ReadFile(folder / "out"),
          .err = ReadFile(folder / "err")};
}

}  // namespace berth::cli::testing
