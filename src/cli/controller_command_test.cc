// `berth controller` as a separate process against an API server in this one.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <optional>

#include "apiserver/testing/api_server.h"
#include "apiserver/testing/command.h"
#include "cli/testing/process.h"
#include "kube/client.h"
#include "kube/find_access.h"
#include "replica/testing/single_queue.h"
#include "store/testing/eventually.h"
#include "store/testing/typed_client.h"

namespace berth::cli {
namespace {

using store::testing::Eventually;

constexpr std::string_view kControllerConfiguration = R"(
apiVersion: config.kueue.x-k8s.io/v1beta2
kind: Configuration
health: {healthProbeBindAddress: "127.0.0.1:0"}
metrics: {bindAddress: "127.0.0.1:0"}
webhook: {host: 127.0.0.1, port: 0}
leaderElection: {leaderElect: true, leaseDuration: 4s, renewDeadline: 2s, retryPeriod: 500ms}
)";

class ControllerCommandTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(server_.error(), "");
    auto client = kube::Client::Make(*kube::FindAccess(server_.kubeconfig().string()));
    ASSERT_TRUE(client);
    client_ = std::move(*client);
    objects_.emplace(*client_);
    replica::testing::CreateSingleQueue(*objects_);
  }

  std::unique_ptr<apiserver::testing::BackgroundCommand> StartController() {
    const std::string config = folder_.Write("config.yaml", kControllerConfiguration);
    return std::make_unique<apiserver::testing::BackgroundCommand>(
        std::vector<std::string>{BERTH_BINARY, "controller", "--kubeconfig",
                                 server_.kubeconfig().string(), "--config", config,
                                 "--zap-log-level", "2"},
        std::map<std::string, std::string>{});
  }

  std::string HolderOfLease() { return replica::testing::LeaseHolder(*objects_); }

  apiserver::testing::ApiServer server_;
  testing::Folder folder_;
  std::unique_ptr<kube::Client> client_;
  std::optional<store::testing::TypedClient> objects_;
};

TEST_F(ControllerCommandTest, RunsJobsOfARemoteCluster) {
  const auto controller = StartController();
  objects_->Create<api::Job>(replica::testing::JobNamed("a"));
  EXPECT_TRUE(Eventually([&] { return replica::testing::IsUnsuspended(*objects_, "a"); }))
      << controller->out();
  EXPECT_NE(HolderOfLease(), "");
  controller->Signal(SIGTERM);
  EXPECT_EQ(controller->WaitForEnd(60), 0) << controller->out();
  EXPECT_EQ(HolderOfLease(), "") << "it hands over";
}

TEST_F(ControllerCommandTest, IsReplacedWhenItIsKilled) {
  auto first = StartController();
  ASSERT_TRUE(Eventually([&] { return !HolderOfLease().empty(); }));
  const std::string holder = HolderOfLease();
  const auto second = StartController();
  first->Signal(SIGKILL);
  EXPECT_TRUE(Eventually([&] {
    const std::string now = HolderOfLease();
    return !now.empty() && now != holder;
  })) << second->out();
}

TEST_F(ControllerCommandTest, ExitsAfterItsLeaseExpired) {
  const auto first = StartController();
  ASSERT_TRUE(Eventually([&] { return !HolderOfLease().empty(); }));
  const std::string holder = HolderOfLease();
  const auto second = StartController();
  first->Signal(SIGSTOP);
  ASSERT_TRUE(Eventually([&] {
    const std::string now = HolderOfLease();
    return !now.empty() && now != holder;
  })) << second->out();
  first->Signal(SIGCONT);
  EXPECT_EQ(first->WaitForEnd(60), 1) << first->out();
  EXPECT_NE(HolderOfLease(), holder);
}

TEST_F(ControllerCommandTest, ReportsAMissingCluster) {
  const auto ended = testing::Shell("$BERTH controller --kubeconfig /no/such/file");
  EXPECT_EQ(ended.exit_code, 2);
  EXPECT_THAT(ended.err, ::testing::HasSubstr("/no/such/file"));
}

TEST_F(ControllerCommandTest, AcceptsTheFlagsOfKueuesManager) {
  const auto ended = testing::Shell(
      "$BERTH controller --kubeconfig /no/such/file "
      "--zap-log-level=2 --zap-encoder=console "
      "--zap-devel --feature-gates=PartialAdmission=true");
  EXPECT_THAT(ended.err, ::testing::HasSubstr("/no/such/file"));
  EXPECT_EQ(testing::Shell("$BERTH controller --zap-log-level=loud").exit_code, 2);
}

TEST(InstallCommand, PrintsManifestsThatCanBeReadAgain) {
  const auto printed = testing::Shell("$BERTH install --image x/berth:1 --replicas 3");
  EXPECT_EQ(printed.exit_code, 0) << printed.err;
  EXPECT_THAT(printed.out, ::testing::HasSubstr("image: x/berth:1"));
  EXPECT_THAT(printed.out, ::testing::HasSubstr("replicas: 3"));
  EXPECT_THAT(printed.out, ::testing::HasSubstr("kind: MutatingWebhookConfiguration"));
}

}  // namespace
}  // namespace berth::cli
