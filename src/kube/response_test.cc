#include "kube/response.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace berth::kube {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const store::Resource kJobs{
    .group = "batch", .version = "v1", .plural = "jobs", .kind = "Job", .is_namespaced = true};
const store::Call kList = store::List{.resource = kJobs, .selection = {}};
const store::Call kGet = store::Get{.resource = kJobs, .namespace_ = "n", .name = "a"};
const store::Call kDelete =
    store::Delete{.resource = kJobs, .namespace_ = "n", .name = "a", .options = {}};

TEST(Response, OfAListHasItemsAndContinueToken) {
  const auto reply = ReplyFrom(kList, {.status = 200, .body = R"({"kind":"JobList",
      "metadata":{"resourceVersion":"9","continue":"c","remainingItemCount":3},
      "items":[{"metadata":{"name":"a","namespace":"n","resourceVersion":"4"}},
               {"apiVersion":"batch/v1","kind":"Job","metadata":{"name":"b"}},{}]})"});
  ASSERT_TRUE(reply) << store::ToString(reply.error());
  EXPECT_EQ(reply->resource_version, "9");
  EXPECT_EQ(reply->continue_token, "c");
  EXPECT_EQ(reply->remaining_items, 3);
  ASSERT_EQ(reply->items.size(), 3u);
  EXPECT_EQ(reply->items[0].text(),
            R"({"apiVersion":"batch/v1","kind":"Job",)"
            R"("metadata":{"name":"a","namespace":"n","resourceVersion":"4"}})")
      << "objects in lists are told what they are";
  EXPECT_EQ(reply->items[1].text(),
            R"({"apiVersion":"batch/v1","kind":"Job","metadata":{"name":"b"}})");
  EXPECT_EQ(reply->items[2].text(), R"({"apiVersion":"batch/v1","kind":"Job"})");
}

TEST(Response, OfADeleteSaysWhetherTheObjectIsGone) {
  const auto gone = ReplyFrom(
      kDelete,
      {.status = 200, .body = R"({"kind":"Status","apiVersion":"v1","status":"Success"})"});
  ASSERT_TRUE(gone);
  EXPECT_TRUE(gone->was_removed);
  const auto marked =
      ReplyFrom(kDelete, {.status = 200, .body = R"({"kind":"Job","metadata":{"name":"a"}})"});
  ASSERT_TRUE(marked);
  EXPECT_FALSE(marked->was_removed);
  EXPECT_EQ(marked->object.name, "a");
}

TEST(Response, CarriesWarnings) {
  const auto reply = ReplyFrom(kGet, {.status = 200,
                                      .warnings = {R"(299 - "say \"a\"")", "odd"},
                                      .body = R"({"metadata":{"name":"a"}})"});
  ASSERT_TRUE(reply);
  EXPECT_THAT(reply->warnings, ElementsAre("say \"a\"", "odd"));
}

TEST(Response, CarriesTheStatusOfTheServer) {
  const store::Failure failure =
      FailureFrom({.status = 409, .body = R"({"kind":"Status","apiVersion":"v1",
      "status":"Failure","reason":"AlreadyExists","message":"m","code":409})"});
  EXPECT_TRUE(failure.IsAlreadyExists());
  EXPECT_EQ(failure.message(), "m");
}

TEST(Response, DerivesAStatusFromTheCode) {
  const store::Failure failure =
      FailureFrom({.status = 503, .retry_after = "7", .body = "bad gateway\n"});
  EXPECT_EQ(failure.code(), 503);
  EXPECT_EQ(failure.message(), "bad gateway");
  EXPECT_EQ(failure.retry_after_seconds(), 7);
  EXPECT_TRUE(FailureFrom({.status = 404, .body = "404 page not found"}).IsNotFound());
  EXPECT_TRUE(FailureFrom({.status = 410}).IsExpired());
}

TEST(Response, ThatIsDamagedIsTransient) {
  for (const char* body : {"", "{", "[]", R"({"items":{}})", R"({"items":[1]})",
                           R"({"items":[{"metadata":{"name":1}}]})", R"({"metadata":[]})"}) {
    const auto reply = ReplyFrom(kList, {.status = 200, .body = body});
    ASSERT_FALSE(reply) << body;
    EXPECT_EQ(reply.error().code(), 0) << body;
    EXPECT_THAT(reply.error().message(), HasSubstr("cannot be read"));
  }
  EXPECT_FALSE(ReplyFrom(kGet, {.status = 200, .body = "{"}));
}

}  // namespace
}  // namespace berth::kube
