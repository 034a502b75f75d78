#include "control/class_values.h"

#include <gtest/gtest.h>

#include "workload/status_changes.h"
#include "workload/testing/apply_yaml.h"

namespace berth::control {
namespace {

constexpr std::string_view kWorkloadOfClass = R"(
apiVersion: kueue.x-k8s.io/v1beta2
kind: Workload
metadata: {namespace: team, name: w, uid: w}
spec:
  priority: 1
  priorityClassRef: {group: kueue.x-k8s.io, kind: WorkloadPriorityClass, name: low}
  podSets: [{name: main, count: 1, template: {spec: {containers: [{name: c}]}}}]
)";

class ClassValuesTest : public ::testing::Test {
 protected:
  ClassValuesTest() {
    workload::testing::ApplyYaml(kWorkloadOfClass, feed_);
    SetValue("low", 1);
  }

  void SetValue(std::string_view name, int32_t value) {
    api::WorkloadPriorityClass priority;
    priority.metadata.name = name;
    priority.value = value;
    priorities_.Add(priority);
    values_.Note(name, priorities_, feed_);
  }
  void SetPriority(int32_t priority) {
    api::Workload workload = *feed_.FindWorkload("team/w");
    workload.spec.priority = priority;
    feed_.Apply(workload);
  }
  std::optional<int32_t> Due() { return values_.For(*feed_.FindWorkload("team/w"), priorities_); }

  workload::EngineFeed feed_{api::Configuration(), api::FeatureGates()};
  jobs::PriorityTable priorities_;
  ClassValues values_;
};

TEST_F(ClassValuesTest, AreDueUntilTheyAreTakenOver) {
  EXPECT_EQ(Due(), std::nullopt);
  SetValue("low", 50);
  EXPECT_EQ(Due(), 50);
  EXPECT_EQ(Due(), 50);
  SetPriority(50);
  EXPECT_EQ(Due(), std::nullopt);
}

TEST_F(ClassValuesTest, LeaveAPriorityThatIsSetByHand) {
  SetValue("low", 50);
  SetPriority(7);  // before it was seen that it had 50
  EXPECT_EQ(Due(), std::nullopt);
  SetValue("high", 100);
  EXPECT_EQ(Due(), std::nullopt);
}

TEST_F(ClassValuesTest, AreDueWhereTheyChangedWhileNobodyLed) {
  SetPriority(7);
  values_.Note("", priorities_, feed_);
  EXPECT_EQ(Due(), 1);
}

TEST_F(ClassValuesTest, LeaveWhatIsFinished) {
  api::Workload workload = *feed_.FindWorkload("team/w");
  workload::MarkFinished(workload, "Succeeded", "", base::Time::FromSeconds(1));
  feed_.Apply(workload);
  SetValue("low", 50);
  EXPECT_EQ(Due(), std::nullopt);
}

}  // namespace
}  // namespace berth::control
