#include "embedded/nodes/simulated_node.h"

#include <gtest/gtest.h>

#include "jobs/testing/objects.h"
#include "json/path.h"

namespace berth::embedded {
namespace {

// A batch/v1 Job to which simulation steps are applied.
class SimulatedBatchJob : public ::testing::Test {
 protected:
  void Step() {
    const SimulatedStep step =
        SimulateJob(*jobs::IntegrationSet::BuiltIn().FindFramework("batch/job"), job_, {}, now_);
    if (step.status) job_.as_object()["status"] = *step.status;
    if (step.requeue_at) now_ = *step.requeue_at;
  }
  void Suspend(bool is_suspended) {
    job_.as_object()["spec"].as_object()["suspend"] = is_suspended;
    now_ = now_ + base::Duration::Seconds(1);
    Step();
  }
  // "True JobSuspended", or "" without the condition.
  std::string Suspended() const {
    const std::string condition = "status.conditions[0].";
    if (json::TextAt(job_, condition + "type") != "Suspended") return "";
    return json::TextAt(job_, condition + "status") + " " +
           json::TextAt(job_, condition + "reason");
  }
  std::string At(const std::string& path) const { return json::TextAt(job_, path); }

  json::value job_ = jobs::testing::Yaml("{metadata: {name: j, uid: u}, spec: {suspend: true}}");
  base::Time now_ = base::Time::FromSeconds(1'000'000);
};

TEST_F(SimulatedBatchJob, HasAConditionWhileSuspended) {
  Step();
  EXPECT_EQ(Suspended(), "True JobSuspended");
  EXPECT_EQ(At("status.startTime"), "");
}

TEST_F(SimulatedBatchJob, KeepsTheConditionAsFalseOnceItResumed) {
  Step();
  Suspend(false);
  EXPECT_EQ(Suspended(), "False JobResumed");
  EXPECT_EQ(At("status.active"), "1");
}

TEST_F(SimulatedBatchJob, HasNoConditionIfItWasNeverSuspended) {
  Suspend(false);
  EXPECT_EQ(Suspended(), "");
  EXPECT_NE(At("status.startTime"), "");
}

TEST_F(SimulatedBatchJob, StartsAgainWhenItResumes) {
  Suspend(false);
  const std::string first = At("status.startTime");
  Suspend(true);
  EXPECT_EQ(Suspended(), "True JobSuspended");
  EXPECT_EQ(At("status.startTime"), "");
  EXPECT_EQ(At("status.active"), "");
  Suspend(false);
  EXPECT_EQ(Suspended(), "False JobResumed");
  EXPECT_GT(At("status.startTime"), first);
}

}  // namespace
}  // namespace berth::embedded
