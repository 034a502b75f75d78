// End-to-end tests of the other subcommands.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <sstream>

#include "cli/input.h"
#include "cli/testing/process.h"
#include "schema/decode.h"

namespace berth::cli {
namespace {

using ::testing::EndsWith;
using testing::Folder;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::IsSupersetOf;
using ::testing::Not;
using testing::Outcome;
using testing::ReadFile;
using testing::Shell;
using ::testing::StartsWith;

// Every subcommand listed by --help.
std::vector<std::string> Commands() {
  const std::string help = Shell("$BERTH --help").out;
  std::istringstream lines(help.substr(std::min(help.find("Subcommands:"), help.size())));
  std::vector<std::string> commands;
  for (std::string line; std::getline(lines, line);) {
    std::smatch match;
    if (std::regex_search(line, match, std::regex("^  ([a-z]+) "))) commands.push_back(match[1]);
  }
  return commands;
}

TEST(Berth, ExplainsItself) {
  EXPECT_EQ(Shell("$BERTH --help").exit_code, 0);
  EXPECT_THAT(Commands(), IsSupersetOf({"lint", "crds", "version", "completion"}));
  for (const std::string& command : Commands()) {
    const Outcome own = Shell("$BERTH " + command + " --help");
    EXPECT_EQ(own.exit_code, 0);
    EXPECT_THAT(own.out, HasSubstr("Usage: berth " + command));
    EXPECT_THAT(own.out, EndsWith("\n"));
  }
}

TEST(Berth, SuggestsSimilarCommands) {
  const Outcome command = Shell("$BERTH lnt x");
  EXPECT_EQ(command.exit_code, 2);
  EXPECT_THAT(command.err, HasSubstr("unknown command \"lnt\"\n  did you mean \"lint\"?"));
  const Outcome option = Shell("$BERTH lint --stric x");
  EXPECT_EQ(option.exit_code, 2);
  EXPECT_THAT(option.err, HasSubstr("\"--stric\"\n  did you mean \"--strict\"?"));
  const Outcome nothing = Shell("$BERTH");
  EXPECT_EQ(nothing.exit_code, 2);
  EXPECT_THAT(nothing.err, HasSubstr("Usage: berth"));
}

TEST(Berth, IgnoresAClosedPipe) {
  const Outcome outcome = Shell("set -o pipefail; $BERTH crds | head -c 1");
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_THAT(outcome.err, IsEmpty());
}

TEST(Berth, ReportsAFullDisk) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "/dev/full not found";
  const Outcome outcome = Shell("$BERTH crds > /dev/full");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("is the disk full?"));
}

// --- crds --------------------------------------------------------------------------------------

TEST(CrdsCommand, PrintsTheCommittedDefinitions) {
  const Folder folder;
  ASSERT_EQ(Shell("$BERTH crds --dir " + folder / "new/crds").exit_code, 0);
  size_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder / "new/crds")) {
    const std::filesystem::path committed =
        std::filesystem::path(BERTH_SOURCE_DIR "/deploy/crds") / entry.path().filename();
    EXPECT_EQ(ReadFile(entry.path()), ReadFile(committed)) << "run `make generate`: " << committed;
    ++count;
  }
  EXPECT_EQ(count, 11U);
}

TEST(ReferenceCommand, PrintsTheCommittedPages) {
  for (const std::string subject : {"configuration", "feature-gates"}) {
    const Outcome printed = Shell("$BERTH reference " + subject);
    EXPECT_EQ(printed.exit_code, 0) << printed.err;
    EXPECT_EQ(printed.out, ReadFile(BERTH_SOURCE_DIR "/docs/reference/" + subject + ".md"))
        << "run `make generate`: docs/reference/" << subject << ".md";
  }
  EXPECT_EQ(Shell("$BERTH reference everything").exit_code, 2);
}

TEST(CrdsCommand, PrintsOneStreamThatLintCanRead) {
  const Outcome outcome = Shell("$BERTH crds | $BERTH lint -");
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_THAT(outcome.out, HasSubstr("CustomResourceDefinition (11)"));
}

TEST(CrdsCommand, ServesOneVersionWithoutTheWebhook) {
  EXPECT_THAT(Shell("$BERTH crds").out, HasSubstr("kueue-webhook-service"));
  const std::string alone = Shell("$BERTH crds --no-webhook").out;
  EXPECT_THAT(alone, Not(HasSubstr("kueue-webhook-service")));
  EXPECT_THAT(alone, HasSubstr("served: false"));
}

TEST(CrdsCommand, PrintsJson) {
  const Outcome outcome = Shell("$BERTH crds -o json");
  EXPECT_TRUE(schema::CompactJson(outcome.out).has_value());
  EXPECT_THAT(outcome.out, HasSubstr("\"clusterqueues.kueue.x-k8s.io\""));
}

TEST(CrdsCommand, ReportsPathsThatCannotBeWritten) {
  const Folder folder;
  const Outcome outcome = Shell("$BERTH crds --dir " + folder.Write("file", ""));
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.err, StartsWith("berth: " + folder / "file"));
}

// --- version -----------------------------------------------------------------------------------

TEST(VersionCommand, PrintsVersionAndGates) {
  const Outcome text = Shell("$BERTH version --feature-gates");
  EXPECT_THAT(text.out, StartsWith("berth 0."));
  EXPECT_TRUE(std::regex_search(text.out, std::regex("QuotaCheck +Alpha +off")));
  const Outcome json = Shell("$BERTH version -o json --feature-gates");
  EXPECT_TRUE(schema::CompactJson(json.out).has_value());
  EXPECT_THAT(json.out, HasSubstr("\"name\":\"QuotaCheck\",\"stage\":\"Alpha\",\"default\":false"));
}

// --- completion --------------------------------------------------------------------------------

TEST(CompletionCommand, MentionsEveryCommandAndOption) {
  for (const std::string shell : {"bash", "zsh", "fish"}) {
    const std::string script = Shell("$BERTH completion " + shell).out;
    for (const std::string& command : Commands()) {
      EXPECT_THAT(script, HasSubstr(command));
      const std::string help = Shell("$BERTH " + command + " --help").out;
      // Options are at the start of lines: "  -o,--output …", "  --strict …".
      const std::regex option("\n  (?:-[a-z],)?--([a-z-]+)");
      for (std::sregex_iterator it(help.begin(), help.end(), option), end; it != end; ++it) {
        const std::string name = shell == "fish" ? "-l " + (*it)[1].str() : "--" + (*it)[1].str();
        EXPECT_THAT(script, HasSubstr(name)) << shell << " " << command;
      }
    }
  }
}

// The completions that bash offers for the last word of a command line.
std::string Complete(const std::string& words) {
  const Folder folder;
  folder.Write("some.yaml", "");
  const std::string line = "source <($BERTH completion bash) && cd " + folder.path().native() +
                           " && compopt() { :; } && COMP_WORDS=(" + words +
                           ") && COMP_CWORD=$((${#COMP_WORDS[@]} - 1)) && _berth && echo "
                           "\"${COMPREPLY[*]}\"";
  const Outcome outcome = Shell(line);
  EXPECT_THAT(outcome.err, IsEmpty());
  return outcome.out;
}

TEST(CompletionCommand, CompletesInBash) {
  for (const std::string& command : Commands())
    EXPECT_THAT(Complete("berth ''"), HasSubstr(command));
  EXPECT_EQ(Complete("berth li"), "lint\n");
  EXPECT_EQ(Complete("berth lint --st"), "--strict\n");
  EXPECT_EQ(Complete("berth lint -o ''"), "human json\n");
  EXPECT_EQ(Complete("berth crds --output j"), "json\n");
  EXPECT_EQ(Complete("berth lint --color = al"), "always\n");
  EXPECT_EQ(Complete("berth lint --color ="), "auto always never\n");
  EXPECT_EQ(Complete("berth completion ''"), "bash zsh fish\n");
  EXPECT_EQ(Complete("berth lint ''"), "\n") << "bash's own completion of files does it";
}

TEST(CompletionCommand, IsLegalInZshAndFish) {
  int checked = 0;
  for (const std::string shell : {"zsh", "fish"}) {
    if (Shell("command -v " + shell).exit_code != 0) continue;
    const Outcome outcome = Shell("$BERTH completion " + shell + " | " + shell + " -n");
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    ++checked;
  }
  if (checked == 0) GTEST_SKIP() << "neither zsh nor fish is installed";
}

// --- input -------------------------------------------------------------------------------------

TEST(ReadInput, RejectsFilesOverTheLimit) {
  const Folder folder;
  const std::string file = folder.Write("a.yaml", std::string(2 << 20, ' '));
  EXPECT_EQ(ReadInput(file, 2 << 20)->size(), size_t{2} << 20);
  const auto refused = ReadInput(file, 1 << 20);
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(base::ToString(refused.error()),
            file + ": exceeds 1 MiB and cannot be a manifest (split it into several files)");
  EXPECT_FALSE(ReadInput("/dev/zero", 1 << 20).has_value());
}

TEST(FindInputFiles, CountsAFileOnce) {
  const Folder folder;
  const std::string file = folder.Write("a.yaml", "");
  std::filesystem::create_symlink("a.yaml", folder / "b.yaml");
  const InputFiles input = FindInputFiles({file, folder.path().native(), file});
  EXPECT_EQ(input.files, std::vector<std::string>{file});
  EXPECT_THAT(input.errors, IsEmpty());
}

}  // namespace
}  // namespace berth::cli
