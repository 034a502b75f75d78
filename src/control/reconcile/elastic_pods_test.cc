#include "control/reconcile/elastic_pods.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "json/path.h"

namespace berth::control {
namespace {

constexpr std::string_view kGatedPod = R"({"metadata": {"name": "a",
    "labels": {"kueue.x-k8s.io/podset": "main"}}, "spec": {"nodeSelector": {"disk": "ssd"},
    "schedulingGates": [{"name": "kueue.x-k8s.io/elastic-job"}, {"name": "example.com/other"}]}})";

api::Workload SliceWithUpdate(std::string key, std::string value) {
  api::Workload slice;
  api::PodSetUpdate update{.name = "main"};
  update.node_selector.Set(std::move(key), std::move(value));
  slice.status.admission_checks.push_back({.name = "zones", .pod_set_updates = {update}});
  return slice;
}

TEST(UngatedPods, GetWhatTheChecksOfTheirSliceAdd) {
  const auto pod = UngatedPod(*json::Parse(kGatedPod), SliceWithUpdate("zone", "a"));
  ASSERT_TRUE(pod.has_value());
  EXPECT_EQ(json::TextAt(*pod, "spec.nodeSelector.zone"), "a");
  EXPECT_EQ(json::TextAt(*pod, "spec.nodeSelector.disk"), "ssd");
  EXPECT_EQ(json::TextAt(*pod, "spec.schedulingGates[0].name"), "example.com/other");
}

TEST(UngatedPods, StayGatedIfAnUpdateContradictsThem) {
  EXPECT_FALSE(UngatedPod(*json::Parse(kGatedPod), SliceWithUpdate("disk", "hdd")).has_value());
}

}  // namespace
}  // namespace berth::control
