#include "workload/requests/request_checks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "workload/testing/pods.h"

namespace berth::workload {
namespace {

using testing::Amounts;
using ::testing::ElementsAre;
using testing::Pod;
using testing::PodSetOf;

std::vector<std::string> TextsOf(const schema::Problems& problems) {
  std::vector<std::string> texts;
  for (const schema::Problem& problem : problems) texts.push_back(schema::ToString(problem));
  return texts;
}

std::vector<api::PodSet> OnePodSet(std::string_view pod_json) {
  return {PodSetOf("main", 1, Pod(pod_json))};
}

TEST(RequestsAboveLimits, AreReportedOncePerContainerAndPod) {
  std::vector<api::PodSet> pod_sets = OnePodSet(R"({"containers":[]})");
  pod_sets.push_back(PodSetOf("second", 1, Pod(R"({
      "initContainers":[{"name":"i","resources":
          {"requests":{"cpu":"2"},"limits":{"cpu":"1"}}}],
      "containers":[{"name":"a","resources":{"requests":{"cpu":"1"},"limits":{"cpu":"1"}}},
                    {"name":"b","resources":{"requests":{"cpu":"3","memory":"2Gi"},
                                             "limits":{"cpu":"2","memory":"1Gi"}}}],
      "resources":{"requests":{"cpu":"9"},"limits":{"cpu":"8"}}})")));
  EXPECT_THAT(
      TextsOf(RequestsAboveLimits(pod_sets)),
      ElementsAre("spec.podSets[1].template.spec.initContainers[0]: cpu request 2 exceeds the "
                  "limit of 1 by 1",
                  "spec.podSets[1].template.spec.containers[1]: cpu request 3 exceeds the limit of "
                  "2 by 1, memory request 2Gi exceeds the limit of 1Gi by 1Gi",
                  "spec.podSets[1].template.spec.resources: cpu request 9 exceeds the limit of 8 "
                  "by 1"));
}

TEST(RequestsAboveLimits, AreComparedAsTheyCount) {
  EXPECT_TRUE(RequestsAboveLimits(OnePodSet(R"({"containers":[{"name":"a","resources":
                  {"requests":{"memory":"1500m"},"limits":{"memory":"1200m"}}}]})"))
                  .empty());
}

TEST(LimitRangeViolations, OfContainersLookAtRequestsAndLimits) {
  LimitSummary limits;
  limits.container = {.max = Amounts({{"cpu", "2"}}), .min = Amounts({{"cpu", "1"}})};
  const auto pod_sets = OnePodSet(R"({"containers":[
      {"name":"a","resources":{"requests":{"cpu":"500m"},"limits":{"cpu":"3"}}},
      {"name":"b","resources":{"requests":{"memory":"1Gi"}}}]})");
  const std::string at = "spec.podSets[0].template.spec.containers[0]: ";
  EXPECT_THAT(TextsOf(LimitRangeViolations(pod_sets, limits)),
              ElementsAre(at + "cpu limit 3 exceeds the LimitRange max of 2 by 1",
                          at + "cpu request 500m is below the LimitRange min of 1 by 500m"));
}

TEST(LimitRangeViolations, OfPodsLookAtTheTotal) {
  LimitSummary limits;
  limits.pod = {.max = Amounts({{"cpu", "2"}}), .min = Amounts({{"cpu", "1"}})};
  const auto with = [](std::string_view cpu) {
    return OnePodSet(R"({"containers":[{"name":"a","resources":{"requests":{"cpu":"500m"}}}],
                         "overhead":{"cpu":")" +
                     std::string(cpu) + "\"}}");
  };
  EXPECT_TRUE(LimitRangeViolations(with("1"), limits).empty());
  EXPECT_THAT(TextsOf(LimitRangeViolations(with("100m"), limits)),
              ElementsAre("spec.podSets[0].template.spec: cpu request of the pod 600m is below the "
                          "LimitRange min of 1 by 400m"));
  EXPECT_THAT(TextsOf(LimitRangeViolations(with("2"), limits)),
              ElementsAre("spec.podSets[0].template.spec: cpu request of the pod 2500m exceeds the "
                          "LimitRange max of 2 by 500m"));
}

}  // namespace
}  // namespace berth::workload
