#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace berth::apiserver::testing {

struct CommandResult {
  int code = -1;  // of the exit; 128 + signal if it was killed
  std::string out;
  std::string err;
};

// Runs a program with its arguments and waits for it, at most so many seconds. `environment` is
// added to what this process has.
CommandResult RunCommand(const std::vector<std::string>& arguments, std::string_view input = {},
                         const std::map<std::string, std::string>& environment = {},
                         int most_seconds = 60);

// A program that runs beside the test until it is destroyed.
class BackgroundCommand {
 public:
  BackgroundCommand(const std::vector<std::string>& arguments,
                    const std::map<std::string, std::string>& environment);
  ~BackgroundCommand();
  BackgroundCommand(const BackgroundCommand&) = delete;
  BackgroundCommand& operator=(const BackgroundCommand&) = delete;

  // Reads what it prints until `text` is there; false if it ends or nothing comes for so long.
  bool WaitFor(std::string_view text, int most_seconds = 30);
  void Signal(int signal);
  // Reads what it prints until it ends. Its code, as in CommandResult; -1 if it goes on for so
  // long.
  int WaitForEnd(int most_seconds = 30);
  const std::string& out() const { return out_; }

 private:
  int process_ = -1;  // -1 when it has ended
  int pipe_ = -1;
  std::string out_;
};

// Where a program is on the PATH; "" if it is nowhere.
std::string FindProgram(std::string_view name);

// kubectl, and a Python with the official Kubernetes client: the machine's own, or those that
// tools/setup-clients made in the tree of sources. "" if there is none.
std::string FindKubectl(const std::string& source_dir);
std::string FindPythonWithClient(const std::string& source_dir);

}  // namespace berth::apiserver::testing
