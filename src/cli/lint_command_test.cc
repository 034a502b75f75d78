// End-to-end tests of `berth lint`.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "cli/testing/process.h"
#include "schema/decode.h"

namespace berth::cli {
namespace {

using ::testing::EndsWith;
using testing::Folder;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using testing::Outcome;
using testing::Shell;
using ::testing::StartsWith;

constexpr std::string_view kGood = "apiVersion: v1\nkind: Namespace\nmetadata: {name: a}\n";
constexpr std::string_view kBad = "apiVersion: v1\nkind: Namespace\nmetadata: {name: a, nmae: b}\n";
constexpr std::string_view kDoubtful = R"(apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {name: cq}
spec: {}
)";

TEST(LintCommand, ExitsWith0WhenThereIsNoError) {
  const Folder folder;
  const Outcome good = Shell("$BERTH lint " + folder.Write("a.yaml", kGood));
  EXPECT_EQ(good.exit_code, 0);
  EXPECT_EQ(good.out, "1 file, 1 object: 0 errors, 0 warnings\n");
  const Outcome doubtful = Shell("$BERTH lint " + folder.Write("b.yaml", kDoubtful));
  EXPECT_EQ(doubtful.exit_code, 0);
  EXPECT_THAT(doubtful.out, EndsWith("1 file, 1 object: 0 errors, 1 warning\n"));
}

TEST(LintCommand, ExitsWith1WhenThereIsAnError) {
  const Folder folder;
  const std::string file = folder.Write("a.yaml", kBad);
  const Outcome outcome = Shell("$BERTH lint " + file);
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_EQ(outcome.out, file +
                             ":3:21: error: metadata.nmae: unknown field [unknown-field]\n"
                             "    hint: did you mean \"name\"?\n\n"
                             "1 file, 1 object: 1 error, 0 warnings\n");
  EXPECT_THAT(outcome.err, IsEmpty());
}

TEST(LintCommand, MakesWarningsErrorsIfStrict) {
  const Folder folder;
  const Outcome outcome = Shell("$BERTH lint --strict " + folder.Write("a.yaml", kDoubtful));
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT(outcome.out, HasSubstr(":4:1: error: spec.namespaceSelector: "));
}

TEST(LintCommand, ExitsWith2WhenSomethingCannotBeRead) {
  const Folder folder;
  const std::string bad = folder.Write("a.yaml", kBad);
  const Outcome outcome = Shell("$BERTH lint /no/such/file " + bad);
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_EQ(outcome.err,
            "berth: /no/such/file: no such file or directory (check the path and its "
            "permissions)\n");
  EXPECT_THAT(outcome.out, HasSubstr("1 error")) << "what can be read is linted";
  std::filesystem::create_directory(folder / "empty");
  EXPECT_EQ(Shell("$BERTH lint " + folder / "empty").exit_code, 2);
  EXPECT_EQ(Shell("$BERTH lint").exit_code, 2);
  EXPECT_EQ(Shell("$BERTH lint --no-such-option x").exit_code, 2);
}

TEST(LintCommand, ReadsStandardInput) {
  const Outcome outcome = Shell("$BERTH lint -", kBad);
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT(outcome.out, StartsWith("<stdin>:3:21: error: metadata.nmae"));
}

TEST(LintCommand, ReadsDirectoriesButNothingHidden) {
  const Folder folder;
  folder.Write("b.yml", kGood);
  folder.Write("deep/er/a.json", "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{}}");
  folder.Write(".hidden.yaml", kBad);
  folder.Write(".git/x.yaml", kBad);
  folder.Write("notes.txt", kBad);
  const Outcome outcome = Shell("$BERTH lint " + folder.path().native());
  EXPECT_THAT(outcome.out, EndsWith("2 files, 2 objects: 1 error, 0 warnings\n")) << outcome.out;
  EXPECT_THAT(outcome.out, StartsWith(folder / "deep/er/a.json:1:"));
}

TEST(LintCommand, SurvivesCyclicLinks) {
  const Folder folder;
  folder.Write("a/a.yaml", kGood);
  std::filesystem::create_directory_symlink("..", folder / "a/up");
  std::filesystem::create_directory_symlink("self", folder / "self");
  const Outcome outcome = Shell("$BERTH lint " + folder.path().native());
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.out, "1 file, 1 object: 0 errors, 0 warnings\n");
}

TEST(LintCommand, PrintsJson) {
  const Outcome outcome = Shell("$BERTH lint -o json -", kBad);
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_TRUE(schema::CompactJson(outcome.out).has_value()) << outcome.out;
  EXPECT_THAT(outcome.out, HasSubstr(R"("files":1,"objects":1,"errors":1,"warnings":0)"));
  EXPECT_THAT(outcome.out,
              HasSubstr(R"("severity":"error","rule":"unknown-field","file":"<stdin>","line":3,)"
                        R"("column":21,"object":{"apiVersion":"v1","kind":"Namespace",)"
                        R"("namespace":"","name":"a"},"field":"metadata.nmae")"));
}

TEST(LintCommand, ColoursOnlyOnRequest) {
  EXPECT_THAT(Shell("$BERTH lint -", kBad).out, Not(HasSubstr("\033")));
  EXPECT_THAT(Shell("$BERTH lint --color=always -", kBad).out, HasSubstr("\033[1;31merror:"));
  EXPECT_EQ(Shell("$BERTH lint --color=sometimes -", kBad).exit_code, 2);
}

// script(1) provides a terminal.
TEST(LintCommand, ColoursOnATerminalUnlessDisabled) {
  if (Shell("command -v script").exit_code != 0) GTEST_SKIP() << "script(1) not found";
  const Folder folder;
  const std::string lint = "$BERTH lint " + folder.Write("a.yaml", kBad);
  EXPECT_THAT(Shell("script -qec \"" + lint + "\" /dev/null").out, HasSubstr("\033[1;31m"));
  EXPECT_THAT(Shell("NO_COLOR=1 script -qec \"" + lint + "\" /dev/null").out,
              Not(HasSubstr("\033[1;31m")));
  EXPECT_THAT(Shell("TERM=dumb script -qec \"" + lint + "\" /dev/null").out,
              Not(HasSubstr("\033[1;31m")));
}

TEST(LintCommand, EscapesControlCharactersOfFiles) {
  const Outcome outcome =
      Shell("$BERTH lint -", "apiVersion: v1\nkind: Namespace\nmetadata: {\"\\e[31m\": x}\n");
  EXPECT_THAT(outcome.out, HasSubstr("\\x1b[31m"));
  EXPECT_THAT(outcome.out, Not(HasSubstr("\033")));
}

TEST(LintCommand, FindsNothingInTheExamples) {
  for (const auto& example : std::filesystem::directory_iterator(BERTH_SOURCE_DIR "/examples")) {
    if (!example.is_directory() || example.path().filename() == "simulate")
      continue;  // no manifests
    const Outcome outcome = Shell("$BERTH lint --strict " + example.path().string());
    EXPECT_EQ(outcome.exit_code, 0) << outcome.out;
    EXPECT_THAT(outcome.out, EndsWith("0 errors, 0 warnings\n"));
  }
}

// --- Bad input ---------------------------------------------------------------------------------

// Lints a text and expects one error at a location.
void ExpectError(std::string_view text, const std::string& place, const std::string& message) {
  const Outcome outcome = Shell("$BERTH lint -", text);
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT(outcome.out, StartsWith("<stdin>:" + place + ": error: ")) << outcome.out;
  EXPECT_THAT(outcome.out, HasSubstr(message)) << outcome.out;
  EXPECT_THAT(outcome.err, IsEmpty());
}

TEST(LintOfBadInput, LocatesYamlErrors) {
  ExpectError("apiVersion: v1\nkind: [a\n  b: c\n", "3:4", "not closed");
  ExpectError("apiVersion: v1\n\tkind: x\n", "2:1", "tab");
}

TEST(LintOfBadInput, LocatesJsonErrors) {
  ExpectError("{\"apiVersion\": \"v1\",\n \"kind\": \"Namespace\",\n}", "3:1", "[syntax]");
  ExpectError("{\"apiVersion\": \"v1\", \"kind\": \"Names", "1:30", "not closed");
}

TEST(LintOfBadInput, RejectsInvalidUtf8) {
  ExpectError("apiVersion: v1\nkind: Names\xffpace\n", "2:12", "UTF-8");
  ExpectError("{\"apiVersion\": \"v1\", \"kind\": \"Names\xffpace\"}", "1:36", "UTF-8");
}

TEST(LintOfBadInput, RejectsNulBytes) {
  ExpectError(std::string_view("apiVersion: v1\nkind: a\0b\n", 25), "2:8", "U+0000");
}

TEST(LintOfBadInput, IsQuickAboutMegabytesOfBrackets) {
  ExpectError(std::string(20 << 20, '['), "1:1", "found a list");
  ExpectError(std::string(20 << 20, '{'), "1:2", "[syntax]");
  ExpectError("a: " + std::string(20 << 20, '['), "1:259", "deeper than 256 levels");
}

TEST(LintOfBadInput, BoundsAliases) {
  std::string text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 12; ++i) {
    const std::string before = "*a" + std::to_string(i - 1);
    text += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + before;
    for (int j = 1; j < 10; ++j) text += ", " + before;
    text += "]\n";
  }
  const Outcome outcome = Shell("$BERTH lint -", text);
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT(outcome.out, HasSubstr("error: the aliases expand to too much text [syntax]"));
}

TEST(LintOfBadInput, SurvivesEveryTruncation) {
  const std::string whole = testing::ReadFile(BERTH_SOURCE_DIR "/examples/quickstart/queues.yaml");
  ASSERT_THAT(whole, Not(IsEmpty()));
  const Folder folder;
  for (size_t size = 0; size < whole.size(); size += 7)
    folder.Write(std::to_string(size) + ".yaml", whole.substr(0, size));
  const Outcome outcome = Shell("$BERTH lint " + folder.path().native());
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT(outcome.err, IsEmpty());
}

}  // namespace
}  // namespace berth::cli
