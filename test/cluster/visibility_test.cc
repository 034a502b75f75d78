// Pending workloads through the aggregated API of the API server.

#include "apiserver/testing/command.h"
#include "cluster/control_plane.h"
#include "embedded/testing/live_test.h"

namespace berth::cluster {
namespace {

using apiserver::testing::FindKubectl;
using apiserver::testing::RunCommand;
using embedded::testing::Job;
using embedded::testing::LiveCluster;
using embedded::testing::StartCluster;
using embedded::testing::Team;
using ::testing::HasSubstr;

constexpr const char* kOfQueue =
    "/apis/visibility.kueue.x-k8s.io/v1beta2/clusterqueues/team/pendingworkloads";
constexpr const char* kOfLocalQueue =
    "/apis/visibility.kueue.x-k8s.io/v1beta1/namespaces/team/localqueues/main/pendingworkloads";

// Registers the replica's API while it runs: an APIService without a backend blocks the deletion of
// namespaces.
class ServedApis {
 public:
  ServedApis() {
    api::Configuration configuration;
    api::ApplyConfigurationDefaults(configuration);
    for (json::value& object : install::Manifests({.configuration = configuration})) {
      if (json::StringAt(object, {"kind"}) != "APIService") continue;
      object.at_pointer("/spec/service").as_object()["port"] = plane_.visibility_port();
      const auto applied = plane_.Apply(object);
      EXPECT_TRUE(applied) << store::ToString(applied.error());
      objects_.push_back(std::move(object));
    }
  }
  ~ServedApis() {
    for (const json::value& object : objects_)
      plane_.Do(store::Delete{.resource = ResourceOfObject(object),
                              .namespace_ = "",
                              .name = std::string(json::StringAt(object, {"metadata", "name"})),
                              .options = {}});
  }
  ServedApis(const ServedApis&) = delete;
  ServedApis& operator=(const ServedApis&) = delete;

 private:
  ControlPlane& plane_ = ControlPlane::Get();
  std::vector<json::value> objects_;
};

auto AskKubectl(const std::string& path, const std::vector<std::string>& more = {}) {
  std::vector<std::string> command{FindKubectl(BERTH_SOURCE_DIR),
                                   "--kubeconfig",
                                   ControlPlane::Get().kubeconfig(),
                                   "get",
                                   "--raw",
                                   path};
  command.insert(command.end(), more.begin(), more.end());
  return RunCommand(command, "");
}

class Visibility : public ::testing::Test {
 protected:
  void SetUp() override {
    if (FindKubectl(BERTH_SOURCE_DIR).empty())
      GTEST_SKIP() << "there is no kubectl on this machine; tools/setup-clients gets it";
  }
};

TEST_F(Visibility, IsServedThroughTheApiServer) {
  LiveCluster cluster = StartCluster();
  cluster.Apply(Team("team", 1));
  cluster.Apply(Job({.name = "first"}));
  cluster.AwaitRunning("Job team/first");
  cluster.Apply(Job({.name = "second"}));
  const ServedApis served;
  EXPECT_TRUE(ControlPlane::Eventually([&] {
    return AskKubectl(kOfQueue).out.find("job-second-") != std::string::npos;
  })) << AskKubectl(kOfQueue).err;
  EXPECT_THAT(AskKubectl(kOfLocalQueue).out, HasSubstr(R"("positionInLocalQueue":0)"));
}

TEST_F(Visibility, RequiresAuthorization) {
  LiveCluster cluster = StartCluster();
  cluster.Apply(Team("team", 1));
  const ServedApis served;
  ASSERT_TRUE(ControlPlane::Eventually([&] { return AskKubectl(kOfQueue).code == 0; }))
      << AskKubectl(kOfQueue).err;
  EXPECT_THAT(AskKubectl(kOfQueue, {"--as=bob"}).err, HasSubstr("Forbidden"));
}

}  // namespace
}  // namespace berth::cluster
