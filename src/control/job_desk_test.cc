#include "control/job_desk.h"

#include <gtest/gtest.h>

#include "control/testing/desk_test.h"
#include "jobs/integration_set.h"

namespace berth::control {
namespace {

namespace json = store::json;

store::Object JobAt(int version, bool is_suspended) {
  const std::string number = std::to_string(version);
  auto object = store::Object::FromJson(
      R"({"apiVersion":"batch/v1","kind":"Job","metadata":{"name":"job","namespace":"default",)"
      R"("uid":"u","resourceVersion":")" +
      number + R"("},"spec":{"suspend":)" + (is_suspended ? "true" : "false") + "}}");
  return std::move(*object);
}

class JobDeskTest : public testing::DeskTest {
 protected:
  JobDeskTest() {
    const store::Object job = JobAt(1, true);
    desk_.OnSeen(key_, &job);
    json::value started = desk_.Find(key_)->tree;
    started.at("spec").get_object()["suspend"] = false;
    JobPlan plan;
    plan.actions.push_back(WriteJob{.writes = {{.object = std::move(started)}}});
    looks_ = 0;
    desk_.Perform(key_, std::move(plan));
  }
  static store::Failure Refusal() {
    return store::Conflict({.group = "batch", .version = "v1", .plural = "jobs", .kind = "Job"},
                           "job", store::kObjectWasModified);
  }

  const JobKey key_{.integration = jobs::IntegrationSet::BuiltIn().FindFramework("batch/job"),
                    .namespace_ = "default",
                    .name = "job"};
  int looks_ = 0;  // how often the job was to be planned again
  JobDesk desk_{store_,
                executor_,
                workloads_,
                events_,
                {.on_known = [this](const JobKey&) { ++looks_; },
                 .on_failure = [](const JobKey&, const store::Failure&) {},
                 .on_made = [](const WorkloadMade&) {}}};
};

TEST_F(JobDeskTest, WaitsForTheWatchAfterAConflict) {
  store_.Answer(std::unexpected(Refusal()));
  EXPECT_EQ(looks_, 0) << "it would only be refused again";
  EXPECT_TRUE(desk_.is_idle());
  const store::Object newer = JobAt(2, true);
  desk_.OnSeen(key_, &newer);
  EXPECT_EQ(looks_, 1);
}

TEST_F(JobDeskTest, LooksAgainAtOnceIfTheWatchWasQuicker) {
  const store::Object newer = JobAt(2, true);
  desk_.OnSeen(key_, &newer);
  EXPECT_EQ(looks_, 1);
  store_.Answer(std::unexpected(Refusal()));
  EXPECT_EQ(looks_, 2);
}

TEST_F(JobDeskTest, AnAnswerDoesNotHideWhatFollowedIt) {
  const store::Object newer = JobAt(3, false);
  desk_.OnSeen(key_, &newer);
  store_.Answer(store::Reply{.object = JobAt(2, false)});
  EXPECT_EQ(desk_.Find(key_)->text.resource_version, "3");
  EXPECT_TRUE(desk_.is_idle());
}

TEST_F(JobDeskTest, AStepIsNotTakenOnWhatSomebodyElseHasChanged) {
  store_.Answer(store::Reply{.object = JobAt(2, false)});
  json::value stopped = desk_.Find(key_)->tree;
  stopped.at("spec").get_object()["suspend"] = true;
  json::value restored = stopped;
  restored.at("spec").get_object()["parallelism"] = 1;
  JobPlan plan;
  plan.actions.push_back(WriteJob{.writes = {{.object = stopped}, {.object = restored}}});
  desk_.Perform(key_, std::move(plan));
  const size_t calls = store_.calls.size();
  const store::Object newer = JobAt(4, true);
  desk_.OnSeen(key_, &newer);
  store_.Answer(store::Reply{.object = JobAt(3, true)});
  EXPECT_EQ(store_.calls.size(), calls);
  EXPECT_TRUE(desk_.is_idle());
}

TEST_F(JobDeskTest, DoesNotWaitForTheWatchForever) {
  store_.Answer(std::unexpected(Refusal()));
  executor_.Advance(base::Duration::Seconds(1));
  EXPECT_EQ(looks_, 1);
}

}  // namespace
}  // namespace berth::control
