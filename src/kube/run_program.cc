#include "kube/run_program.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstring>

namespace berth::kube {
namespace {

using ProgramClock = std::chrono::steady_clock;

constexpr size_t kMostPrinted = 1 << 20;

std::vector<std::string> FullEnvironment(
    const std::vector<std::pair<std::string, std::string>>& added) {
  std::vector<std::string> variables;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string_view text(*variable);
    const std::string_view name = text.substr(0, text.find('='));
    bool is_replaced = false;
    for (const auto& [added_name, value] : added) is_replaced |= added_name == name;
    if (!is_replaced) variables.emplace_back(text);
  }
  for (const auto& [name, value] : added) variables.push_back(name + "=" + value);
  return variables;
}

std::vector<char*> Pointers(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

// Reads to the end of the output. "" on success, otherwise the error.
std::string ReadPrinted(int file, ProgramClock::time_point end, std::string& printed) {
  while (true) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(end - ProgramClock::now()).count();
    pollfd waiting{file, POLLIN, 0};
    if (left <= 0 || poll(&waiting, 1, static_cast<int>(left)) <= 0) return "it takes too long";
    std::array<char, 4096> room;
    const ssize_t size = read(file, room.data(), room.size());
    if (size <= 0) return "";
    printed.append(room.data(), static_cast<size_t>(size));
    if (printed.size() > kMostPrinted) return "it prints too much";
  }
}

int Spawn(const std::string& command, std::vector<std::string> arguments,
          std::vector<std::string> environment, int out_file, pid_t& process) {
  arguments.insert(arguments.begin(), command);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, out_file, STDOUT_FILENO);
  const int error = posix_spawnp(&process, command.c_str(), &actions, nullptr,
                                 Pointers(arguments).data(), Pointers(environment).data());
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

}  // namespace

base::Result<std::string> RunProgram(
    const std::string& command, const std::vector<std::string>& arguments,
    const std::vector<std::pair<std::string, std::string>>& environment, base::Duration limit) {
  std::array<int, 2> ends;
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return base::Fail(std::strerror(errno));
  pid_t process = -1;
  const int error = Spawn(command, arguments, FullEnvironment(environment), ends[1], process);
  close(ends[1]);
  if (error != 0) {
    close(ends[0]);
    return base::Fail(std::string("cannot be run: ") + std::strerror(error));
  }
  std::string printed;
  std::string trouble =
      ReadPrinted(ends[0], ProgramClock::now() + std::chrono::nanoseconds(limit.nanos), printed);
  close(ends[0]);
  if (!trouble.empty()) kill(process, SIGKILL);
  int status = 0;
  waitpid(process, &status, 0);
  if (trouble.empty() && (!WIFEXITED(status) || WEXITSTATUS(status) != 0))
    trouble = WIFEXITED(status) ? "it ended with code " + std::to_string(WEXITSTATUS(status))
                                : "it was killed";
  if (!trouble.empty()) return base::Fail(trouble);
  return printed;
}

}  // namespace berth::kube
