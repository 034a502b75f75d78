#include "apiserver/gc/collector.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apiserver/testing/test_handler.h"
#include "store/testing/eventually.h"

namespace berth::apiserver {
namespace {

using namespace testing;  // NOLINT: the builders of this module
using store::testing::Eventually;

class CollectorTest : public ::testing::Test {
 protected:
  // Creates a ConfigMap owned by the given ones.
  void Own(const std::string& name, std::vector<std::string> owners, bool blocks = false,
           const std::string& finalizers = "[]") {
    std::string references;
    for (const std::string& owner : owners) {
      if (!references.empty()) references += ',';
      references += R"({"apiVersion":"v1","kind":"ConfigMap","name":")" + owner + R"(","uid":)" +
                    Uid(owner) + R"(,"blockOwnerDeletion":)" + (blocks ? "true" : "false") + "}";
    }
    const auto reply = handler_.Create(
        kConfigMaps, R"({"metadata":{"name":")" + name + R"(","finalizers":)" + finalizers +
                         R"(,"ownerReferences":[)" + references + "]}}");
    ASSERT_EQ(ErrorOf(reply), "");
  }
  std::string Uid(const std::string& name) {
    const std::string uid = At(handler_.Get(kConfigMaps, name), "metadata.uid");
    return uid.empty() ? "\"gone\"" : uid;
  }
  bool Has(const std::string& name) { return handler_.Has(kConfigMaps, name); }
  void Delete(const std::string& name, store::Propagation how) {
    EXPECT_EQ(ErrorOf(handler_.Delete(kConfigMaps, name, {.propagation = how})), "");
  }

  TestHandler handler_;
  Collector collector_{*handler_};
};

TEST_F(CollectorTest, DeletesDependentsOfADeletedOwner) {
  Own("parent", {});
  Own("child", {"parent"});
  Own("grandchild", {"child"});
  Own("stranger", {});
  Delete("parent", store::Propagation::kBackground);
  EXPECT_FALSE(Has("parent"));
  EXPECT_TRUE(Eventually([&] { return !Has("child") && !Has("grandchild"); }));
  EXPECT_TRUE(Has("stranger"));
}

TEST_F(CollectorTest, DeletesDependentsCreatedAfterTheirOwnerWasDeleted) {
  Own("late", {"missing"});
  EXPECT_TRUE(Eventually([&] { return !Has("late"); }));
}

TEST_F(CollectorTest, KeepsDependentsWithAnotherOwner) {
  Own("one", {});
  Own("two", {});
  Own("child", {"one", "two"});
  Delete("one", store::Propagation::kBackground);
  EXPECT_TRUE(Eventually([&] {
    const auto child = handler_.Get(kConfigMaps, "child");
    const json::value* owners = json::Find(child, {"metadata", "ownerReferences"});
    return owners != nullptr && owners->as_array().size() == 1;
  }));
}

TEST_F(CollectorTest, DeletesDependentsFirstInForeground) {
  Own("parent", {});
  Own("child", {"parent"}, true, R"(["x.io/hold"])");
  Delete("parent", store::Propagation::kForeground);
  EXPECT_TRUE(Eventually(
      [&] { return At(handler_.Get(kConfigMaps, "child"), "metadata.deletionTimestamp") != ""; }));
  EXPECT_TRUE(Has("parent")) << "the child blocks it";
  handler_.Merge(kConfigMaps, "child", R"({"metadata":{"finalizers":null}})");
  EXPECT_TRUE(Eventually([&] { return !Has("parent") && !Has("child"); }));
}

TEST_F(CollectorTest, OrphansDependents) {
  Own("parent", {});
  Own("child", {"parent"});
  Delete("parent", store::Propagation::kOrphan);
  EXPECT_TRUE(Eventually([&] { return !Has("parent"); }));
  EXPECT_TRUE(Has("child"));
  EXPECT_EQ(At(handler_.Get(kConfigMaps, "child"), "metadata.ownerReferences"), "");
}

TEST_F(CollectorTest, EmptiesANamespaceBeforeItIsRemoved) {
  handler_.Create(kNamespaces, R"({"metadata":{"name":"team"}})");
  const auto create = [&](const store::Resource& resource, std::string object) {
    EXPECT_EQ(handler_.Error(store::Create{
                  .resource = resource, .namespace_ = "team", .object = std::move(object)}),
              "");
  };
  create(kConfigMaps, R"({"metadata":{"name":"a"}})");
  create(kConfigMaps, R"({"metadata":{"name":"held","finalizers":["x.io/hold"]}})");
  handler_.Delete(kNamespaces, "team");
  const store::Get held{.resource = kConfigMaps, .namespace_ = "team", .name = "held"};
  EXPECT_TRUE(Eventually(
      [&] { return At(TreeOf(handler_.Do(held)), "metadata.deletionTimestamp") != ""; }));
  EXPECT_TRUE(handler_.Has(kNamespaces, "team"));
  handler_.Do(store::Patch{.resource = kConfigMaps,
                           .namespace_ = "team",
                           .name = "held",
                           .body = R"({"metadata":{"finalizers":null}})"});
  EXPECT_TRUE(Eventually([&] { return !handler_.Has(kNamespaces, "team"); }));
}

TEST(CollectorAfterRestart, FinishesPendingDeletions) {
  TestHandler handler;
  handler.Create(kNamespaces, R"({"metadata":{"name":"team"}})");
  handler.Delete(kNamespaces, "team");
  const Collector collector(*handler);
  EXPECT_TRUE(Eventually([&] { return !handler.Has(kNamespaces, "team"); }));
}

TEST(CollectorSweep, RemovesExpiredEventsAndPods) {
  TestHandler handler;
  const store::Resource events{
      .version = "v1", .plural = "events", .kind = "Event", .is_namespaced = true};
  handler.Create(events, R"({"metadata":{"name":"e"},"involvedObject":{"kind":"Pod"}})");
  handler.Create(kPods, R"({"metadata":{"name":"p"},"spec":{"nodeName":"n",
      "containers":[{"name":"c","image":"i"}]}})");
  handler.Delete(kPods, "p");
  handler.now = handler.now + base::Duration::Seconds(7200);
  const Collector collector(*handler, {.sweep_interval = base::Duration::Milliseconds(5)});
  EXPECT_TRUE(Eventually([&] { return !handler.Has(events, "e") && !handler.Has(kPods, "p"); }));
}

}  // namespace
}  // namespace berth::apiserver
