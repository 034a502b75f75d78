#include "embedded/nodes/simulated_pod.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "jobs/testing/objects.h"
#include "json/path.h"

namespace berth::embedded {
namespace {

constexpr base::Time kPodStart = base::Time::FromSeconds(1'000'000);

// A pod to which simulation steps are applied.
class SimulatedPodLife : public ::testing::Test {
 protected:
  SimulatedPodStep Step() {
    SimulatedPodStep step = SimulatePod(pod_, settings_, now_);
    if (step.needs_node) pod_.as_object()["spec"].as_object()["nodeName"] = "simulated";
    if (step.status) pod_.as_object()["status"] = *step.status;
    if (step.requeue_at) now_ = *step.requeue_at;
    return step;
  }
  std::string Phase() const { return json::TextAt(pod_, "status.phase"); }
  void StepUntil(std::string_view phase) {
    for (int i = 0; i < 10 && Phase() != phase; ++i) Step();
    EXPECT_EQ(Phase(), phase);
  }

  json::value pod_ = jobs::testing::Yaml(
      "{metadata: {name: p, uid: u}, spec: {restartPolicy: Never, containers: [{name: c}]}, "
      "status: {phase: Pending}}");
  SimulationSettings settings_;
  base::Time now_ = kPodStart;
};

TEST_F(SimulatedPodLife, WaitsWhileGated) {
  pod_.as_object()["spec"].as_object()["schedulingGates"] =
      json::array{{{"name", "kueue.x-k8s.io/admission"}}};
  const SimulatedPodStep step = Step();
  EXPECT_FALSE(step.needs_node);
  EXPECT_EQ(json::TextAt(pod_, "status.conditions[0].reason"), "SchedulingGated");
  EXPECT_FALSE(Step().status.has_value());
}

TEST_F(SimulatedPodLife, WithoutANodeSaysWhyNow) {
  const auto wait = [&](std::string_view message) {
    const auto status = UnschedulableStatus(pod_, message, now_);
    if (status) pod_.as_object()["status"] = *status;
    now_ = now_ + base::Duration::Seconds(60);
    return status.has_value();
  };
  EXPECT_TRUE(wait("1 are full"));
  EXPECT_FALSE(wait("1 are full"));
  EXPECT_TRUE(wait("2 are full"));
  EXPECT_EQ(json::TextAt(pod_, "status.conditions[0].message"), "2 are full");
  EXPECT_EQ(json::TextAt(pod_, "status.conditions[0].lastTransitionTime"),
            base::FormatTime(kPodStart));
}

TEST_F(SimulatedPodLife, SucceedsAfterItsRunTime) {
  StepUntil("Running");
  StepUntil("Succeeded");
  EXPECT_EQ(now_, kPodStart + settings_.run_time);
}

TEST_F(SimulatedPodLife, FailsWithTheAnnotation) {
  pod_.as_object()["metadata"].as_object()["annotations"] = {{"berth.dev/fails", "true"}};
  StepUntil("Failed");
}

TEST_F(SimulatedPodLife, WithRestartPolicyAlwaysRunsUntilItIsDeleted) {
  pod_.as_object()["spec"].as_object()["restartPolicy"] = "Always";
  StepUntil("Running");
  const SimulatedPodStep step = Step();
  EXPECT_FALSE(step.status.has_value());
  EXPECT_FALSE(step.requeue_at.has_value());

  pod_.as_object()["metadata"].as_object()["deletionTimestamp"] = "2026-01-01T00:00:00Z";
  pod_.as_object()["metadata"].as_object()["deletionGracePeriodSeconds"] = 30;
  EXPECT_FALSE(Step().is_stopped);
  EXPECT_EQ(Phase(), "Failed");
  EXPECT_TRUE(Step().is_stopped);
}

}  // namespace
}  // namespace berth::embedded
