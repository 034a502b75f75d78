// A Configuration is read strictly: a misspelled or misplaced setting starts nothing.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "cli/testing/process.h"

namespace berth::cli {
namespace {

using testing::Folder;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::Outcome;
using testing::Shell;

constexpr std::string_view kHead =
    "apiVersion: config.kueue.x-k8s.io/v1beta2\nkind: Configuration\n";

// `berth COMMAND` with a Configuration that ends in these lines.
Outcome RunWith(std::string_view command, std::string_view lines, std::string_view head = kHead) {
  const Folder folder;
  folder.Write("c.yaml", std::string(head).append(lines));
  return Shell("cd '" + folder.path().string() + "' && timeout 60 $BERTH " + std::string(command));
}

constexpr std::string_view kUp = "up --in-memory --port 0 --config c.yaml";
constexpr std::string_view kController = "controller --kubeconfig /no/such/file --config c.yaml";

struct Mistake {
  std::string_view lines;
  std::string_view report;
};

constexpr Mistake kMistakes[] = {
    {"managedJobNamespaceSelector: {}\n",
     "c.yaml:3:1: managedJobNamespaceSelector: unknown field "
     "(did you mean \"managedJobsNamespaceSelector\"?)"},
    {"quotaCheck: OnlyDeclared\n",
     "c.yaml:3:1: quotaCheck: unknown field (write it under resources)"},
    {"resources:\n  manageJobsWithoutQueueName: true\n",
     "c.yaml:4:3: resources.manageJobsWithoutQueueName: unknown field (write it at the top level)"},
    {"featureGates:\n  QuotaChek: true\n",
     "c.yaml:4:14: featureGates[QuotaChek]: no feature gate is called \"QuotaChek\" "
     "(did you mean \"QuotaCheck\"?)"},
    {"resources:\n  quotaCheck: All\nresources:\n  quotaCheck: All\n", "c.yaml:5:1: resources: "},
};

TEST(ConfigurationStrictness, KeepsUpFromStarting) {
  for (const Mistake& mistake : kMistakes) {
    const Outcome up = RunWith(kUp, mistake.lines);
    EXPECT_EQ(up.exit_code, 2) << mistake.lines;
    EXPECT_THAT(up.err, HasSubstr(mistake.report));
    EXPECT_THAT(up.out, IsEmpty());
  }
}

TEST(ConfigurationStrictness, KeepsTheControllerFromConnecting) {
  for (const Mistake& mistake : kMistakes) {
    const Outcome controller = RunWith(kController, mistake.lines);
    EXPECT_EQ(controller.exit_code, 2) << mistake.lines;
    EXPECT_THAT(controller.err, HasSubstr(mistake.report));
    EXPECT_THAT(controller.err, ::testing::Not(HasSubstr("/no/such/file")));
  }
}

TEST(ConfigurationStrictness, HoldsForAConfigurationAmongOtherObjects) {
  const Outcome up = RunWith("up --in-memory --port 0 -f .", "quotaCheck: All\n");
  EXPECT_EQ(up.exit_code, 2);
  EXPECT_THAT(up.err, HasSubstr("quotaCheck: unknown field"));
}

TEST(ConfigurationStrictness, NamesTheKindAndTheVersionToWrite) {
  EXPECT_THAT(
      RunWith(kUp, "", "apiVersion: config.kueue.x-k8s.io/v1beta3\nkind: Configuration\n").err,
      HasSubstr("c.yaml:1:13: apiVersion: \"config.kueue.x-k8s.io/v1beta3\" is no version of "
                "Configuration (write apiVersion: config.kueue.x-k8s.io/v1beta2)"));
  EXPECT_THAT(RunWith(kUp, "", "apiVersion: config.kueue.x-k8s.io/v1beta2\nkind: Config\n").err,
              HasSubstr("c.yaml:2:7: kind: \"Config\" is not a Configuration (write kind: "
                        "Configuration)"));
}

TEST(ConfigurationStrictness, AllowsOneConfigurationInAFile) {
  const Outcome up = RunWith(kUp, "---\n" + std::string(kHead));
  EXPECT_EQ(up.exit_code, 2);
  EXPECT_THAT(up.err, HasSubstr("c.yaml:5:7: kind: a second Configuration (keep one of them)"));
}

TEST(ConfigurationStrictness, HoldsForThePreviousVersion) {
  const Outcome up = RunWith(kUp, "quotaCheckStrategy: BlockUndeclared\n",
                             "apiVersion: config.kueue.x-k8s.io/v1beta1\nkind: Configuration\n");
  EXPECT_EQ(up.exit_code, 2);
  EXPECT_THAT(up.err, HasSubstr("c.yaml:3:1: quotaCheckStrategy: unknown field"));
}

TEST(ConfigurationStrictness, HoldsForGatesOfTheCommandLine) {
  for (std::string_view command : {"up --in-memory --port 0", "controller --kubeconfig /no"}) {
    const Outcome ended = RunWith(std::string(command) + " --feature-gates QuotaChek=true", "");
    EXPECT_EQ(ended.exit_code, 2);
    EXPECT_THAT(ended.err, HasSubstr("--feature-gates: featureGates[QuotaChek]: no feature gate "
                                     "is called \"QuotaChek\" (did you mean \"QuotaCheck\"?)"));
  }
}

TEST(ConfigurationStrictness, GivesThePlaceOfAWrongValue) {
  const Outcome up = RunWith(kUp, "resources:\n  quotaCheckStrategy: Ignore\n");
  EXPECT_EQ(up.exit_code, 2);
  EXPECT_THAT(up.err, HasSubstr("c.yaml:4:23: resources.quotaCheckStrategy: \"Ignore\" is not a "
                                "strategy"));
}

TEST(ConfigurationStrictness, IsWhatLintReports) {
  for (const Mistake& mistake : kMistakes) {
    const Outcome lint = RunWith("lint c.yaml", mistake.lines);
    EXPECT_EQ(lint.exit_code, 1) << mistake.lines << lint.out;
  }
  const Outcome gate = RunWith("lint c.yaml", "featureGates:\n  QuotaChek: true\n");
  EXPECT_THAT(gate.out, HasSubstr("c.yaml:4:14"));
  EXPECT_THAT(gate.out, HasSubstr("no feature gate is called \"QuotaChek\""));
}

}  // namespace
}  // namespace berth::cli
