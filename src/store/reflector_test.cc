#include "store/reflector.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace berth::store {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

const Resource kJobs{
    .group = "batch", .version = "v1", .plural = "jobs", .kind = "Job", .is_namespaced = true};

Object Job(std::string name, std::string version, std::string uid = "u") {
  return {.namespace_ = "n",
          .name = std::move(name),
          .uid = std::move(uid),
          .resource_version = std::move(version)};
}

// Drives a reflector by hand and records its changes: "+a", "~a", "-a".
class ReflectorTest : public ::testing::Test {
 protected:
  Reflector::Step Next() { return reflector_.Next(now_); }
  void Listed(std::vector<Object> items, std::string version, std::string token = "") {
    ASSERT_TRUE(std::holds_alternative<List>(Next()));
    Reply reply;
    reply.items = std::move(items);
    reply.resource_version = std::move(version);
    reply.continue_token = std::move(token);
    reflector_.OnList(std::move(reply), tell_);
  }
  bool Happens(Event::Kind kind, Object object) {
    return reflector_.OnEvent(Event{.kind = kind, .object = std::move(object)}, now_, tell_);
  }
  bool Fails(Failure failure) {
    return reflector_.OnEvent(std::unexpected(std::move(failure)), now_, tell_);
  }
  std::vector<std::string> Told() { return std::exchange(told_, {}); }

  Reflector reflector_{kJobs, {}, {}};
  base::Time now_;
  std::vector<std::string> told_;
  Reflector::OnChange tell_ = [this](const Change& change) {
    const Object& object = change.after != nullptr ? *change.after : *change.before;
    told_.push_back((change.after == nullptr    ? "-"
                     : change.before == nullptr ? "+"
                                                : "~") +
                    object.name);
  };
};

TEST_F(ReflectorTest, ListsPageByPageThenWatches) {
  Listed({Job("a", "1")}, "5", "token");
  EXPECT_THAT(Told(), IsEmpty()) << "nothing before the last page";
  EXPECT_FALSE(reflector_.is_synced());
  EXPECT_EQ(std::get<List>(Next()).continue_token, "token");
  Listed({Job("b", "2")}, "5");
  EXPECT_THAT(Told(), ElementsAre("+a", "+b"));
  EXPECT_TRUE(reflector_.is_synced());
  const Watch watch = std::get<Watch>(Next());
  EXPECT_EQ(watch.resource_version, "5");
  EXPECT_TRUE(watch.allows_bookmarks);
}

TEST_F(ReflectorTest, FollowsEvents) {
  Listed({Job("a", "1")}, "5");
  Next();
  Told();
  EXPECT_FALSE(Happens(Event::Kind::kModified, Job("a", "6")));
  EXPECT_FALSE(Happens(Event::Kind::kAdded, Job("b", "7")));
  EXPECT_FALSE(Happens(Event::Kind::kDeleted, Job("a", "8")));
  EXPECT_THAT(Told(), ElementsAre("~a", "+b", "-a"));
}

TEST_F(ReflectorTest, ReportsNoChangeTwice) {
  Listed({Job("a", "1")}, "5");
  Next();
  Told();
  Happens(Event::Kind::kAdded, Job("a", "1"));
  Happens(Event::Kind::kDeleted, Job("never-seen", "6"));
  EXPECT_THAT(Told(), IsEmpty());
}

TEST_F(ReflectorTest, ResumesTheWatchFromTheLastVersion) {
  Listed({}, "5");
  Next();
  Happens(Event::Kind::kBookmark, Job("", "9"));
  EXPECT_TRUE(Happens(Event::Kind::kEnd, {}));
  EXPECT_EQ(std::get<Watch>(Next()).resource_version, "9");
}

TEST_F(ReflectorTest, BacksOffAfterAWatchThatEndsAtOnce) {
  Listed({}, "5");
  Next();
  Happens(Event::Kind::kEnd, {});
  EXPECT_TRUE(std::holds_alternative<Reflector::Pause>(Next()));
  EXPECT_TRUE(std::holds_alternative<Watch>(Next()));
  now_ = now_ + base::Duration::Seconds(5);
  Happens(Event::Kind::kEnd, {});
  EXPECT_TRUE(std::holds_alternative<Watch>(Next())) << "this one lasted";
}

TEST_F(ReflectorTest, RelistsWhenTheVersionExpired) {
  Listed({Job("a", "1"), Job("b", "2"), Job("c", "3")}, "5");
  Next();
  Told();
  EXPECT_TRUE(Fails(Expired("too old")));
  EXPECT_EQ(reflector_.objects().size(), 3u) << "the copy stays meanwhile";
  Listed({Job("b", "2"), Job("c", "8"), Job("d", "9")}, "10");
  EXPECT_THAT(Told(), ElementsAre("-a", "~c", "+d"));
}

// The list takes longer than the API server keeps versions: relisting at once would only add load.
TEST_F(ReflectorTest, BacksOffIfTheVersionOfAListIsTooOld) {
  std::vector<int64_t> pauses;
  for (int i = 0; i < 4; ++i) {
    Listed({Job("a", "1")}, "5");
    Next();
    EXPECT_TRUE(Fails(Expired("too old")));
    const auto next = Next();
    if (const auto* pause = std::get_if<Reflector::Pause>(&next))
      pauses.push_back(pause->length.nanos / 1'000'000);
  }
  EXPECT_THAT(pauses, ElementsAre(200, 400, 800));
}

TEST_F(ReflectorTest, ReportsARecreatedObjectAsDeletedAndAdded) {
  Listed({Job("a", "1", "first")}, "5");
  Next();
  Told();
  Fails(Expired("too old"));
  Listed({Job("a", "9", "second")}, "10");
  EXPECT_THAT(Told(), ElementsAre("-a", "+a"));
}

TEST_F(ReflectorTest, BacksOffExponentially) {
  std::vector<int64_t> pauses;
  for (int i = 0; i < 10; ++i) {
    ASSERT_TRUE(std::holds_alternative<List>(Next()));
    reflector_.OnList(std::unexpected(Unreachable("down")), tell_);
    pauses.push_back(std::get<Reflector::Pause>(Next()).length.nanos / 1'000'000);
  }
  EXPECT_THAT(pauses, ElementsAre(200, 400, 800, 1600, 3200, 6400, 12800, 25600, 30000, 30000));
}

TEST_F(ReflectorTest, HonoursRetryAfter) {
  Next();
  reflector_.OnList(std::unexpected(TooManyRequests("slow down", 7)), tell_);
  EXPECT_EQ(std::get<Reflector::Pause>(Next()).length, base::Duration::Seconds(7));
}

TEST_F(ReflectorTest, ResumesTheWatchAfterATransientFailure) {
  Listed({}, "5");
  Next();
  EXPECT_TRUE(Fails(Unavailable("restarting")));
  EXPECT_TRUE(std::holds_alternative<Reflector::Pause>(Next()));
  EXPECT_EQ(std::get<Watch>(Next()).resource_version, "5");
}

TEST_F(ReflectorTest, ListsWithoutPagesAfterAnExpiredToken) {
  Listed({Job("a", "1")}, "5", "token");
  Next();
  reflector_.OnList(std::unexpected(Expired("too old")), tell_);
  EXPECT_TRUE(std::holds_alternative<Reflector::Pause>(Next()));
  const List again = std::get<List>(Next());
  EXPECT_EQ(again.limit, 0);
  EXPECT_EQ(again.continue_token, "");
}

TEST(ProjectedReflector, KeepsWhatTheProjectionLeavesAndReportsChangesOfThatAlone) {
  const auto job = [](std::string version, std::string text) {
    Object object = Job("a", std::move(version));
    object.json = std::make_shared<const std::string>(std::move(text));
    return object;
  };
  const auto first_letter = [](Object object) {
    object.json = std::make_shared<const std::string>(object.text().substr(0, 1));
    return object;
  };
  Reflector reflector(kJobs, {}, {.project = first_letter});
  std::vector<std::string> told;
  const auto tell = [&](const Change& change) { told.emplace_back(change.after->text()); };
  const base::Time now;
  reflector.Next(now);
  Reply reply;
  reply.items.push_back(job("1", "x and more"));
  reply.resource_version = "1";
  reflector.OnList(std::move(reply), tell);
  reflector.Next(now);
  const auto change = [&](std::string version, std::string text) {
    Event event{.kind = Event::Kind::kModified, .object = job(std::move(version), std::move(text))};
    reflector.OnEvent(std::move(event), now, tell);
  };
  change("2", "x and less");
  EXPECT_EQ(reflector.objects().begin()->second.resource_version, "2");
  change("3", "y");
  EXPECT_THAT(told, ElementsAre("x", "y"));
}

}  // namespace
}  // namespace berth::store
