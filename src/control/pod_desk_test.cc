#include "control/pod_desk.h"

#include <gtest/gtest.h>

#include "control/testing/desk_test.h"

namespace berth::control {
namespace {

store::Object PodAt(int version) {
  const std::string number = std::to_string(version);
  auto object = store::Object::FromJson(
      R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"pod","namespace":"default","uid":"u",)"
      R"("resourceVersion":")" +
      number + R"("},"spec":{"schedulingGates":[{"name":"kueue.x-k8s.io/admission"}]}})");
  return std::move(*object);
}

class PodDeskTest : public testing::DeskTest {
 protected:
  PodDeskTest() {
    const store::Object pod = PodAt(1);
    desk_.OnSeen(pod.key(), &pod);
    looks_ = 0;
  }
  // Lets the pod run, as far as is known of it now.
  PodPlan Release() const {
    store::json::value released = desk_.Find(key_).pods.front().tree;
    released.at("spec").get_object()["schedulingGates"] = store::json::array();
    PodPlan plan;
    plan.actions.push_back(WritePod{.pod = "pod", .object = std::move(released)});
    return plan;
  }
  void See(int version) {
    const store::Object pod = PodAt(version);
    desk_.OnSeen(pod.key(), &pod);
  }
  void AnswerThatOthersWroteIt() {
    store_.Answer(std::unexpected(
        store::Conflict(store::ResourceOf<api::Pod>(), "pod", store::kObjectWasModified)));
  }

  const PodUnitKey key_{.namespace_ = "default", .name = "pod"};
  int looks_ = 0;  // how often the pod was to be planned again
  PodDesk desk_{store_,
                executor_,
                workloads_,
                events_,
                false,
                {.on_known = [this](const PodUnitKey&) { ++looks_; },
                 .on_failure = [](const PodUnitKey&, const store::Failure&) {},
                 .on_made = [](const WorkloadMade&) {},
                 .on_released = [](const PodUnitKey&) {}}};
};

TEST_F(PodDeskTest, AStepIsNotTakenOnWhatSomebodyElseHasChanged) {
  PodPlan plan = Release();
  See(2);
  desk_.Perform(key_, std::move(plan));
  EXPECT_TRUE(store_.calls.empty());
  EXPECT_TRUE(desk_.is_idle());
}

TEST_F(PodDeskTest, WaitsForTheWatchAfterAConflict) {
  desk_.Perform(key_, Release());
  AnswerThatOthersWroteIt();
  EXPECT_TRUE(desk_.is_idle());
  EXPECT_EQ(looks_, 0) << "it would only be refused again";
  See(2);
  EXPECT_GT(looks_, 0);
}

TEST_F(PodDeskTest, LooksAgainAtOnceIfTheWatchWasQuicker) {
  desk_.Perform(key_, Release());
  See(2);
  looks_ = 0;
  AnswerThatOthersWroteIt();
  EXPECT_EQ(looks_, 1);
}

TEST_F(PodDeskTest, DoesNotWaitForTheWatchForever) {
  desk_.Perform(key_, Release());
  AnswerThatOthersWroteIt();
  executor_.Advance(base::Duration::Seconds(1));
  EXPECT_EQ(looks_, 1);
}

}  // namespace
}  // namespace berth::control
