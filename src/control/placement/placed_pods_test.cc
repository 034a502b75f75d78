#include "control/placement/placed_pods.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace berth::control {
namespace {

using store::ObjectName;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

const ObjectName kJob{.namespace_ = "ns", .name = "job-train"};

struct PodText {
  std::string version = "1";
  std::string uid = "a";
  std::string annotations =
      R"("kueue.x-k8s.io/workload": "job-train",
         "kueue.x-k8s.io/podset-required-topology": "rack")";
  std::string labels = R"("kueue.x-k8s.io/podset": "main", "rank": "3", "app": "train")";
  std::string spec = R"("nodeSelector": {"kubernetes.io/hostname": "n1"})";
  std::string status = R"("phase": "Pending")";

  store::Object Object() const {
    return *store::Object::FromJson(R"({"apiVersion": "v1", "kind": "Pod", "metadata":
        {"name": "train-0", "namespace": "ns", "uid": ")" +
                                    uid + R"(", "resourceVersion": ")" + version +
                                    R"(", "annotations": {)" + annotations + R"(}, "labels": {)" +
                                    labels + "}}, \"spec\": {" + spec + "}, \"status\": {" +
                                    status + "}}");
  }
};

class PlacedPodsTest : public ::testing::Test {
 protected:
  std::set<ObjectName> Apply(const PodText& text) {
    const store::Object now = text.Object();
    return pods_.OnPodChange({.before = nullptr, .after = &now});
  }
  const PlacedPod* FindPod() const { return pods_.Find({.namespace_ = "ns", .name = "train-0"}); }

  PlacedPods pods_{true, [](const auto&) {}};
};

TEST_F(PlacedPodsTest, AreFoundByTheirWorkload) {
  EXPECT_THAT(Apply({.spec = R"("nodeName": "n2",
                                "nodeSelector": {"kubernetes.io/hostname": "n1"})"}),
              ElementsAre(kJob));
  EXPECT_THAT(pods_.Of(kJob), ElementsAre(Pair("train-0", ::testing::_)));
  EXPECT_EQ(FindPod()->node, "n2");
  EXPECT_EQ(FindPod()->PinnedNode(), "n1");
  EXPECT_EQ(FindPod()->pod_set, "main");
  EXPECT_THAT(FindPod()->indices, ElementsAre(Pair("rank", 3)));
}

TEST_F(PlacedPodsTest, AreNotPinnedWhileTheyAreGated) {
  Apply({.spec = R"("schedulingGates": [{"name": "kueue.x-k8s.io/topology"}],
                    "nodeSelector": {"kubernetes.io/hostname": "n1"})"});
  EXPECT_TRUE(FindPod()->IsGated());
  EXPECT_EQ(FindPod()->PinnedNode(), "");
}

TEST_F(PlacedPodsTest, OfAnElasticJobBelongToItsFirstSlice) {
  Apply({.annotations = R"("kueue.x-k8s.io/workload": "job-train-2",
                           "kueue.x-k8s.io/workload-slice-name": "job-train",
                           "kueue.x-k8s.io/podset-unconstrained-topology": "true")"});
  EXPECT_EQ(pods_.Of(kJob).size(), 1u);
}

TEST_F(PlacedPodsTest, AreForgottenWhenTheyHaveEnded) {
  Apply({});
  EXPECT_THAT(Apply({.version = "2", .status = R"("phase": "Failed")"}), ElementsAre(kJob));
  EXPECT_EQ(FindPod(), nullptr);
}

TEST_F(PlacedPodsTest, KeepTheirNewestVersion) {
  Apply({.version = "2"});
  EXPECT_THAT(Apply({.version = "1", .spec = ""}), IsEmpty());
  EXPECT_EQ(FindPod()->PinnedNode(), "n1");
}

TEST_F(PlacedPodsTest, AreReplacedByAPodOfTheSameName) {
  Apply({});
  const store::Object before = PodText{}.Object();
  const store::Object after = PodText{.version = "2", .uid = "b", .spec = ""}.Object();
  EXPECT_THAT(pods_.OnPodChange({.before = &before, .after = &after}), ElementsAre(kJob));
  EXPECT_EQ(FindPod()->uid, "b");
  EXPECT_THAT(pods_.OnPodChange({.before = &after, .after = nullptr}), ElementsAre(kJob));
  EXPECT_EQ(FindPod(), nullptr);
}

TEST_F(PlacedPodsTest, DoNotIncludePodsWithoutATopology) {
  Apply({.annotations = R"("kueue.x-k8s.io/workload": "job-train")"});
  EXPECT_EQ(FindPod(), nullptr);
  Apply({.labels = ""});
  EXPECT_EQ(FindPod(), nullptr);
}

}  // namespace
}  // namespace berth::control
