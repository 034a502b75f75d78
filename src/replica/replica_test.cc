// Replicas against the embedded API server over HTTPS. The test plays users and the Job controller.

#include "replica/replica.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>

#include "api/batch/job.h"
#include "api/kueue/workload.h"
#include "apiserver/testing/api_server.h"
#include "apiserver/testing/command.h"
#include "kube/client.h"
#include "kube/find_access.h"
#include "replica/testing/single_queue.h"
#include "store/testing/eventually.h"
#include "store/testing/typed_client.h"

namespace berth::replica {
namespace {

using store::testing::Eventually;
using testing::JobNamed;

class ReplicaTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(server_.error(), "");
    auto access = kube::FindAccess(server_.kubeconfig().string());
    ASSERT_TRUE(access) << base::ToString(access.error());
    access_ = std::move(*access);
    auto client = kube::Client::Make(access_);
    ASSERT_TRUE(client) << base::ToString(client.error());
    client_ = std::move(*client);
    objects_.emplace(*client_);
    testing::CreateSingleQueue(*objects_);
  }

  std::unique_ptr<Replica> StartReplica(bool is_elected = true) {
    Replica::Options options{.access = access_};
    api::ApplyConfigurationDefaults(options.configuration);
    options.configuration.leader_election->leader_elect = is_elected;
    options.configuration.health.health_probe_bind_address = "127.0.0.1:0";
    options.configuration.metrics.bind_address = "127.0.0.1:0";
    options.configuration.webhook.host = "127.0.0.1";
    options.configuration.webhook.port = 0;
    auto replica = Replica::Start(std::move(options));
    EXPECT_TRUE(replica) << base::ToString(replica.error());
    return replica ? std::move(*replica) : nullptr;
  }

  void CreateJob(const std::string& name) { objects_->Create<api::Job>(JobNamed(name)); }
  bool IsRunning(const std::string& job) { return testing::IsUnsuspended(*objects_, job); }

  // Completes a Job as the Job controller would.
  void Complete(const std::string& job) {
    const auto done = objects_->Do(
        store::Patch{.resource = store::ResourceOf<api::Job>(),
                     .namespace_ = "default",
                     .name = job,
                     .subresource = "status",
                     .type = store::PatchType::kMerge,
                     .body = R"({"status":{"startTime":"2026-01-01T00:00:00Z","succeeded":1,
                    "completionTime":"2026-01-01T00:01:00Z",
                    "conditions":[{"type":"SuccessCriteriaMet","status":"True"},
                                  {"type":"Complete","status":"True",
                                   "message":"Job finished successfully"}]}})",
                     .options = {}});
    ASSERT_TRUE(done) << store::ToString(done.error());
  }

  // The number of Workloads with a condition.
  size_t WorkloadsThatAre(std::string_view condition) {
    const auto list =
        objects_->Do(store::List{.resource = store::ResourceOf<api::Workload>(), .selection = {}});
    size_t count = 0;
    if (!list) return 0;
    for (const store::Object& object : list->items) {
      const auto workload = object.Decode<api::Workload>();
      if (!workload) continue;
      for (const api::Condition& c : workload->status.conditions)
        count += c.type == condition && c.status == "True" ? 1 : 0;
    }
    return count;
  }

  apiserver::testing::ApiServer server_;
  kube::Access access_;
  std::unique_ptr<kube::Client> client_;
  std::optional<store::testing::TypedClient> objects_;
};

TEST_F(ReplicaTest, AdmitsAndFinishesJobsWithinQuota) {
  const auto replica = StartReplica();
  ASSERT_NE(replica, nullptr);
  CreateJob("a");
  CreateJob("b");
  ASSERT_TRUE(Eventually([&] { return IsRunning("a") || IsRunning("b"); }));
  const std::string first = IsRunning("a") ? "a" : "b";
  const std::string second = first == "a" ? "b" : "a";
  EXPECT_EQ(WorkloadsThatAre("Admitted"), 1u) << "the quota is for one";
  Complete(first);
  ASSERT_TRUE(Eventually([&] { return IsRunning(second); }));
  Complete(second);
  EXPECT_TRUE(Eventually([&] { return WorkloadsThatAre("Finished") == 2; }));
}

TEST_F(ReplicaTest, HandsLeadershipOverOnShutdown) {
  auto first = StartReplica();
  ASSERT_NE(first, nullptr);
  ASSERT_TRUE(Eventually([&] { return first->IsLeading(); }));
  const auto second = StartReplica();
  ASSERT_NE(second, nullptr);
  ASSERT_TRUE(Eventually([&] { return second->IsReady(); }));
  EXPECT_FALSE(second->IsLeading());
  CreateJob("a");
  ASSERT_TRUE(Eventually([&] { return IsRunning("a"); }));
  first.reset();
  ASSERT_TRUE(Eventually([&] { return second->IsLeading(); }));
  Complete("a");
  CreateJob("b");
  EXPECT_TRUE(Eventually([&] { return IsRunning("b"); }));
}

TEST_F(ReplicaTest, ReconcilesWithoutLeaderElection) {
  const auto replica = StartReplica(false);
  ASSERT_NE(replica, nullptr);
  CreateJob("a");
  EXPECT_TRUE(Eventually([&] { return IsRunning("a"); }));
  EXPECT_TRUE(objects_->Get<api::Lease>(testing::kLeaseName, testing::kLeaseNamespace).is_null());
}

TEST_F(ReplicaTest, HoldsTheLeaseOfKueue) {
  const auto replica = StartReplica();
  ASSERT_NE(replica, nullptr);
  ASSERT_TRUE(Eventually([&] { return replica->IsLeading(); }));
  EXPECT_NE(testing::LeaseHolder(*objects_), "");
}

TEST_F(ReplicaTest, AnswersHealthProbes) {
  if (apiserver::testing::FindProgram("curl").empty()) GTEST_SKIP() << "curl is not installed";
  const auto replica = StartReplica();
  ASSERT_NE(replica, nullptr);
  const std::string base = "http://127.0.0.1:" + std::to_string(replica->probe_port());
  const auto code_of = [&](const std::string& path) {
    return apiserver::testing::RunCommand(
               {"curl", "-s", "-o", "/dev/null", "-w", "%{http_code}", base + path})
        .out;
  };
  EXPECT_EQ(code_of("/healthz"), "200");
  EXPECT_EQ(code_of("/nothing"), "404");
  ASSERT_TRUE(Eventually([&] { return replica->IsReady(); }));
  EXPECT_EQ(code_of("/readyz"), "200");
}

}  // namespace
}  // namespace berth::replica
