#include "workload/requests/pod_requests.h"

#include <gtest/gtest.h>

#include "api/core/limit_range.h"
#include "schema/decode.h"
#include "workload/testing/pods.h"

namespace berth::workload {
namespace {

using testing::Amounts;
using testing::Pod;
using testing::Texts;
using testing::TextsOf;

LimitSummary Limits(std::string_view json) {
  LimitSummary limits;
  limits.Add(schema::Decode<api::LimitRangeSpec>(json, {.is_strict = true}).value());
  return limits;
}

// The requests of a pod with the defaults of an API server.
Texts RequestsOf(std::string_view pod_json, const LimitSummary& limits = {},
                 const RuntimeOverheads& overheads = {}) {
  api::PodSpec pod = Pod(pod_json);
  AdjustPod(pod, limits, overheads);
  return TextsOf(PodRequests(pod));
}

TEST(ContainerRequests, AddUpExactly) {
  EXPECT_EQ(RequestsOf(R"({"containers":[
                {"name":"a","resources":{"requests":{"cpu":"0.1m"}}},
                {"name":"b","resources":{"requests":{"cpu":"200u","memory":"1Gi"}}}]})"),
            (Texts{{"cpu", "300u"}, {"memory", "1Gi"}}));
}

TEST(ContainerRequests, AreAbsentWithoutARequest) {
  EXPECT_EQ(RequestsOf(R"({"containers":[{"name":"a"}]})"), Texts());
}

TEST(MissingRequests, AreTheLimits) {
  EXPECT_EQ(RequestsOf(R"({"containers":[{"name":"a","resources":
                {"requests":{"cpu":"1"},"limits":{"cpu":"2","memory":"1Gi"}}}]})"),
            (Texts{{"cpu", "1"}, {"memory", "1Gi"}}));
}

TEST(MissingRequests, DoNotIncludeAnExplicitZero) {
  EXPECT_EQ(RequestsOf(R"({"containers":[{"name":"a","resources":
                {"requests":{"cpu":"0"},"limits":{"cpu":"2"}}}]})"),
            (Texts{{"cpu", "0"}}));
}

TEST(InitContainers, CountWhereOneNeedsMoreThanAllMainContainers) {
  EXPECT_EQ(RequestsOf(R"({"containers":[{"name":"a","resources":{"requests":{"cpu":"3"}}}],
                "initContainers":[
                  {"name":"i","resources":{"requests":{"cpu":"2","memory":"5"}}},
                  {"name":"j","resources":{"requests":{"cpu":"2","memory":"4"}}}]})"),
            (Texts{{"cpu", "3"}, {"memory", "5"}}));
}

TEST(Sidecars, RunBesideTheMainContainers) {
  EXPECT_EQ(RequestsOf(R"({"containers":[{"name":"a","resources":{"requests":{"cpu":"1"}}}],
                "initContainers":[{"name":"s","restartPolicy":"Always",
                                   "resources":{"requests":{"cpu":"2"}}}]})"),
            (Texts{{"cpu", "3"}}));
}

TEST(Sidecars, RunBesideTheInitContainersAfterThemOnly) {
  const std::string_view sidecar =
      R"({"name":"s","restartPolicy":"Always","resources":{"requests":{"cpu":"2"}}})";
  const std::string_view init = R"({"name":"i","resources":{"requests":{"cpu":"5"}}})";
  const auto with = [](std::string_view first, std::string_view second) {
    return R"({"containers":[{"name":"a","resources":{"requests":{"cpu":"1"}}}],
               "initContainers":[)" +
           std::string(first) + "," + std::string(second) + "]}";
  };
  EXPECT_EQ(RequestsOf(with(sidecar, init)), (Texts{{"cpu", "7"}}));
  EXPECT_EQ(RequestsOf(with(init, sidecar)), (Texts{{"cpu", "5"}}));
}

TEST(PodLevelRequests, ReplaceTheSumOfContainersEvenIfSmaller) {
  EXPECT_EQ(RequestsOf(R"({"containers":[{"name":"a","resources":{"requests":{"cpu":"4"}}}],
                "resources":{"requests":{"cpu":"1"}}})"),
            (Texts{{"cpu", "1"}}));
}

TEST(PodLevelRequests, AreForCpuMemoryAndHugepagesOnly) {
  EXPECT_EQ(RequestsOf(R"({"containers":[{"name":"a"}],"resources":{"requests":
                {"cpu":"1","memory":"2","hugepages-2Mi":"4Mi","ephemeral-storage":"3",
                 "example.com/gpu":"4"}}})"),
            (Texts{{"cpu", "1"}, {"memory", "2"}, {"hugepages-2Mi", "4Mi"}}));
}

TEST(PodLevelRequests, TakeLimitsForMissingRequests) {
  EXPECT_EQ(RequestsOf(R"({"containers":[{"name":"a"}],"resources":{"limits":{"cpu":"2"}}})"),
            (Texts{{"cpu", "2"}}));
}

TEST(Overhead, ComesOnTopOfEverything) {
  EXPECT_EQ(RequestsOf(R"({"containers":[{"name":"a","resources":{"requests":{"cpu":"4"}}}],
                "resources":{"requests":{"cpu":"1"}},"overhead":{"cpu":"250m","memory":"1Mi"}})"),
            (Texts{{"cpu", "1250m"}, {"memory", "1Mi"}}));
}

TEST(Overhead, IsThatOfTheRuntimeClassUnlessThePodHasItsOwn) {
  const RuntimeOverheads overheads{{"kata", Amounts({{"cpu", "250m"}})}};
  EXPECT_EQ(RequestsOf(R"({"containers":[],"runtimeClassName":"kata"})", {}, overheads),
            (Texts{{"cpu", "250m"}}));
  EXPECT_EQ(RequestsOf(R"({"containers":[],"runtimeClassName":"kata","overhead":{"cpu":"1"}})", {},
                       overheads),
            (Texts{{"cpu", "1"}}));
  EXPECT_EQ(RequestsOf(R"({"containers":[],"runtimeClassName":"gvisor"})", {}, overheads), Texts());
}

TEST(LimitRangeDefaults, WinOverTheContainersOwnLimit) {
  const auto limits = Limits(
      R"({"limits":[{"type":"Container","defaultRequest":{"cpu":"1"},"default":{"cpu":"3"}}]})");
  EXPECT_EQ(
      RequestsOf(R"({"containers":[{"name":"a","resources":{"limits":{"cpu":"2"}}}]})", limits),
      (Texts{{"cpu", "1"}}));
}

TEST(LimitRangeDefaults, FillInLimitsThatThenAreRequests) {
  const auto limits = Limits(R"({"limits":[{"type":"Container","default":{"cpu":"3"}}]})");
  EXPECT_EQ(RequestsOf(R"({"containers":[{"name":"a"}],"initContainers":[{"name":"i"}]})", limits),
            (Texts{{"cpu", "3"}}));
}

TEST(LimitRangeDefaults, OfPodsNeedPodLevelResources) {
  const auto limits = Limits(R"({"limits":[{"type":"Pod","defaultRequest":{"cpu":"2"}}]})");
  EXPECT_EQ(RequestsOf(R"({"containers":[]})", limits), Texts());
  EXPECT_EQ(RequestsOf(R"({"containers":[],"resources":{}})", limits), (Texts{{"cpu", "2"}}));
}

TEST(LimitRanges, AreTheStrictestBoundsAndTheFirstDefaults) {
  LimitSummary limits = Limits(R"({"limits":[{"type":"Container","max":{"cpu":"4"},
                                   "min":{"cpu":"1"},"defaultRequest":{"cpu":"2"}}]})");
  limits.Add(schema::Decode<api::LimitRangeSpec>(
                 R"({"limits":[{"type":"Container","max":{"cpu":"3","memory":"1Gi"},
                     "min":{"cpu":"500m"},"defaultRequest":{"cpu":"3","memory":"1Mi"}},
                     {"type":"PersistentVolumeClaim","max":{"storage":"1Gi"}}]})")
                 .value());
  EXPECT_EQ(TextsOf(limits.container->max), (Texts{{"cpu", "3"}, {"memory", "1Gi"}}));
  EXPECT_EQ(TextsOf(limits.container->min), (Texts{{"cpu", "1"}}));
  EXPECT_EQ(TextsOf(limits.container->default_request), (Texts{{"cpu", "2"}, {"memory", "1Mi"}}));
  EXPECT_FALSE(limits.pod.has_value());
}

}  // namespace
}  // namespace berth::workload
