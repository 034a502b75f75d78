#include "control/write/pod_writer.h"

#include <gtest/gtest.h>

#include "control/testing/writer_test.h"

namespace berth::control {
namespace {

store::Object PodAt(int version) {
  const std::string number = std::to_string(version);
  auto object = store::Object::FromJson(
      R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"pod","namespace":"default","uid":"u",)"
      R"("resourceVersion":")" +
      number +
      R"(","finalizers":["kueue.x-k8s.io/managed"]},"spec":{"schedulingGates":[{"name":"kueue.x-k8s.io/admission"}]}})");
  return std::move(*object);
}

class PodWriterTest : public testing::WriterTest {
 protected:
  PodWriterTest() {
    Observe(1);
    plans_ = 0;
  }
  // A plan that removes the gate from the known version.
  PodPlan Release() const {
    json::value released = pods_.Find(key_).pods.front().tree;
    released.at("spec").get_object()["schedulingGates"] = json::array();
    PodPlan plan;
    plan.actions.push_back(WritePod{.pod = "pod", .object = std::move(released)});
    return plan;
  }
  // A watch event, as the controller of pods handles it.
  void Observe(int version) {
    const store::Object pod = PodAt(version);
    plans_ += static_cast<int>(pods_.OnWatchEvent(pod.key(), &pod).size());
  }
  void AnswerConflict() {
    store_.Answer(std::unexpected(
        store::Conflict(store::ResourceOf<api::Pod>(), "pod", store::kObjectWasModified)));
  }

  const PodUnitKey key_{.namespace_ = "default", .name = "pod"};
  int plans_ = 0;  // how often the pod was enqueued for another plan
  PodCache pods_{false};
  PodWriter writer_{store_,
                    executor_,
                    pods_,
                    workloads_,
                    events_,
                    {.replan = [this](const PodUnitKey&) { ++plans_; },
                     .on_failure = [](const PodUnitKey&, const store::Failure&) {},
                     .on_workload_created = [](const WorkloadCreated&) {},
                     .on_ungated = [](const PodUnitKey&) {}}};
};

TEST_F(PodWriterTest, DropsAPlanIfThePodWasChangedByOthers) {
  PodPlan plan = Release();
  Observe(2);
  writer_.Run(key_, std::move(plan));
  EXPECT_TRUE(store_.calls.empty());
  EXPECT_TRUE(writer_.is_idle());
}

TEST_F(PodWriterTest, WaitsForTheWatchAfterAConflict) {
  writer_.Run(key_, Release());
  AnswerConflict();
  EXPECT_TRUE(writer_.is_idle());
  EXPECT_EQ(plans_, 0) << "it would only be refused again";
  Observe(2);
  EXPECT_GT(plans_, 0);
}

TEST_F(PodWriterTest, PlansAgainAtOnceIfTheWatchWasQuicker) {
  writer_.Run(key_, Release());
  Observe(2);
  plans_ = 0;
  AnswerConflict();
  EXPECT_EQ(plans_, 1);
}

TEST_F(PodWriterTest, DoesNotWaitForTheWatchForever) {
  writer_.Run(key_, Release());
  AnswerConflict();
  executor_.Advance(base::Duration::Seconds(1));
  EXPECT_EQ(plans_, 1);
}

TEST_F(PodWriterTest, RemovesAFinalizerStrictlyOrWhateverTheVersion) {
  for (const bool is_strict : {true, false}) {
    PodPlan plan;
    plan.actions.push_back(RemovePodFinalizer{.pod = "pod", .is_strict = is_strict});
    store_.calls.clear();
    writer_.Run(key_, std::move(plan));
    ASSERT_EQ(store_.calls.size(), 1u);
    const auto& patch = std::get<store::Patch>(store_.calls[0]);
    EXPECT_EQ(patch.body.contains("resourceVersion"), is_strict) << patch.body;
    AnswerConflict();
    Observe(is_strict ? 2 : 3);
  }
}

}  // namespace
}  // namespace berth::control
