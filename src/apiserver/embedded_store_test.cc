#include "apiserver/embedded_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apiserver/testing/test_handler.h"
#include "http/testing/directory.h"
#include "store/inbox.h"
#include "store/informer.h"

namespace berth::apiserver {
namespace {

using namespace testing;  // NOLINT: the builders of this module
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr base::Duration kLimit = base::Duration::Seconds(10);

class EmbeddedStoreTest : public ::testing::Test {
 protected:
  void Create(const std::string& name) {
    store_.Do(store::Create{.resource = kConfigMaps,
                            .namespace_ = "default",
                            .object = R"({"metadata":{"name":")" + name + "\"}}"},
              inbox_, [this](store::Outcome<store::Reply> reply) {
                answers_.push_back(reply ? reply->object.name : ErrorOf(reply));
              });
  }

  http::testing::Directory directory_;
  TestHandler handler_{ApiHandler::Options{.storage = {.data_dir = directory_.path().string()}}};
  store::Inbox inbox_;
  EmbeddedStore store_{*handler_};
  std::vector<std::string> answers_;
};

TEST_F(EmbeddedStoreTest, AnswersOnTheExecutor) {
  Create("a");
  EXPECT_THAT(answers_, IsEmpty());
  EXPECT_TRUE(inbox_.RunUntil([&] { return answers_.size() == 1; }, kLimit));
  EXPECT_THAT(answers_, ElementsAre("a"));
}

TEST_F(EmbeddedStoreTest, DeliversEventsUntilTheSubscriptionEnds) {
  std::vector<std::string> seen;
  store::Subscription subscription = store_.Subscribe(
      {.resource = kConfigMaps}, inbox_,
      [&](store::Outcome<store::Event> event) { seen.push_back(event->object.name); });
  Create("a");
  EXPECT_TRUE(inbox_.RunUntil([&] { return seen.size() == 1; }, kLimit));
  subscription = {};
  Create("b");
  EXPECT_TRUE(inbox_.RunUntil([&] { return answers_.size() == 2; }, kLimit));
  inbox_.RunReady();
  EXPECT_THAT(seen, ElementsAre("a"));
}

TEST_F(EmbeddedStoreTest, EndsAWatchAtItsTimeout) {
  std::vector<store::Event::Kind> seen;
  const store::Subscription subscription = store_.Subscribe(
      {.resource = kConfigMaps, .timeout = base::Duration::Milliseconds(5)}, inbox_,
      [&](store::Outcome<store::Event> event) { seen.push_back(event->kind); });
  EXPECT_TRUE(inbox_.RunUntil([&] { return !seen.empty(); }, kLimit));
  EXPECT_THAT(seen, ElementsAre(store::Event::Kind::kEnd));
}

TEST_F(EmbeddedStoreTest, ReportsWhyAWatchCannotStart) {
  std::string failure;
  const store::Subscription subscription =
      store_.Subscribe({.resource = kConfigMaps, .resource_version = "x"}, inbox_,
                       [&](store::Outcome<store::Event> event) {
                         failure = event ? "" : event.error().status.reason;
                       });
  EXPECT_TRUE(inbox_.RunUntil([&] { return !failure.empty(); }, kLimit));
  EXPECT_EQ(failure, "BadRequest");
}

TEST_F(EmbeddedStoreTest, KeepsAnInformerUpToDate) {
  Create("a");
  EXPECT_TRUE(inbox_.RunUntil([&] { return answers_.size() == 1; }, kLimit));
  int changes = 0;
  const store::Informer informer(store_, inbox_, kConfigMaps, {},
                                 {.on_change = [&](const store::Change&) { ++changes; }});
  EXPECT_TRUE(inbox_.RunUntil([&] { return informer.is_synced(); }, kLimit));
  EXPECT_EQ(informer.objects().size(), 1u);
  for (int i = 0; i < 300; ++i) Create("b" + std::to_string(i));
  EXPECT_TRUE(inbox_.RunUntil(
      [&] { return informer.objects().size() == 301 && answers_.size() == 301; }, kLimit));
  EXPECT_EQ(changes, 301);
}

}  // namespace
}  // namespace berth::apiserver
