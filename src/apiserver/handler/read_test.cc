#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apiserver/handler/selectors.h"
#include "apiserver/testing/test_handler.h"

namespace berth::apiserver {
namespace {

using namespace testing;  // NOLINT: the builders of this module
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;
using Kind = store::Event::Kind;

std::string ConfigMap(const std::string& name, const std::string& labels = "{}") {
  return R"({"metadata":{"name":")" + name + R"(","labels":)" + labels + "}}";
}

std::vector<std::string> Names(const store::Outcome<store::Reply>& reply) {
  if (!reply) return {ErrorOf(reply)};
  std::vector<std::string> names;
  for (const store::Object& object : reply->items) names.push_back(object.name);
  return names;
}

class ListTest : public ::testing::Test {
 protected:
  ListTest() {
    handler_.Create(kConfigMaps, ConfigMap("a", R"({"tier":"x"})"));
    handler_.Create(kConfigMaps, ConfigMap("b", R"({"tier":"y","old":"1"})"));
    handler_.Create(kConfigMaps, ConfigMap("c"));
  }

  store::Outcome<store::Reply> List(store::Selection selection, int64_t limit = 0,
                                    std::string token = "") {
    return handler_.Do(store::List{.resource = kConfigMaps,
                                   .selection = std::move(selection),
                                   .limit = limit,
                                   .continue_token = std::move(token)});
  }

  TestHandler handler_;
};

TEST_F(ListTest, ReturnsObjectsOfANamespaceOrOfAll) {
  EXPECT_THAT(Names(List({.namespace_ = "default"})), ElementsAre("a", "b", "c"));
  EXPECT_THAT(Names(List({})), ElementsAre("a", "b", "c"));
  EXPECT_THAT(Names(List({.namespace_ = "kube-system"})), IsEmpty());
}

TEST_F(ListTest, SelectsByLabels) {
  EXPECT_THAT(Names(List({.label_selector = "tier=x"})), ElementsAre("a"));
  EXPECT_THAT(Names(List({.label_selector = "tier!=x"})), ElementsAre("b", "c"));
  EXPECT_THAT(Names(List({.label_selector = "tier in (x, y),!old"})), ElementsAre("a"));
  EXPECT_THAT(Names(List({.label_selector = "tier notin (x)"})), ElementsAre("b", "c"));
  EXPECT_THAT(Names(List({.label_selector = "tier"})), ElementsAre("a", "b"));
  EXPECT_THAT(ErrorOf(List({.label_selector = "tier in x"})), StartsWith("400 BadRequest"));
}

TEST_F(ListTest, SelectsByFields) {
  EXPECT_THAT(Names(List({.field_selector = "metadata.name=b"})), ElementsAre("b"));
  EXPECT_THAT(Names(List({.field_selector = "metadata.name!=b,metadata.namespace=default"})),
              ElementsAre("a", "c"));
  EXPECT_THAT(ErrorOf(List({.field_selector = "data.k=1"})),
              HasSubstr("field label not supported: data.k"));
}

TEST_F(ListTest, SelectsPodsByNodeAndPhase) {
  for (const char* name : {"p", "q"})
    handler_.Create(kPods, std::string(R"({"metadata":{"name":")") + name +
                               R"("},"spec":{"containers":[{"name":"c","image":"i"}]}})");
  handler_.Merge(kPods, "p", R"({"status":{"phase":"Running"}})", "status");
  const auto list = [&](std::string fields) {
    return Names(handler_.Do(
        store::List{.resource = kPods, .selection = {.field_selector = std::move(fields)}}));
  };
  EXPECT_THAT(list("status.phase=Running"), ElementsAre("p"));
  EXPECT_THAT(list("status.phase!=Running"), ElementsAre("q"));
  EXPECT_THAT(list("spec.nodeName="), ElementsAre("p", "q"));
}

TEST_F(ListTest, PaginatesOverOneRevision) {
  const auto first = List({}, 2);
  EXPECT_THAT(Names(first), ElementsAre("a", "b"));
  EXPECT_EQ(first->remaining_items, 1);
  handler_.Create(kConfigMaps, ConfigMap("bb"));
  handler_.Delete(kConfigMaps, "c");
  const auto second = List({}, 2, first->continue_token);
  EXPECT_THAT(Names(second), ElementsAre("c"));
  EXPECT_EQ(second->continue_token, "");
  EXPECT_EQ(second->resource_version, first->resource_version);
}

TEST_F(ListTest, PaginatesSelectedObjects) {
  const auto first = List({.label_selector = "tier"}, 1);
  EXPECT_THAT(Names(first), ElementsAre("a"));
  EXPECT_EQ(first->remaining_items, std::nullopt) << "not counted";
  EXPECT_THAT(Names(List({.label_selector = "tier"}, 1, first->continue_token)), ElementsAre("b"));
}

TEST_F(ListTest, RejectsAnInvalidContinueToken) {
  EXPECT_THAT(ErrorOf(List({}, 2, "abc")), StartsWith("400 BadRequest: continue key is not valid"));
  EXPECT_THAT(ErrorOf(List({}, 2, "1.-5.a~b")), StartsWith("400 BadRequest"));
}

TEST_F(ListTest, ExpiresWithTheHistory) {
  TestHandler handler({.storage = {.max_changes = 1}});
  for (const char* name : {"a", "b", "c"}) handler.Create(kConfigMaps, ConfigMap(name));
  const auto first = handler.Do(store::List{.resource = kConfigMaps, .limit = 1});
  for (const char* name : {"d", "e"}) handler.Create(kConfigMaps, ConfigMap(name));
  const auto next = handler.Do(
      store::List{.resource = kConfigMaps, .limit = 1, .continue_token = first->continue_token});
  EXPECT_THAT(ErrorOf(next), StartsWith("410 Expired"));
}

TEST_F(ListTest, HonoursTheResourceVersion) {
  const std::string then = List({})->resource_version;
  handler_.Delete(kConfigMaps, "a");
  store::List list{.resource = kConfigMaps,
                   .resource_version = then,
                   .version_match = store::VersionMatch::kExact};
  EXPECT_THAT(Names(handler_.Do(list)), ElementsAre("a", "b", "c"));
  list.version_match = store::VersionMatch::kNotOlderThan;
  EXPECT_THAT(Names(handler_.Do(list)), ElementsAre("b", "c"));
  list.resource_version = "999999";
  EXPECT_THAT(handler_.Error(list), StartsWith("504 Timeout: Too large resource version"));
  list.resource_version = "x";
  EXPECT_THAT(handler_.Error(list), StartsWith("400 BadRequest"));
}

// Events as "ADDED a" and so on.
std::vector<std::string> Events(WatchCursor& cursor) {
  static constexpr std::string_view kWords[] = {"ADDED", "MODIFIED", "DELETED", "BOOKMARK", "END"};
  std::vector<std::string> lines;
  const auto events = cursor.Take(100);
  if (!events) return {store::ToString(events.error())};
  for (const store::Event& event : *events)
    lines.push_back(std::string(kWords[static_cast<size_t>(event.kind)]) + " " + event.object.name);
  return lines;
}

class WatchTest : public ListTest {
 protected:
  std::unique_ptr<WatchCursor> Watch(store::Watch watch) {
    watch.resource = kConfigMaps;
    auto cursor = handler_->OpenWatch(watch, [this] { ++wakes_; });
    EXPECT_TRUE(cursor) << store::ToString(cursor.error());
    return std::move(*cursor);
  }
  std::string Now() { return List({})->resource_version; }

  std::atomic<int> wakes_ = 0;
};

TEST_F(WatchTest, ReportsChangesAfterAResourceVersion) {
  const auto cursor = Watch({.resource_version = Now()});
  EXPECT_THAT(Events(*cursor), IsEmpty());
  handler_.Create(kConfigMaps, ConfigMap("d"));
  handler_.Merge(kConfigMaps, "a", R"({"data":{"k":"v"}})");
  handler_.Delete(kConfigMaps, "b");
  handler_.Create(kPods, R"({"metadata":{"name":"p"},"spec":{"containers":[{"name":"c"}]}})");
  EXPECT_THAT(Events(*cursor), ElementsAre("ADDED d", "MODIFIED a", "DELETED b"));
  EXPECT_GE(wakes_, 3);
}

TEST_F(WatchTest, BeginsWithExistingObjects) {
  EXPECT_THAT(Events(*Watch({})), ElementsAre("ADDED a", "ADDED b", "ADDED c"));
  EXPECT_THAT(Events(*Watch({.resource_version = "0"})),
              ElementsAre("ADDED a", "ADDED b", "ADDED c"));
}

TEST_F(WatchTest, MarksTheEndOfInitialEvents) {
  const auto cursor = Watch({.allows_bookmarks = true, .sends_initial_events = true});
  const auto events = cursor->Take(100);
  ASSERT_EQ(events->size(), 4u);
  EXPECT_EQ(events->back().kind, Kind::kBookmark);
  EXPECT_TRUE(events->back().ends_initial_events);
  EXPECT_THAT(events->back().object.text(), HasSubstr("k8s.io/initial-events-end"));
  EXPECT_EQ(events->back().object.resource_version, Now());
}

TEST_F(WatchTest, ReportsObjectsThatEnterAndLeaveTheSelection) {
  const auto cursor = Watch({.selection = {.label_selector = "tier=x"}, .resource_version = Now()});
  handler_.Merge(kConfigMaps, "c", R"({"metadata":{"labels":{"tier":"x"}}})");
  handler_.Merge(kConfigMaps, "b", R"({"data":{"k":"v"}})");
  handler_.Merge(kConfigMaps, "c", R"({"data":{"k":"v"}})");
  handler_.Merge(kConfigMaps, "a", R"({"metadata":{"labels":{"tier":"y"}}})");
  const auto events = cursor->Take(100);
  ASSERT_EQ(events->size(), 3u);
  EXPECT_EQ((*events)[0].kind, Kind::kAdded);
  EXPECT_EQ((*events)[1].kind, Kind::kModified);
  EXPECT_EQ((*events)[2].kind, Kind::kDeleted);
  EXPECT_THAT((*events)[2].object.text(), HasSubstr(R"("tier":"x")")) << "as it last was in it";
  EXPECT_EQ((*events)[2].object.resource_version, Now());
  EXPECT_THAT((*events)[2].object.text(), HasSubstr("\"resourceVersion\":\"" + Now() + "\""));
}

TEST_F(WatchTest, IsLimitedToItsNamespace) {
  const auto cursor =
      Watch({.selection = {.namespace_ = "kube-system"}, .resource_version = Now()});
  handler_.Create(kConfigMaps, ConfigMap("d"));
  EXPECT_THAT(Events(*cursor), IsEmpty());
}

TEST_F(WatchTest, ReturnsAtMostTheRequestedEvents) {
  const auto cursor = Watch({});
  EXPECT_EQ(cursor->Take(2)->size(), 2u);
  EXPECT_EQ(cursor->Take(2)->size(), 1u);
}

TEST_F(WatchTest, ExpiresWhenItsPositionIsCompacted) {
  TestHandler handler({.storage = {.max_changes = 2}});
  const auto slow = handler->OpenWatch(
      {.resource = kConfigMaps, .resource_version = std::to_string(handler->storage().revision())},
      [] {});
  for (const char* name : {"a", "b", "c"}) handler.Create(kConfigMaps, ConfigMap(name));
  EXPECT_THAT(Events(**slow), ElementsAre(StartsWith("410 Expired")));
  const auto late = handler->OpenWatch({.resource = kConfigMaps, .resource_version = "1"}, [] {});
  ASSERT_FALSE(late);
  EXPECT_TRUE(late.error().IsExpired());
}

TEST(FieldSelector, SupportsEscapes) {
  EXPECT_THAT(*ParseFieldSelector(R"(a=b\,c,d!=e\=f,g==h)"),
              ElementsAre(FieldTerm{"a", "b,c", false}, FieldTerm{"d", "e=f", true},
                          FieldTerm{"g", "h", false}));
  EXPECT_FALSE(ParseFieldSelector("a"));
  EXPECT_FALSE(ParseFieldSelector("=a"));
  EXPECT_THAT(*ParseFieldSelector(""), IsEmpty());
}

TEST(LabelSelector, ParsesTheSyntaxOfKubectl) {
  for (const char* text : {"a=1", "b in (x,y)", "c", "!d", "e!=2", "f notin (z)"})
    EXPECT_TRUE(ParseLabelSelector(text)) << text;
  for (const char* text : {"a=1,", ",", "a in", "a in (", "=", "a b", "a=b=c", "!"})
    EXPECT_FALSE(ParseLabelSelector(text)) << text;
  EXPECT_TRUE(ParseLabelSelector("")->is_everything());
}

}  // namespace
}  // namespace berth::apiserver
