#include "apiserver/testing/command.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <utility>

namespace berth::apiserver::testing {
namespace {

using Clock = std::chrono::steady_clock;

struct Pipe {
  int read_end = -1;
  int write_end = -1;

  Pipe() {
    std::array<int, 2> ends;
    if (pipe2(ends.data(), O_CLOEXEC) != 0) return;
    read_end = ends[0];
    write_end = ends[1];
  }
};

// Runs in the child; returns only if exec fails.
void Exec(const std::vector<std::string>& arguments,
          const std::map<std::string, std::string>& environment) {
  for (const auto& [name, value] : environment) setenv(name.c_str(), value.c_str(), 1);
  std::vector<char*> texts;
  for (const std::string& argument : arguments) texts.push_back(strdup(argument.c_str()));
  texts.push_back(nullptr);
  execvp(texts[0], texts.data());
  _exit(127);
}

int CodeOf(int status) { return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status); }

// Appends available output; false at the end.
bool ReadSome(int file, std::string& out) {
  char buffer[4096];
  const ssize_t size = read(file, buffer, sizeof(buffer));
  if (size <= 0) return false;
  out.append(buffer, static_cast<size_t>(size));
  return true;
}

void WriteAndClose(int file, std::string_view text) {
  std::signal(SIGPIPE, SIG_IGN);  // the program may ignore its input
  while (!text.empty()) {
    const ssize_t size = write(file, text.data(), text.size());
    if (size <= 0) break;
    text.remove_prefix(static_cast<size_t>(size));
  }
  close(file);
}

// Reads both to the end. False on timeout.
bool ReadBoth(int out_file, std::string& out, int err_file, std::string& err,
              Clock::time_point deadline) {
  std::array<pollfd, 2> files{{{out_file, POLLIN, 0}, {err_file, POLLIN, 0}}};
  std::array<std::string*, 2> texts{&out, &err};
  while (files[0].fd >= 0 || files[1].fd >= 0) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    if (left <= 0 || poll(files.data(), files.size(), static_cast<int>(left)) <= 0) return false;
    for (size_t i = 0; i < files.size(); ++i) {
      if (files[i].fd >= 0 && files[i].revents != 0 && !ReadSome(files[i].fd, *texts[i]))
        files[i].fd = -1;
    }
  }
  return true;
}

}  // namespace

CommandResult RunCommand(const std::vector<std::string>& arguments, std::string_view input,
                         const std::map<std::string, std::string>& environment,
                         int timeout_seconds) {
  const Pipe in;
  const Pipe out;
  const Pipe err;
  const pid_t process = fork();
  if (process == 0) {
    dup2(in.read_end, 0);
    dup2(out.write_end, 1);
    dup2(err.write_end, 2);
    Exec(arguments, environment);
  }
  close(in.read_end);
  close(out.write_end);
  close(err.write_end);
  WriteAndClose(in.write_end, input);
  CommandResult result;
  if (!ReadBoth(out.read_end, result.out, err.read_end, result.err,
                Clock::now() + std::chrono::seconds(timeout_seconds))) {
    result.err += "\n(it took too long and was killed)";
    kill(process, SIGKILL);
  }
  int status = 0;
  waitpid(process, &status, 0);
  close(out.read_end);
  close(err.read_end);
  result.code = CodeOf(status);
  return result;
}

BackgroundCommand::BackgroundCommand(const std::vector<std::string>& arguments,
                                     const std::map<std::string, std::string>& environment) {
  const Pipe out;
  process_ = fork();
  if (process_ == 0) {
    dup2(out.write_end, 1);
    dup2(out.write_end, 2);
    Exec(arguments, environment);
  }
  close(out.write_end);
  pipe_ = out.read_end;
}

BackgroundCommand::~BackgroundCommand() {
  Signal(SIGTERM);
  if (process_ > 0) waitpid(process_, nullptr, 0);
  close(pipe_);
}

void BackgroundCommand::Signal(int signal) {
  if (process_ > 0) kill(process_, signal);
}

int BackgroundCommand::WaitForEnd(int timeout_seconds) {
  const auto deadline = Clock::now() + std::chrono::seconds(timeout_seconds);
  while (true) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    pollfd file{pipe_, POLLIN, 0};
    if (left <= 0 || poll(&file, 1, static_cast<int>(left)) <= 0) return -1;
    if (!ReadSome(pipe_, out_)) break;
  }
  int status = 0;
  waitpid(std::exchange(process_, -1), &status, 0);
  return CodeOf(status);
}

bool BackgroundCommand::WaitFor(std::string_view text, int timeout_seconds) {
  const auto deadline = Clock::now() + std::chrono::seconds(timeout_seconds);
  while (out_.find(text) == std::string::npos) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    pollfd file{pipe_, POLLIN, 0};
    if (left <= 0 || poll(&file, 1, static_cast<int>(left)) <= 0 || !ReadSome(pipe_, out_))
      return false;
  }
  return true;
}

std::string FindProgram(std::string_view name) {
  const char* variable = std::getenv("PATH");
  std::string_view path = variable != nullptr ? variable : "";
  while (!path.empty()) {
    const size_t end = std::min(path.find(':'), path.size());
    const std::filesystem::path candidate = std::filesystem::path(path.substr(0, end)) / name;
    if (access(candidate.c_str(), X_OK) == 0) return candidate.string();
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  return {};
}

std::string FindKubectl(const std::string& source_dir) {
  std::string found = FindProgram("kubectl");
  const std::string made = source_dir + "/build/clients/kubectl";
  if (!found.empty()) return found;
  return access(made.c_str(), X_OK) == 0 ? made : "";
}

std::string FindPythonWithClient(const std::string& source_dir) {
  const char* chosen = std::getenv("BERTH_PYTHON");
  for (const std::string& python :
       {std::string(chosen != nullptr ? chosen : ""),
        source_dir + "/build/clients/python/bin/python3", std::string("python3")}) {
    if (!python.empty() && RunCommand({python, "-c", "import kubernetes"}).code == 0) return python;
  }
  return {};
}

}  // namespace berth::apiserver::testing
