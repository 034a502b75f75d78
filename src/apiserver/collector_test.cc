#include "apiserver/collector.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>

#include "apiserver/testing/test_service.h"

namespace berth::apiserver {
namespace {

using namespace testing;  // NOLINT: the builders of this module

template <class Condition>
bool Eventually(Condition holds) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  while (!holds()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return true;
}

class CollectorTest : public ::testing::Test {
 protected:
  // Makes a ConfigMap that the others own.
  void Own(const std::string& name, std::vector<std::string> owners, bool blocks = false,
           const std::string& finalizers = "[]") {
    std::string references;
    for (const std::string& owner : owners) {
      if (!references.empty()) references += ',';
      references += R"({"apiVersion":"v1","kind":"ConfigMap","name":")" + owner + R"(","uid":)" +
                    Uid(owner) + R"(,"blockOwnerDeletion":)" + (blocks ? "true" : "false") + "}";
    }
    const auto reply = service_.Create(
        kConfigMaps, R"({"metadata":{"name":")" + name + R"(","finalizers":)" + finalizers +
                         R"(,"ownerReferences":[)" + references + "]}}");
    ASSERT_EQ(ErrorOf(reply), "");
  }
  std::string Uid(const std::string& name) {
    const std::string uid = At(service_.Get(kConfigMaps, name), "metadata.uid");
    return uid.empty() ? "\"gone\"" : uid;
  }
  bool Has(const std::string& name) { return service_.Has(kConfigMaps, name); }
  void Delete(const std::string& name, store::Propagation how) {
    EXPECT_EQ(ErrorOf(service_.Delete(kConfigMaps, name, {.propagation = how})), "");
  }

  TestService service_;
  Collector collector_{*service_};
};

TEST_F(CollectorTest, DeletesWhatIsOwnedByWhatIsGone) {
  Own("parent", {});
  Own("child", {"parent"});
  Own("grandchild", {"child"});
  Own("stranger", {});
  Delete("parent", store::Propagation::kBackground);
  EXPECT_FALSE(Has("parent"));
  EXPECT_TRUE(Eventually([&] { return !Has("child") && !Has("grandchild"); }));
  EXPECT_TRUE(Has("stranger"));
}

TEST_F(CollectorTest, DeletesWhatIsBornAfterItsOwnerDied) {
  Own("late", {"nobody"});
  EXPECT_TRUE(Eventually([&] { return !Has("late"); }));
}

TEST_F(CollectorTest, KeepsWhatHasAnotherOwner) {
  Own("one", {});
  Own("two", {});
  Own("child", {"one", "two"});
  Delete("one", store::Propagation::kBackground);
  EXPECT_TRUE(Eventually([&] {
    const auto child = service_.Get(kConfigMaps, "child");
    const json::value* owners = store::FindJson(child, {"metadata", "ownerReferences"});
    return owners != nullptr && owners->as_array().size() == 1;
  }));
}

TEST_F(CollectorTest, DeletesInForegroundFromTheLeavesUp) {
  Own("parent", {});
  Own("child", {"parent"}, true, R"(["x.io/hold"])");
  Delete("parent", store::Propagation::kForeground);
  EXPECT_TRUE(Eventually(
      [&] { return At(service_.Get(kConfigMaps, "child"), "metadata.deletionTimestamp") != ""; }));
  EXPECT_TRUE(Has("parent")) << "the child blocks it";
  service_.Merge(kConfigMaps, "child", R"({"metadata":{"finalizers":null}})");
  EXPECT_TRUE(Eventually([&] { return !Has("parent") && !Has("child"); }));
}

TEST_F(CollectorTest, OrphansWhatIsToBeLeft) {
  Own("parent", {});
  Own("child", {"parent"});
  Delete("parent", store::Propagation::kOrphan);
  EXPECT_TRUE(Eventually([&] { return !Has("parent"); }));
  EXPECT_TRUE(Has("child"));
  EXPECT_EQ(At(service_.Get(kConfigMaps, "child"), "metadata.ownerReferences"), "");
}

TEST_F(CollectorTest, EmptiesANamespaceBeforeItGoes) {
  service_.Create(kNamespaces, R"({"metadata":{"name":"team"}})");
  const auto create = [&](const store::Resource& resource, std::string object) {
    EXPECT_EQ(service_.Error(store::Create{
                  .resource = resource, .namespace_ = "team", .object = std::move(object)}),
              "");
  };
  create(kConfigMaps, R"({"metadata":{"name":"a"}})");
  create(kConfigMaps, R"({"metadata":{"name":"held","finalizers":["x.io/hold"]}})");
  service_.Delete(kNamespaces, "team");
  const store::Get held{.resource = kConfigMaps, .namespace_ = "team", .name = "held"};
  EXPECT_TRUE(Eventually(
      [&] { return At(TreeOf(service_.Do(held)), "metadata.deletionTimestamp") != ""; }));
  EXPECT_TRUE(service_.Has(kNamespaces, "team"));
  service_.Do(store::Patch{.resource = kConfigMaps,
                           .namespace_ = "team",
                           .name = "held",
                           .body = R"({"metadata":{"finalizers":null}})"});
  EXPECT_TRUE(Eventually([&] { return !service_.Has(kNamespaces, "team"); }));
}

TEST(CollectorAfterRestart, FinishesWhatWasBegun) {
  TestService service;
  service.Create(kNamespaces, R"({"metadata":{"name":"team"}})");
  service.Delete(kNamespaces, "team");
  const Collector collector(*service);
  EXPECT_TRUE(Eventually([&] { return !service.Has(kNamespaces, "team"); }));
}

TEST(CollectorSweep, DropsOldEventsAndPodsWhoseGraceIsOver) {
  TestService service;
  const store::Resource events{
      .version = "v1", .plural = "events", .kind = "Event", .is_namespaced = true};
  service.Create(events, R"({"metadata":{"name":"e"},"involvedObject":{"kind":"Pod"}})");
  service.Create(kPods, R"({"metadata":{"name":"p"},"spec":{"nodeName":"n",
      "containers":[{"name":"c","image":"i"}]}})");
  service.Delete(kPods, "p");
  service.now = service.now + base::Duration::Seconds(7200);
  const Collector collector(*service, {.sweep_interval = base::Duration::Milliseconds(5)});
  EXPECT_TRUE(Eventually([&] { return !service.Has(events, "e") && !service.Has(kPods, "p"); }));
}

}  // namespace
}  // namespace berth::apiserver
