// Simulations and plans of a running cluster: an API server in this process, over TLS.

#include "cli/live_objects.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "api/meta/registry.h"
#include "apiserver/testing/api_server.h"
#include "cli/testing/process.h"
#include "kube/client.h"
#include "kube/find_access.h"
#include "store/wait_for.h"

namespace berth::cli {
namespace {

using ::testing::AllOf;
using testing::Folder;
using ::testing::HasSubstr;
using testing::Outcome;
using testing::Shell;
using ::testing::StartsWith;

constexpr std::string_view kObjects = R"(
{apiVersion: kueue.x-k8s.io/v1beta2, kind: ResourceFlavor, metadata: {name: f}}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {name: cq}
spec:
  namespaceSelector: {}
  resourceGroups:
  - {coveredResources: [cpu], flavors: [{name: f, resources: [{name: cpu, nominalQuota: 2}]}]}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: LocalQueue
metadata: {name: lq, namespace: default}
spec: {clusterQueue: cq}
---
apiVersion: batch/v1
kind: Job
metadata:
  name: wide
  namespace: default
  labels: {kueue.x-k8s.io/queue-name: lq}
  annotations: {berth.dev/run-time: 10m}
spec:
  suspend: true
  template:
    spec:
      restartPolicy: Never
      containers: [{name: c, image: i, resources: {requests: {cpu: 3}}}]
)";

constexpr std::string_view kMoreQuota = R"(
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {name: cq}
spec:
  namespaceSelector: {}
  resourceGroups:
  - {coveredResources: [cpu], flavors: [{name: f, resources: [{name: cpu, nominalQuota: 4}]}]}
)";

class LiveObjects : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(server_.error(), "");
    auto client = kube::Client::Make(*kube::FindAccess(server_.kubeconfig().string()));
    ASSERT_TRUE(client) << base::ToString(client.error());
    client_ = std::move(*client);
    for (const api::Manifest& manifest : api::ReadManifests(kObjects)) Create(manifest);
  }

  void Create(const api::Manifest& manifest) {
    const api::FoundKind found = api::FindKind(manifest.api_version, manifest.kind);
    ASSERT_TRUE(found) << manifest.kind;
    const auto made = store::WaitFor(*client_,
                                     store::Create{.resource = store::ResourceOf(*found.kind),
                                                   .namespace_ = manifest.metadata().namespace_,
                                                   .object = std::string(manifest.source.json),
                                                   .options = {}},
                                     base::Duration::Seconds(60));
    ASSERT_TRUE(made) << store::ToString(made.error());
  }

  std::string Cluster() const { return " --kubeconfig " + server_.kubeconfig().string() + " "; }

  apiserver::testing::ApiServer server_;
  std::unique_ptr<kube::Client> client_;
};

TEST_F(LiveObjects, HaveTheirKindAlthoughListsOmitIt) {
  const auto read = ReadCluster(*client_);
  ASSERT_TRUE(read) << base::ToString(read.error());
  for (const char* kind : {"Namespace", "ResourceFlavor", "ClusterQueue", "LocalQueue", "Job"})
    EXPECT_TRUE(std::ranges::any_of(*read, [&](const api::Manifest& m) { return m.kind == kind; }))
        << kind;
  for (const api::Manifest& manifest : *read)
    EXPECT_TRUE(manifest.problems.empty()) << schema::ToString(manifest.problems[0]);
}

TEST_F(LiveObjects, AreReadInPages) {
  for (int i = 0; i < 1100; ++i) {
    const std::string name = "lq-" + std::to_string(i);
    for (const api::Manifest& manifest :
         api::ReadManifests("{apiVersion: kueue.x-k8s.io/v1beta2, kind: LocalQueue, metadata: "
                            "{name: " +
                            name + ", namespace: default}, spec: {clusterQueue: cq}}"))
      Create(manifest);
  }
  const auto read = ReadCluster(*client_);
  ASSERT_TRUE(read) << base::ToString(read.error());
  EXPECT_EQ(
      std::ranges::count_if(*read, [](const api::Manifest& m) { return m.kind == "LocalQueue"; }),
      1101);
}

TEST_F(LiveObjects, CanBePlannedWith) {
  const Folder folder;
  const std::string change = folder.Write("new.yaml", std::string(kMoreQuota));
  const Outcome plan = Shell("$BERTH plan" + Cluster() + "--change " + change);
  EXPECT_EQ(plan.exit_code, 0) << plan.err;
  EXPECT_THAT(plan.out, AllOf(StartsWith("Admitted (1):\n"), HasSubstr("default/job-wide-")));
}

TEST_F(LiveObjects, CanBeSimulated) {
  const Outcome never = Shell("$BERTH simulate" + Cluster());
  EXPECT_EQ(never.exit_code, 0) << never.err;
  EXPECT_THAT(never.out, HasSubstr("1 never started"));
  const Folder folder;
  const std::string change = folder.Write("new.yaml", std::string(kMoreQuota));
  const Outcome changed = Shell("$BERTH simulate" + Cluster() + "--change " + change);
  EXPECT_EQ(changed.exit_code, 0) << changed.err;
  EXPECT_THAT(changed.out, HasSubstr("Newly started (1): default/job-wide-"));
}

TEST(UnreachableCluster, IsAnError) {
  const Outcome outcome = Shell("$BERTH plan --kubeconfig /no/such/file --change /dev/null");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.err, AllOf(StartsWith("berth: "), HasSubstr("/no/such/file")));
}

}  // namespace
}  // namespace berth::cli
