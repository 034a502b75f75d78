#include "webhook_server/conversion.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace berth::webhook_server {
namespace {

using ::testing::HasSubstr;

constexpr std::string_view kOld = "kueue.x-k8s.io/v1beta1";
constexpr std::string_view kToday = "kueue.x-k8s.io/v1beta2";

std::string Converted(const std::string& object, std::string_view version) {
  const auto converted = ConvertObject(*json::Parse(object), version);
  return converted ? json::Print(*converted) : base::ToString(converted.error());
}

std::string SpecOf(const std::string& object) {
  const auto tree = json::Parse(object);
  const json::value* spec = tree ? json::Find(*tree, {"spec"}) : nullptr;
  return spec == nullptr ? object : json::Print(*spec);
}

TEST(Conversion, RenamesFields) {
  const std::string today =
      R"({"apiVersion":"kueue.x-k8s.io/v1beta2","kind":"ClusterQueue","metadata":{"name":"a"},)"
      R"("spec":{"cohortName":"c"}})";
  const std::string old = Converted(today, kOld);
  EXPECT_THAT(old, HasSubstr(R"("apiVersion":"kueue.x-k8s.io/v1beta1")"));
  EXPECT_EQ(SpecOf(old), R"({"cohort":"c"})");
  EXPECT_EQ(SpecOf(Converted(old, kToday)), R"({"cohortName":"c"})");
}

TEST(Conversion, MovesPriorityClasses) {
  const std::string today =
      R"({"apiVersion":"kueue.x-k8s.io/v1beta2","kind":"Workload","metadata":{"name":"a"},)"
      R"("spec":{"podSets":[],"priorityClassRef":{"group":"kueue.x-k8s.io",)"
      R"("kind":"WorkloadPriorityClass","name":"high"}}})";
  const std::string old = Converted(today, kOld);
  EXPECT_THAT(old, HasSubstr(R"("priorityClassSource":"kueue.x-k8s.io/workloadpriorityclass")"));
  EXPECT_THAT(old, HasSubstr(R"("priorityClassName":"high")"));
  EXPECT_THAT(old, ::testing::Not(HasSubstr("priorityClassRef")));
  EXPECT_THAT(Converted(old, kToday), HasSubstr(R"("name":"high")"));
}

TEST(Conversion, MovesTheClusterSource) {
  const std::string today =
      R"({"apiVersion":"kueue.x-k8s.io/v1beta2","kind":"MultiKueueCluster","metadata":{"name":"a"},)"
      R"("spec":{"clusterSource":{"kubeConfig":{"location":"s","locationType":"Secret"}}}})";
  const std::string old = Converted(today, kOld);
  EXPECT_EQ(SpecOf(old), R"({"kubeConfig":{"location":"s","locationType":"Secret"}})");
  EXPECT_EQ(SpecOf(Converted(old, kToday)), SpecOf(today));
}

TEST(Conversion, ExpandsTopologyAssignments) {
  const std::string today =
      R"({"apiVersion":"kueue.x-k8s.io/v1beta2","kind":"Workload","metadata":{"name":"a"},)"
      R"("spec":{"podSets":[]},"status":{"admission":{"clusterQueue":"q","podSetAssignments":[)"
      R"({"name":"main","topologyAssignment":{"levels":["host"],"slices":[{"domainCount":2,)"
      R"("valuesPerLevel":[{"individual":{"roots":["x","y"]}}],"podCounts":{"universal":3}}]}}]}}})";
  const std::string old = Converted(today, kOld);
  EXPECT_THAT(old,
              HasSubstr(R"("domains":[{"values":["x"],"count":3},{"values":["y"],"count":3}])"));
  EXPECT_THAT(Converted(old, kToday), HasSubstr(R"("domainCount":2)"));
}

TEST(Conversion, AnswersAReview) {
  const auto answer = AnswerConversion(
      R"({"kind":"ConversionReview","apiVersion":"apiextensions.k8s.io/v1","request":{"uid":"u",
          "desiredAPIVersion":"kueue.x-k8s.io/v1beta1","objects":[
          {"apiVersion":"kueue.x-k8s.io/v1beta2","kind":"Cohort","metadata":{"name":"a"},
           "spec":{"parentName":"b"}}]}})");
  ASSERT_TRUE(answer);
  EXPECT_THAT(*answer, HasSubstr(R"("uid":"u")"));
  EXPECT_THAT(*answer, HasSubstr(R"("status":"Success")"));
  EXPECT_THAT(*answer, HasSubstr(R"("apiVersion":"kueue.x-k8s.io/v1beta1")"));
}

TEST(Conversion, NamesTheObjectThatFailed) {
  const auto answer = AnswerConversion(
      R"({"request":{"uid":"u","desiredAPIVersion":"kueue.x-k8s.io/v1","objects":[
          {"apiVersion":"kueue.x-k8s.io/v1beta2","kind":"Cohort","metadata":{"name":"a"}}]}})");
  ASSERT_TRUE(answer);
  EXPECT_THAT(*answer, HasSubstr(R"("status":"Failure")"));
  EXPECT_THAT(*answer, HasSubstr(R"("convertedObjects":[])"));
  EXPECT_FALSE(AnswerConversion("{}"));
  EXPECT_FALSE(AnswerConversion("no"));
}

}  // namespace
}  // namespace berth::webhook_server
