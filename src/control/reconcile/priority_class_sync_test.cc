#include "control/reconcile/priority_class_sync.h"

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

class PriorityClassSyncTest : public ::testing::Test {
 protected:
  PriorityClassSyncTest() {
    workload::testing::ApplyYaml(kWorkloadOfClass, cluster_);
    SetValue("low", 1);
  }

  void SetValue(std::string_view name, int32_t value) {
    api::WorkloadPriorityClass priority;
    priority.metadata.name = name;
    priority.value = value;
    priorities_.Add(priority);
    sync_.OnClassChange(name, priorities_, cluster_);
  }
  void SetPriority(int32_t priority) {
    api::Workload workload = *cluster_.FindWorkload("team/w");
    workload.spec.priority = priority;
    cluster_.Apply(workload);
  }
  std::optional<int32_t> Due() { return sync_.For(*cluster_.FindWorkload("team/w"), priorities_); }

  workload::ClusterState cluster_{api::Configuration(), api::FeatureGates()};
  jobs::PriorityTable priorities_;
  PriorityClassSync sync_;
};

TEST_F(PriorityClassSyncTest, AreDueUntilTheyAreTakenOver) {
  EXPECT_EQ(Due(), std::nullopt);
  SetValue("low", 50);
  EXPECT_EQ(Due(), 50);
  EXPECT_EQ(Due(), 50);
  SetPriority(50);
  EXPECT_EQ(Due(), std::nullopt);
}

TEST_F(PriorityClassSyncTest, LeaveAPriorityThatIsSetByHand) {
  SetValue("low", 50);
  SetPriority(7);  // before it was seen that it had 50
  EXPECT_EQ(Due(), std::nullopt);
  SetValue("high", 100);
  EXPECT_EQ(Due(), std::nullopt);
}

TEST_F(PriorityClassSyncTest, AreDueWhereTheyChangedWhileNobodyLed) {
  SetPriority(7);
  sync_.OnClassChange("", priorities_, cluster_);
  EXPECT_EQ(Due(), 1);
}

TEST_F(PriorityClassSyncTest, LeaveWhatIsFinished) {
  api::Workload workload = *cluster_.FindWorkload("team/w");
  workload::MarkFinished(workload, "Succeeded", "", base::Time::FromSeconds(1));
  cluster_.Apply(workload);
  SetValue("low", 50);
  EXPECT_EQ(Due(), std::nullopt);
}

}  // namespace
}  // namespace berth::control
