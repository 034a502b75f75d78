#include "replica/access_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
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
    Access result = Access::kUnavailable;
    check_.AuthorizeToken(token, AccessAttributes::OfPath("/metrics"), executor_,
                          [&](Access access) { result = access; });
    return result;
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

}  // namespace
}  // namespace berth::replica
