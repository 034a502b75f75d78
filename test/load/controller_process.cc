#include "load/controller_process.h"

#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstring>

namespace berth::load {

base::Result<ControllerProcess> ControllerProcess::Start(
    const std::vector<std::string>& arguments) {
  std::vector<char*> words;
  words.reserve(arguments.size() + 1);
  for (const std::string& argument : arguments)
    words.push_back(const_cast<char*>(argument.c_str()));
  words.push_back(nullptr);
  pid_t pid = 0;
  if (const int error = posix_spawnp(&pid, words[0], nullptr, nullptr, words.data(), environ);
      error != 0)
    return base::Fail(arguments[0] + " cannot be started: " + std::strerror(error));
  return ControllerProcess(pid);
}

void ControllerProcess::Signal(int signal) const {
  if (!cost_) kill(pid_, signal);
}

bool ControllerProcess::Collect(int options) {
  if (cost_) return true;
  int status = 0;
  rusage usage{};
  if (wait4(pid_, &status, options, &usage) != pid_) return false;
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  cost_ = {.cpu_seconds = seconds(usage.ru_utime) + seconds(usage.ru_stime),
           .peak_mebibytes = static_cast<double>(usage.ru_maxrss) / 1024,
           .exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status)};
  return true;
}

bool ControllerProcess::HasEnded() { return Collect(WNOHANG); }

ControllerProcess::Cost ControllerProcess::Wait() {
  while (!Collect(0)) {
  }
  return *cost_;
}

ControllerProcess::Cost ControllerProcess::Stop() {
  Signal(SIGTERM);
  return Wait();
}

}  // namespace berth::load
