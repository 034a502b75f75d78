// The folders of examples/ on `berth up`, as examples/README.md describes.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "apiserver/testing/command.h"
#include "cli/testing/process.h"
#include "cli/testing/up_process.h"

namespace berth::cli {
namespace {

using apiserver::testing::CommandResult;
using apiserver::testing::FindKubectl;
using apiserver::testing::RunCommand;
using testing::Folder;
using testing::UpProcess;

const std::string kExamplesFolder = BERTH_SOURCE_DIR "/examples/";

class ExampleFolder : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    if (kubectl_.empty()) GTEST_SKIP() << "there is no kubectl";
  }

  CommandResult Kubectl(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), kubectl_);
    return RunCommand(
        arguments, {},
        {{"KUBECONFIG", folder_ / "data/kubeconfig"}, {"HOME", folder_.path().string()}});
  }

  const std::string kubectl_ = FindKubectl(BERTH_SOURCE_DIR);
  Folder folder_;
};

TEST_P(ExampleFolder, IsAppliedAsAWhole) {
  UpProcess up(folder_.path() / "data");
  ASSERT_TRUE(up.WaitUntilReady()) << up.out();
  const CommandResult applied = Kubectl({"apply", "-f", kExamplesFolder + GetParam()});
  EXPECT_EQ(applied.code, 0);
  EXPECT_EQ(applied.err, "");
}

INSTANTIATE_TEST_SUITE_P(Manifests, ExampleFolder,
                         ::testing::Values("accelerators", "cohorts", "explain", "provisioning",
                                           "quickstart", "topology"),
                         [](const auto& tested) { return tested.param; });

class ConfiguredFolder : public ExampleFolder {};

TEST_P(ConfiguredFolder, IsAppliedWithItsConfiguration) {
  const std::string folder = kExamplesFolder + GetParam();
  UpProcess up(folder_.path() / "data", {"--config", folder + "/config/configuration.yaml"});
  ASSERT_TRUE(up.WaitUntilReady()) << up.out();
  const CommandResult applied = Kubectl({"apply", "-f", folder});
  EXPECT_EQ(applied.code, 0);
  EXPECT_EQ(applied.err, "");
}

INSTANTIATE_TEST_SUITE_P(Manifests, ConfiguredFolder, ::testing::Values("demo", "exclusions"),
                         [](const auto& tested) { return tested.param; });

TEST(Examples, AreAllTestedOrNotManifests) {
  std::vector<std::string> folders;
  for (const auto& entry : std::filesystem::directory_iterator(kExamplesFolder))
    if (entry.is_directory()) folders.push_back(entry.path().filename());
  EXPECT_THAT(folders, ::testing::UnorderedElementsAre(
                           "accelerators", "cohorts", "configuration", "demo", "exclusions",
                           "explain", "provisioning", "quickstart", "simulate", "topology"));
}

}  // namespace
}  // namespace berth::cli
