// End-to-end tests of the examples in docs/features/managed-jobs-namespaces.md.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>

#include "cli/testing/process.h"

namespace berth::cli {
namespace {

using ::testing::HasSubstr;
using testing::Outcome;
using testing::ReadFile;
using testing::Shell;

TEST(LintManaged, MatchesTheDocumentation) {
  const std::string page = ReadFile(BERTH_SOURCE_DIR "/docs/features/managed-jobs-namespaces.md");
  static const std::regex kBlock("```console\n\\$ berth ([^\n]*)\n([^`]*)```");
  std::smatch example;
  ASSERT_TRUE(std::regex_search(page, example, kBlock));
  const Outcome outcome = Shell("cd " BERTH_SOURCE_DIR " && $BERTH " + example[1].str());
  EXPECT_EQ(outcome.out, example[2].str());
  EXPECT_EQ(outcome.exit_code, 0);
}

TEST(LintManaged, HasTheListInJson) {
  const Outcome outcome =
      Shell("cd " BERTH_SOURCE_DIR
            " && $BERTH lint --managed -o json docs/features/managed-jobs-namespaces");
  EXPECT_THAT(
      outcome.out,
      HasSubstr(R"("object":{"apiVersion":"batch/v1","kind":"Job","namespace":"monitoring",)"
                R"("name":"weekly"},"managed":true,"reason":"managed: queue name is)"));
}

TEST(LintManaged, IsPrintedOnlyOnRequest) {
  const Outcome outcome =
      Shell("$BERTH lint -o json " BERTH_SOURCE_DIR "/docs/features/managed-jobs-namespaces");
  EXPECT_THAT(outcome.out, ::testing::Not(HasSubstr("managedJobs")));
}

}  // namespace
}  // namespace berth::cli
