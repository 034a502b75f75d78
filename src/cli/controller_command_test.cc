// `berth controller` as a process of its own, against an API server in this
// one.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <thread>

#include "api/cluster_queue.h"
#include "api/job.h"
#include "api/lease.h"
#include "api/local_queue.h"
#include "api/namespace.h"
#include "api/resource_flavor.h"
#include "api/workload.h"
#include "apiserver/testing/api_server.h"
#include "apiserver/testing/command.h"
#include "cli/testing/process.h"
#include "kube/client.h"
#include "kube/find_access.h"
#include "store/json.h"
#include "store/wait_for.h"

namespace berth::cli {
namespace {

constexpr base::Duration kAnswerLimit = base::Duration::Seconds(60);

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
    Create<api::Namespace>(
        R"({"apiVersion":"v1","kind":"Namespace","metadata":{"name":"kueue-system"}})");
    Create<api::ResourceFlavor>(
        R"({"apiVersion":"kueue.x-k8s.io/v1beta2","kind":"ResourceFlavor",
            "metadata":{"name":"f"}})");
    Create<api::ClusterQueue>(
        R"({"apiVersion":"kueue.x-k8s.io/v1beta2","kind":"ClusterQueue","metadata":{"name":"cq"},
            "spec":{"namespaceSelector":{},"resourceGroups":[{"coveredResources":["cpu"],
            "flavors":[{"name":"f","resources":[{"name":"cpu","nominalQuota":"1"}]}]}]}})");
    Create<api::LocalQueue>(
        R"({"apiVersion":"kueue.x-k8s.io/v1beta2","kind":"LocalQueue",
            "metadata":{"name":"lq","namespace":"default"},"spec":{"clusterQueue":"cq"}})");
  }

  std::unique_ptr<apiserver::testing::BackgroundCommand> StartController() {
    const std::string config = folder_.Write("config.yaml", kControllerConfiguration);
    return std::make_unique<apiserver::testing::BackgroundCommand>(
        std::vector<std::string>{BERTH_BINARY, "controller", "--kubeconfig",
                                 server_.kubeconfig().string(), "--config", config,
                                 "--zap-log-level", "2"},
        std::map<std::string, std::string>{});
  }

  store::Outcome<store::Reply> Do(store::Call call) {
    return store::WaitFor(*client_, std::move(call), kAnswerLimit);
  }

  template <class T>
  void Create(std::string object) {
    const auto created =
        Do(store::Create{.resource = store::ResourceOf<T>(),
                         .namespace_ = T::KindInfo().is_namespaced ? "default" : "",
                         .object = std::move(object),
                         .options = {}});
    ASSERT_TRUE(created) << store::ToString(created.error());
  }

  template <class T>
  std::string TextOf(const std::string& name, const std::string& namespace_name = "default") {
    const auto got = Do(
        store::Get{.resource = store::ResourceOf<T>(), .namespace_ = namespace_name, .name = name});
    return got ? std::string(got->object.text()) : "";
  }

  template <class Condition>
  bool Eventually(Condition holds) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(120);
    while (!holds()) {
      if (std::chrono::steady_clock::now() > end) return false;
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    return true;
  }

  std::string HolderOfLease() {
    const auto lease =
        store::ParseJson(TextOf<api::Lease>("c1f6bfd2.kueue.x-k8s.io", "kueue-system"));
    return lease ? std::string(store::JsonStringAt(*lease, {"spec", "holderIdentity"})) : "";
  }

  apiserver::testing::ApiServer server_;
  testing::Folder folder_;
  std::unique_ptr<kube::Client> client_;
};

TEST_F(ControllerCommandTest, RunsJobsOfAnotherProcessesCluster) {
  const auto controller = StartController();
  Create<api::Job>(
      R"({"apiVersion":"batch/v1","kind":"Job","metadata":{"namespace":"default","name":"a",
          "labels":{"kueue.x-k8s.io/queue-name":"lq"}},"spec":{"suspend":true,"template":{"spec":{
          "restartPolicy":"Never","containers":[{"name":"c","image":"i",
          "resources":{"requests":{"cpu":"1"}}}]}}}})");
  EXPECT_TRUE(Eventually([&] {
    return TextOf<api::Job>("a").find(R"("suspend":false)") != std::string::npos;
  })) << TextOf<api::Job>("a");
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

TEST_F(ControllerCommandTest, EndsWhenItWasAsleepForTooLong) {
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

TEST_F(ControllerCommandTest, SaysWhichClusterItCannotFind) {
  const auto ended = testing::Shell("$BERTH controller --kubeconfig /no/such/file");
  EXPECT_EQ(ended.exit_code, 2);
  EXPECT_THAT(ended.err, ::testing::HasSubstr("/no/such/file"));
}

TEST_F(ControllerCommandTest, TakesTheFlagsOfKueuesManager) {
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
