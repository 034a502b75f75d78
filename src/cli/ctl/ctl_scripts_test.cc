#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/testing/process.h"

namespace berth::cli {
namespace {

using ::testing::AllOf;
using testing::Folder;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::Outcome;
using testing::Shell;

TEST(CtlCompletion, IsLegalInEveryShell) {
  for (const std::string shell : {"bash", "zsh", "fish"}) {
    const Outcome printed = Shell("$BERTH ctl completion " + shell);
    EXPECT_EQ(printed.exit_code, 0) << printed.err;
    if (Shell("command -v " + shell).exit_code != 0) continue;
    const Outcome checked = Shell("$BERTH ctl completion " + shell + " | " + shell + " -n");
    EXPECT_EQ(checked.exit_code, 0) << shell << ": " << checked.err;
  }
}

TEST(CtlCompletion, CompletesInBash) {
  const Folder folder;
  std::filesystem::create_symlink(BERTH_BINARY, folder.path() / "kubectl-kueue");
  const auto complete = [&](const std::string& words) {
    return Shell("PATH='" + folder.path().native() +
                 "':$PATH; source <($BERTH ctl completion bash) && compopt() { :; } && "
                 "COMP_WORDS=(" +
                 words +
                 ") && COMP_CWORD=$((${#COMP_WORDS[@]} - 1)) && "
                 "_kubectl_kueue && echo \"${COMPREPLY[*]}\"")
        .out;
  };
  EXPECT_EQ(complete("kubectl-kueue cre"), "create\n");
  EXPECT_EQ(complete("kubectl-kueue stop loc"), "localqueue\n");
  EXPECT_EQ(complete("kubectl-kueue create cq a --dry-run = cl"), "client\n");
  EXPECT_EQ(complete("kueuectl list workload --stat"), "--status\n");
}

TEST(CtlHelp, ShowsEachCommand) {
  const std::string help = Shell("$BERTH ctl --help").out;
  for (const std::string command :
       {"create clusterqueue", "list pods", "stop workload", "resume localqueue", "delete workload",
        "explain", "eta", "plan", "tree", "top", "version", "completion"}) {
    EXPECT_THAT(help, HasSubstr("\n  " + command));
    const Outcome own = Shell("$BERTH ctl help " + command);
    EXPECT_EQ(own.exit_code, 0) << own.err;
    EXPECT_THAT(own.out, HasSubstr("Usage: berth ctl " + command));
    EXPECT_THAT(own.out, AllOf(HasSubstr("Examples:\n  "), Not(HasSubstr("kubectl kueue "))));
  }
}

}  // namespace
}  // namespace berth::cli
