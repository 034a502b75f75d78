// Objects, failures and the inbox.

#include "store/store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "store/inbox.h"

namespace berth::store {
namespace {

using ::testing::ElementsAre;

const Resource kJobs{
    .group = "batch", .version = "v1", .plural = "jobs", .kind = "Job", .is_namespaced = true};

TEST(Object, ExtractsMetadata) {
  const auto object = Object::FromJson(
      R"({"kind":"Job","metadata":{"labels":{"name":"x"},"name":"a\u0062","namespace":"n",
          "uid":"u","resourceVersion":"7"},"spec":{"name":"y"}})");
  ASSERT_TRUE(object);
  EXPECT_EQ(object->key(), (ObjectName{.namespace_ = "n", .name = "ab"}));
  EXPECT_EQ(object->uid, "u");
  EXPECT_EQ(object->resource_version, "7");
}

TEST(Object, MayLackMetadata) {
  for (const char* text : {"{}", R"({"metadata":null})", R"({"metadata":{}})"})
    EXPECT_EQ(Object::FromJson(text)->name, "") << text;
}

TEST(Object, RejectsMetadataOfAnotherType) {
  for (const char* text : {"", "[]", "null", "{", R"({"metadata":1})", R"({"metadata":{"name":1}})",
                           R"({"metadata":{"name":"a")"})
    EXPECT_FALSE(Object::FromJson(text)) << text;
}

TEST(Failure, HasTheMessagesOfKubernetes) {
  EXPECT_EQ(NotFound(kJobs, "a").message(), "jobs.batch \"a\" not found");
  EXPECT_EQ(AlreadyExists(kJobs, "a").message(), "jobs.batch \"a\" already exists");
  EXPECT_EQ(Forbidden(kJobs, "a", "no").message(), "jobs.batch \"a\" is forbidden: no");
  EXPECT_EQ(ToString(Conflict(kJobs, "a", "why")),
            "409 Conflict: Operation cannot be fulfilled on jobs.batch \"a\": why");
  const Failure invalid =
      Invalid(kJobs, "a",
              {{.type = schema::ProblemType::kRequired, .field = "spec.x", .message = "give it"},
               {.field = "spec.y", .message = "no"}});
  EXPECT_EQ(invalid.message(),
            "Job.batch \"a\" is invalid: [spec.x: Required value: give it, spec.y: Invalid value: "
            "no]");
  EXPECT_EQ(invalid.status.details->causes.size(), 2u);
  EXPECT_EQ(invalid.status.details->causes[0].reason, "FieldValueRequired");
}

TEST(Failure, DistinguishesTransientErrors) {
  EXPECT_TRUE(Unreachable("").IsTransient());
  EXPECT_TRUE(Unavailable("").IsTransient());
  EXPECT_TRUE(TooManyRequests("", 1).IsTransient());
  EXPECT_FALSE(NotFound(kJobs, "a").IsTransient());
  EXPECT_FALSE(Expired("").IsTransient());
}

TEST(Inbox, RunsTasksInOrder) {
  Inbox inbox;
  std::vector<int> ran;
  inbox.PostAfter(base::Duration::Milliseconds(20), [&] { ran.push_back(4); });
  inbox.PostAfter(base::Duration::Milliseconds(5), [&] { ran.push_back(3); });
  inbox.Post([&] { ran.push_back(1); });
  inbox.Post([&] { ran.push_back(2); });
  EXPECT_EQ(inbox.RunReady(), 2u);
  EXPECT_TRUE(inbox.RunUntil([&] { return ran.size() == 4; }, base::Duration::Seconds(10)));
  EXPECT_THAT(ran, ElementsAre(1, 2, 3, 4));
}

TEST(Inbox, StopsWaitingAtTheLimit) {
  Inbox inbox;
  bool has_run = false;
  inbox.PostAfter(base::Duration::Seconds(60), [&] { has_run = true; });
  const base::Time start = inbox.Now();
  EXPECT_FALSE(inbox.RunUntil([&] { return has_run; }, base::Duration::Milliseconds(5)));
  EXPECT_GE(inbox.Now() - start, base::Duration::Milliseconds(4));
  EXPECT_LT(inbox.Now() - start, base::Duration::Seconds(30));
  EXPECT_FALSE(has_run);
}

TEST(Inbox, RunsTasksOfOtherThreadsUntilStopped) {
  Inbox inbox;
  int sum = 0;
  std::thread other([&] {
    for (int i = 0; i < 1000; ++i) inbox.Post([&] { ++sum; });
    inbox.Post([&] { inbox.Stop(); });
  });
  inbox.Run();
  other.join();
  EXPECT_EQ(sum, 1000);
}

}  // namespace
}  // namespace berth::store
