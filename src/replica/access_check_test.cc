#include "replica/access_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "json/json.h"

namespace berth::replica {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Runs posted tasks at once; the test sets the time.
class Immediately final : public store::Executor {
 public:
  void Post(store::Task task) override { task(); }
  void PostAfter(base::Duration, store::Task task) override { task(); }
  base::Time Now() const override { return now; }

  base::Time now = base::Time::FromSeconds(1'000'000);
};

// A cluster where "good" is the token of anna, who is authorized, and "poor" that of bob, who is
// not.
class Reviews final : public store::Store {
 public:
  void Do(store::Call call, store::Executor& executor, store::Answer answer) override {
    const auto& create = std::get<store::Create>(call);
    asked.push_back(create.resource.plural + " " + create.object);
    if (is_slow) return waiting.push_back(std::move(answer));
    executor.Post([&, this, text = AnswerTo(create)] {
      if (is_down) return answer(std::unexpected(store::Unreachable("it is down")));
      store::Reply reply;
      reply.object = *store::Object::FromJson(text);
      answer(std::move(reply));
    });
  }
  store::Subscription Subscribe(store::Watch, store::Executor&, store::EventSink) override {
    return {};
  }

  std::vector<std::string> asked;
  bool is_down = false;
  bool is_slow = false;
  std::vector<store::Answer> waiting;  // while it is slow

 private:
  static std::string AnswerTo(const store::Create& create) {
    const bool is_good = create.object.find("good") != std::string::npos ||
                         create.object.find("anna") != std::string::npos;
    if (create.resource.plural == "subjectaccessreviews")
      return std::string(R"({"metadata":{},"status":{"allowed":)") +
             (is_good ? "true}}" : "false}}");
    if (create.object.find("guess") != std::string::npos)
      return R"({"metadata":{},"status":{"authenticated":false}})";
    return std::string(R"({"metadata":{},"status":{"authenticated":true,"user":{"username":")") +
           (is_good ? "anna" : "bob") + R"(","groups":["dev"],"extra":{"a":["b"]}}}})";
  }
};

class AccessTest : public ::testing::Test {
 protected:
  Access Ask(std::string_view token) {
    const auto result = std::make_shared<Access>(Access::kUnavailable);
    check_.AuthorizeToken(token, AccessAttributes::OfPath("/metrics"), executor_,
                          [result](Access access) { *result = access; });
    return *result;
  }

  Reviews reviews_;
  Immediately executor_;
  AccessCheck check_{reviews_};
};

TEST_F(AccessTest, FollowsTheReviewsOfTheCluster) {
  EXPECT_EQ(Ask("good"), Access::kAllowed);
  EXPECT_EQ(Ask("poor"), Access::kForbidden);
  EXPECT_EQ(Ask("guessed"), Access::kUnauthenticated);
  EXPECT_EQ(Ask(""), Access::kUnauthenticated);
}

TEST_F(AccessTest, ReviewsTheUserOfTheTokenForThePath) {
  Ask("good");
  EXPECT_THAT(
      reviews_.asked,
      ElementsAre(HasSubstr(R"("spec":{"token":"good"})"),
                  HasSubstr(R"("spec":{"user":"anna","groups":["dev"],"extra":{"a":["b"]},)"
                            R"("nonResourceAttributes":{"path":"/metrics","verb":"get"}})")));
}

TEST_F(AccessTest, IsCachedForItsTtl) {
  Ask("good");
  Ask("good");
  EXPECT_EQ(reviews_.asked.size(), 2u);
  executor_.now = executor_.now + base::Duration::Seconds(61);
  Ask("good");
  EXPECT_EQ(reviews_.asked.size(), 4u);
}

TEST_F(AccessTest, IsNotCachedWhenTheReviewFailed) {
  reviews_.is_down = true;
  EXPECT_EQ(Ask("good"), Access::kUnavailable);
  reviews_.is_down = false;
  EXPECT_EQ(Ask("good"), Access::kAllowed);
}

TEST_F(AccessTest, ReviewsFewTokensOfStrangersAtATime) {
  ASSERT_EQ(Ask("good"), Access::kAllowed);
  reviews_.asked.clear();
  reviews_.is_slow = true;
  for (int i = 0; i < 100; ++i) Ask("guess-" + std::to_string(i));
  EXPECT_EQ(reviews_.asked.size(), 8u);
  EXPECT_EQ(Ask("one more guess"), Access::kBusy);
  EXPECT_EQ(Ask("good"), Access::kAllowed) << "from the cache";
  for (store::Answer& answer : std::exchange(reviews_.waiting, {}))
    answer(std::unexpected(store::Unreachable("it is down")));
  reviews_.is_slow = false;
  EXPECT_EQ(Ask("poor"), Access::kForbidden);
}

TEST_F(AccessTest, KeepsWhatIsAllowedWhenStrangersFillTheCache) {
  ASSERT_EQ(Ask("good"), Access::kAllowed);
  for (int i = 0; i < 1500; ++i) Ask("guess-" + std::to_string(i));
  reviews_.asked.clear();
  EXPECT_EQ(Ask("good"), Access::kAllowed);
  EXPECT_THAT(reviews_.asked, ::testing::IsEmpty());
}

}  // namespace
}  // namespace berth::replica
