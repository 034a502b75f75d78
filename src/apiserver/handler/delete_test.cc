#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apiserver/testing/test_handler.h"

namespace berth::apiserver {
namespace {

using namespace testing;  // NOLINT: the builders of this module
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

constexpr const char* kPlain = R"({"metadata":{"name":"a"}})";
constexpr const char* kHeld = R"({"metadata":{"name":"a","finalizers":["x.io/a"]}})";

TEST(Delete, RemovesObjectsWithoutFinalizers) {
  TestHandler handler;
  handler.Create(kConfigMaps, kPlain);
  const auto reply = handler.Delete(kConfigMaps, "a");
  EXPECT_TRUE(reply->was_removed);
  EXPECT_FALSE(handler.Has(kConfigMaps, "a"));
  EXPECT_EQ(ErrorOf(handler.Delete(kConfigMaps, "a")), "404 NotFound: configmaps \"a\" not found");
}

TEST(Delete, MarksObjectsWithFinalizers) {
  TestHandler handler;
  handler.Create(kConfigMaps, kHeld);
  const auto reply = handler.Delete(kConfigMaps, "a");
  EXPECT_FALSE(reply->was_removed);
  EXPECT_EQ(At(TreeOf(reply), "metadata.deletionTimestamp"), "\"2026-01-02T15:04:05Z\"");
  EXPECT_EQ(At(TreeOf(reply), "metadata.deletionGracePeriodSeconds"), "0");
  const auto again = handler.Delete(kConfigMaps, "a");
  EXPECT_EQ(again->resource_version, reply->resource_version) << "once is enough";
}

TEST(Delete, ChecksPreconditions) {
  TestHandler handler;
  const auto created = handler.Create(kConfigMaps, kPlain);
  EXPECT_THAT(ErrorOf(handler.Delete(kConfigMaps, "a", {.uid = "b"})),
              HasSubstr("409 Conflict: Operation cannot be fulfilled on configmaps \"a\": "
                        "Precondition failed: UID in precondition: b, UID in object meta: "));
  EXPECT_THAT(ErrorOf(handler.Delete(kConfigMaps, "a", {.resource_version = "1"})),
              HasSubstr("ResourceVersion in precondition: 1"));
  EXPECT_EQ(ErrorOf(handler.Delete(kConfigMaps, "a",
                                   {.uid = created->object.uid,
                                    .resource_version = created->object.resource_version})),
            "");
}

TEST(Delete, SupportsDryRun) {
  TestHandler handler;
  handler.Create(kConfigMaps, kPlain);
  EXPECT_EQ(ErrorOf(handler.Delete(kConfigMaps, "a", {.is_dry_run = true})), "");
  EXPECT_TRUE(handler.Has(kConfigMaps, "a"));
}

TEST(Delete, RejectsSystemNamespaces) {
  TestHandler handler;
  EXPECT_EQ(ErrorOf(handler.Delete(kNamespaces, "default")),
            "403 Forbidden: namespaces \"default\" is forbidden: this namespace may not be "
            "deleted");
}

TEST(Delete, TerminatesANamespaceAndRejectsNewObjectsInIt) {
  TestHandler handler;
  handler.Create(kNamespaces, R"({"metadata":{"name":"team"}})");
  const auto marked = TreeOf(handler.Delete(kNamespaces, "team"));
  EXPECT_EQ(At(marked, "status.phase"), "\"Terminating\"");
  const auto refused =
      handler.Do(store::Create{.resource = kConfigMaps, .namespace_ = "team", .object = kPlain});
  EXPECT_EQ(ErrorOf(refused),
            "403 Forbidden: configmaps \"a\" is forbidden: unable to create new content in "
            "namespace team because it is being terminated");
  EXPECT_EQ(refused.error().status.details->causes.at(0).reason, "NamespaceTerminating");
}

TEST(Delete, OrphansThePodsOfAJobByDefaultAndWarns) {
  TestHandler handler;
  handler.Create(kJobs, R"({"metadata":{"name":"a"},"spec":{"template":{"spec":{
      "restartPolicy":"Never","containers":[{"name":"c","image":"i"}]}}}})");
  const auto reply = handler.Delete(kJobs, "a");
  EXPECT_THAT(reply->warnings, ElementsAre(HasSubstr("child pods are preserved by default")));
  EXPECT_EQ(At(TreeOf(reply), "metadata.finalizers"), R"(["orphan"])");
}

TEST(Delete, GivesARunningPodItsGracePeriod) {
  TestHandler handler;
  handler.Create(kPods, R"({"metadata":{"name":"p"},"spec":{"nodeName":"n",
      "terminationGracePeriodSeconds":10,"containers":[{"name":"c","image":"i"}]}})");
  const auto marked = TreeOf(handler.Delete(kPods, "p"));
  EXPECT_EQ(At(marked, "metadata.deletionTimestamp"), "\"2026-01-02T15:04:15Z\"");
  EXPECT_EQ(At(marked, "metadata.deletionGracePeriodSeconds"), "10");
  EXPECT_TRUE(handler.Delete(kPods, "p", {.grace_period_seconds = 0})->was_removed);
}

TEST(Delete, RemovesAnUnscheduledPodAtOnce) {
  TestHandler handler;
  handler.Create(kPods,
                 R"({"metadata":{"name":"p"},"spec":{"containers":[{"name":"c","image":"i"}]}})");
  EXPECT_TRUE(handler.Delete(kPods, "p")->was_removed);
}

TEST(DeleteCollection, DeletesSelectedObjects) {
  TestHandler handler;
  for (const char* name : {"a", "b", "c"})
    handler.Create(kConfigMaps, std::string(R"({"metadata":{"name":")") + name +
                                    R"(","labels":{"l":")" + (*name == 'c' ? "2" : "1") + "\"}}}");
  const auto reply = handler.Do(store::DeleteCollection{
      .resource = kConfigMaps, .selection = {.namespace_ = "default", .label_selector = "l=1"}});
  ASSERT_TRUE(reply) << ErrorOf(reply);
  EXPECT_THAT(reply->items, SizeIs(2));
  EXPECT_FALSE(handler.Has(kConfigMaps, "a"));
  EXPECT_TRUE(handler.Has(kConfigMaps, "c"));
}

}  // namespace
}  // namespace berth::apiserver
