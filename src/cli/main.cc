#include <unistd.h>

#include <csignal>

#include "cli/command.h"

int main(int argc, char** argv) {
  using berth::cli::Output;
  // A closed pipe and a file at its size limit are detected by write errors.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  Output out(STDOUT_FILENO), err(STDERR_FILENO);
  const int code = berth::cli::Run(argc, argv, out, err);
  const bool is_written = out.Flush();
  if (!is_written) err << "berth: output not written completely; is the disk full?\n";
  err.Flush();
  return is_written ? code : berth::cli::kExitTrouble;
}
