// The cost of a request is bounded by its size, whatever it contains: a small multiple of the time
// that parsing its text takes on the same machine.

#include <gtest/gtest.h>

#include <algorithm>
#include <ctime>
#include <functional>
#include <iostream>

#include "apiserver/testing/test_handler.h"

namespace berth::apiserver {
namespace {

using namespace testing;  // NOLINT: the builders of this module

// Linear and n log n work takes up to 70 times as long as parsing, quadratic work more than 500
// times.
constexpr double kMostTimes = 300;

const store::Resource kClusterQueues{.group = "kueue.x-k8s.io",
                                     .version = "v1beta2",
                                     .plural = "clusterqueues",
                                     .kind = "ClusterQueue"};
const store::Resource kDefinitions{.group = "apiextensions.k8s.io",
                                   .version = "v1",
                                   .plural = "customresourcedefinitions",
                                   .kind = "CustomResourceDefinition"};
const store::Resource kBoxes{.group = "example.com",
                             .version = "v1",
                             .plural = "boxes",
                             .kind = "Box",
                             .is_namespaced = true};

double ThreadSeconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

double SecondsFor(const std::function<void()>& work) {
  const double begin = ThreadSeconds();
  work();
  return ThreadSeconds() - begin;
}

// CPU time of the work, in units of the time to parse the text.
double TimesParsing(const std::string& text, const std::function<void()>& work) {
  double parsing = 1e9;
  for (int i = 0; i < 3; ++i)
    parsing = std::min(parsing, SecondsFor([&] { ASSERT_TRUE(json::Parse(text)); }));
  const double seconds = SecondsFor(work);
  std::cout << text.size() / 1000 << " kB: " << seconds << " s, " << seconds / parsing
            << " times parsing\n";
  return seconds / parsing;
}

// Joins n parts, numbered in no order.
std::string Parts(int n, const std::string& before, const std::string& after) {
  std::string text;
  for (int64_t i = 0; i < n; ++i)
    text += (i == 0 ? "" : ",") + before + std::to_string(i * 7919 % 1'000'003) + after;
  return text;
}

std::string MapWith(const std::string& metadata, const std::string& data = "") {
  return R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"m")" + metadata +
         R"(},"data":{)" + data + "}}";
}

TEST(LargeObjects, MayHaveManyLabels) {
  TestHandler handler;
  const std::string map = MapWith(R"(,"labels":{)" + Parts(100'000, "\"k", "\":\"\"") + "}");
  EXPECT_LT(TimesParsing(map, [&] { EXPECT_EQ(ErrorOf(handler.Create(kConfigMaps, map)), ""); }),
            kMostTimes);
}

TEST(LargeObjects, MayHaveManyVariables) {
  TestHandler handler;
  const std::string pod =
      R"({"metadata":{"name":"p"},"spec":{"containers":[{"name":"c","image":"i","env":[)" +
      Parts(20'000, R"({"name":"E)", R"(","value":"v"})") + "]}]}}";
  EXPECT_LT(TimesParsing(pod, [&] { EXPECT_EQ(ErrorOf(handler.Create(kPods, pod)), ""); }),
            kMostTimes);
  EXPECT_LT(TimesParsing(pod,
                         [&] {
                           EXPECT_EQ(ErrorOf(handler.Merge(kPods, "p",
                                                           R"({"metadata":{"labels":{"a":"b"}}})")),
                                     "");
                         }),
            kMostTimes);
}

TEST(LargeObjects, MayHaveManyFinalizers) {
  TestHandler handler;
  const std::string list = R"("finalizers":[)" + Parts(20'000, "\"example.com/f", "\"") + "]";
  const std::string map = MapWith("," + list);
  const std::string patch = R"({"metadata":{"labels":{"a":"b"}}})";
  const auto create = [&] { EXPECT_EQ(ErrorOf(handler.Create(kConfigMaps, map)), ""); };
  EXPECT_LT(TimesParsing(map, create), kMostTimes);
  const auto change = [&] { EXPECT_EQ(ErrorOf(handler.Merge(kConfigMaps, "m", patch)), ""); };
  EXPECT_LT(TimesParsing(map, change), kMostTimes);
  EXPECT_EQ(ErrorOf(handler.Delete(kConfigMaps, "m")), "");
  const auto finalize = [&] {
    EXPECT_EQ(ErrorOf(handler.Merge(kConfigMaps, "m", R"({"metadata":{"labels":{"a":"c"}}})")), "");
  };
  EXPECT_LT(TimesParsing(map, finalize), kMostTimes);
}

TEST(LargeObjects, MayLoseManyMembersInAMergePatch) {
  TestHandler handler;
  const std::string map = MapWith("", Parts(100'000, "\"k", "\":\"\""));
  ASSERT_EQ(ErrorOf(handler.Create(kConfigMaps, map)), "");
  const std::string patch = R"({"data":{)" + Parts(100'000, "\"k", "\":null") + "}}";
  EXPECT_LT(
      TimesParsing(patch, [&] { EXPECT_EQ(ErrorOf(handler.Merge(kConfigMaps, "m", patch)), ""); }),
      kMostTimes);
  EXPECT_EQ(At(handler.Get(kConfigMaps, "m"), "data.k7919"), "");
}

TEST(LargeObjects, MayHaveManyUnknownFields) {
  TestHandler handler;
  const std::string map = R"({"metadata":{"name":"m"},)" + Parts(50'000, "\"u", "\":1") + "}";
  EXPECT_LT(TimesParsing(map, [&] { EXPECT_EQ(ErrorOf(handler.Create(kConfigMaps, map)), ""); }),
            kMostTimes);
}

TEST(LargeObjects, AreRefusedQuicklyForTheirNumberOfFlavors) {
  TestHandler handler;
  const std::string queue =
      R"({"metadata":{"name":"q"},"spec":{"resourceGroups":[{"coveredResources":["cpu"],"flavors":[)" +
      Parts(10'000, R"({"name":"f)", R"(","resources":[{"name":"cpu","nominalQuota":"1"}]})") +
      "]}]}}";
  EXPECT_LT(TimesParsing(queue,
                         [&] {
                           EXPECT_NE(ErrorOf(handler.Create(kClusterQueues, queue)).find("flavors"),
                                     std::string::npos);
                         }),
            kMostTimes);
}

std::string BoxDefinition(const std::string& spec) {
  return R"({"metadata":{"name":"boxes.example.com"},"spec":{"group":"example.com",
    "scope":"Namespaced","names":{"plural":"boxes","kind":"Box"},"versions":[
    {"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object",
     "properties":{"spec":)" +
         spec + "}}}}]}}";
}

TEST(LargeObjects, OfDefinedKindsMayHaveManyUnknownFieldsAndNulls) {
  TestHandler handler;
  const std::string definition = BoxDefinition(
      R"({"type":"object","properties":{"labels":{"type":"object","additionalProperties":{"type":"string"}}}})");
  ASSERT_EQ(ErrorOf(handler.Create(kDefinitions, definition)), "");
  const std::string box = R"({"metadata":{"name":"b"},"spec":{"labels":{)" +
                          Parts(50'000, "\"k", "\":null") + "}," + Parts(50'000, "\"u", "\":1") +
                          "}}";
  EXPECT_LT(TimesParsing(box, [&] { EXPECT_EQ(ErrorOf(handler.Create(kBoxes, box)), ""); }),
            kMostTimes);
}

// The paths of all problems would have 500 MB.
TEST(LargeObjects, MayRepeatProblemsBelowLongKeys) {
  TestHandler handler;
  const std::string definition = BoxDefinition(
      R"({"type":"object","additionalProperties":{"type":"object","properties":{
          "l":{"type":"array","items":{"type":"string"}}}}})");
  ASSERT_EQ(ErrorOf(handler.Create(kDefinitions, definition)), "");
  const std::string head =
      R"({"metadata":{"name":"b"},"spec":{")" + std::string(100'000, 'k') + "\":{";
  std::string duplicates = R"("a":1)", wrong = R"("l":[1)";
  for (int i = 0; i < 5'000; ++i) {
    duplicates += R"(,"a":1)";
    wrong += ",1";
  }
  for (const std::string& part : {duplicates, Parts(5'000, "\"u", "\":1"), wrong + "]"}) {
    const std::string box = head + part + "}}}";
    EXPECT_LT(
        TimesParsing(box, [&] { EXPECT_LT(ErrorOf(handler.Create(kBoxes, box)).size(), 5e6); }),
        kMostTimes);
  }
}

// The defaults of 4,000 elements are 400 MB.
TEST(LargeObjects, AreRefusedWhileTheirDefaultsAreFilledIn) {
  TestHandler handler;
  const std::string text(100'000, 'x');
  const std::string definition = BoxDefinition(
      R"({"type":"array","items":{"type":"object","properties":{"text":{"type":"string","default":")" +
      text + "\"}}}}");
  ASSERT_EQ(ErrorOf(handler.Create(kDefinitions, definition)), "");
  std::string box = R"({"metadata":{"name":"b"},"spec":[{})";
  for (int i = 1; i < 4'000; ++i) box += ",{}";
  box += "]}";
  const auto create = [&] { EXPECT_EQ(ErrorOf(handler.Create(kBoxes, box)).substr(0, 3), "413"); };
  const std::string largest = '"' + std::string(3'000'000, 'x') + '"';
  EXPECT_LT(TimesParsing(largest, create), kMostTimes);
}

}  // namespace
}  // namespace berth::apiserver
