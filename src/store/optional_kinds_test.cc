#include "store/optional_kinds.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>

#include "store/inbox.h"
#include "store/informer.h"

namespace berth::store {
namespace {

const Resource kJobSets{.group = "jobset.x-k8s.io",
                        .version = "v1alpha2",
                        .plural = "jobsets",
                        .kind = "JobSet",
                        .is_namespaced = true};

// A server with one JobSet, if the kind is installed.
class JobSetServer final : public Store {
 public:
  bool is_installed = false;

  void Do(Call, Executor& executor, Answer answer) override {
    ++calls;
    Outcome<Reply> reply = std::unexpected(NotFound(kJobSets, ""));
    if (is_installed) {
      Reply list;
      list.items.push_back({.namespace_ = "n", .name = "a", .uid = "u", .resource_version = "5"});
      list.resource_version = "5";
      reply = std::move(list);
    }
    executor.Post([answer = std::move(answer), reply = std::move(reply)]() mutable {
      answer(std::move(reply));
    });
  }
  Subscription Subscribe(Watch watch, Executor&, EventSink) override {
    watched_from = watch.resource_version;
    return Subscription();
  }

  int calls = 0;
  std::string watched_from;
};

class OptionalKindsTest : public ::testing::Test {
 protected:
  JobSetServer server_;
  OptionalKinds store_{server_, {.interval = base::Duration::Milliseconds(1)}};
  Inbox inbox_;
  static constexpr base::Duration kLimit = base::Duration::Seconds(60);
};

TEST_F(OptionalKindsTest, AreEmptyUntilServed) {
  Informer informer(store_, inbox_, kJobSets, {}, {});
  ASSERT_TRUE(inbox_.RunUntil([&] { return informer.is_synced(); }, kLimit));
  EXPECT_TRUE(informer.objects().empty());
  server_.is_installed = true;
  EXPECT_TRUE(inbox_.RunUntil([&] { return informer.objects().size() == 1; }, kLimit));
  EXPECT_TRUE(inbox_.RunUntil([&] { return server_.watched_from == "5"; }, kLimit));
}

TEST_F(OptionalKindsTest, PassOtherCallsThrough) {
  std::optional<Outcome<Reply>> answer;
  store_.Do(Get{.resource = kJobSets, .namespace_ = "n", .name = "a"}, inbox_,
            [&](Outcome<Reply> reply) { answer = std::move(reply); });
  ASSERT_TRUE(inbox_.RunUntil([&] { return answer.has_value(); }, kLimit));
  ASSERT_FALSE(*answer);
  EXPECT_TRUE(answer->error().IsNotFound());
}

TEST_F(OptionalKindsTest, AreNotPolledAfterTheSubscriptionEnds) {
  {
    Informer informer(store_, inbox_, kJobSets, {}, {});
    ASSERT_TRUE(inbox_.RunUntil([&] { return server_.calls >= 3; }, kLimit)) << "polls";
  }
  const int calls = server_.calls;
  server_.is_installed = true;
  inbox_.RunUntil([] { return false; }, base::Duration::Milliseconds(20));
  EXPECT_EQ(server_.calls, calls);
  EXPECT_EQ(server_.watched_from, "");
}

}  // namespace
}  // namespace berth::store
