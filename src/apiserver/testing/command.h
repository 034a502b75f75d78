#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace berth::apiserver::testing {

struct CommandResult {
  int code = -1;  // exit code; 128 + signal if killed
  std::string out;
  std::string err;
};

// Runs a program and waits up to `timeout_seconds`. `environment` is added to that of this process.
CommandResult RunCommand(const std::vector<std::string>& arguments, std::string_view input = {},
                         const std::map<std::string, std::string>& environment = {},
                         int timeout_seconds = 60);

// A program that runs in the background until it is destroyed.
class BackgroundCommand {
 public:
  BackgroundCommand(const std::vector<std::string>& arguments,
                    const std::map<std::string, std::string>& environment);
  ~BackgroundCommand();
  BackgroundCommand(const BackgroundCommand&) = delete;
  BackgroundCommand& operator=(const BackgroundCommand&) = delete;

  // Reads output until `text` appears; false at the end of the output or on timeout.
  bool WaitFor(std::string_view text, int timeout_seconds = 30);
  void Signal(int signal);
  // Reads output until the program exits. The exit code as in CommandResult; -1 on timeout.
  int WaitForEnd(int timeout_seconds = 30);
  const std::string& out() const { return out_; }

 private:
  int process_ = -1;  // -1 after exit
  int pipe_ = -1;
  std::string out_;
};

// The path of a program on PATH; "" if not found.
std::string FindProgram(std::string_view name);

// kubectl, and a Python with the official Kubernetes client: installed, or built by
// tools/setup-clients in the source tree. "" if not found.
std::string FindKubectl(const std::string& source_dir);
std::string FindPythonWithClient(const std::string& source_dir);

}  // namespace berth::apiserver::testing
