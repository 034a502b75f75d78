#pragma once

#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>

#include "http/testing/directory.h"

namespace berth::cli::testing {

using Folder = http::testing::Directory;

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

// Runs a shell command in which $BERTH is the program.
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
