#include "control/write/job_writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/kueue/well_known.h"
#include "control/testing/writer_test.h"
#include "jobs/integration_set.h"
#include "schema/encode.h"

namespace berth::control {
namespace {

using ::testing::ElementsAre;

store::Object JobAt(int version, bool is_suspended) {
  const std::string number = std::to_string(version);
  auto object = store::Object::FromJson(
      R"({"apiVersion":"batch/v1","kind":"Job","metadata":{"name":"job","namespace":"default",)"
      R"("uid":"u","resourceVersion":")" +
      number + R"("},"spec":{"suspend":)" + (is_suspended ? "true" : "false") + "}}");
  return std::move(*object);
}

class JobWriterTest : public testing::WriterTest {
 protected:
  JobWriterTest() {
    Observe(JobAt(1, true));
    json::value started = jobs_.Find(key_)->tree;
    started.at("spec").get_object()["suspend"] = false;
    JobPlan plan;
    plan.actions.push_back(WriteJob{.writes = {{.object = std::move(started)}}});
    plans_ = 0;
    writer_.Run(key_, std::move(plan));
  }
  // A watch event, as the controller of jobs handles it.
  void Observe(const store::Object& job) {
    if (jobs_.OnWatchEvent(key_, &job)) ++plans_;
  }
  static store::Failure Refusal() {
    return store::Conflict({.group = "batch", .version = "v1", .plural = "jobs", .kind = "Job"},
                           "job", store::kObjectWasModified);
  }

  const JobKey key_{.integration = jobs::IntegrationSet::BuiltIn().FindFramework("batch/job"),
                    .namespace_ = "default",
                    .name = "job"};
  int plans_ = 0;  // how often the job was enqueued for another plan
  JobCache jobs_;
  JobWriter writer_{store_,
                    executor_,
                    jobs_,
                    workloads_,
                    events_,
                    {.replan = [this](const JobKey&) { ++plans_; },
                     .on_failure = [](const JobKey&, const store::Failure&) {},
                     .on_workload_created = [](const WorkloadCreated&) {}}};
};

TEST_F(JobWriterTest, WaitsForTheWatchAfterAConflict) {
  store_.Answer(std::unexpected(Refusal()));
  EXPECT_EQ(plans_, 0) << "it would only be refused again";
  EXPECT_TRUE(writer_.is_idle());
  Observe(JobAt(2, true));
  EXPECT_EQ(plans_, 1);
}

TEST_F(JobWriterTest, PlansAgainAtOnceIfTheWatchWasQuicker) {
  Observe(JobAt(2, true));
  EXPECT_EQ(plans_, 1);
  store_.Answer(std::unexpected(Refusal()));
  EXPECT_EQ(plans_, 2);
}

TEST_F(JobWriterTest, AnAnswerDoesNotHideANewerVersion) {
  Observe(JobAt(3, false));
  store_.Answer(store::Reply{.object = JobAt(2, false)});
  EXPECT_EQ(jobs_.Find(key_)->text.resource_version, "3");
  EXPECT_TRUE(writer_.is_idle());
}

TEST_F(JobWriterTest, DropsTheRestOfAPlanIfTheJobWasChangedByOthers) {
  store_.Answer(store::Reply{.object = JobAt(2, false)});
  json::value stopped = jobs_.Find(key_)->tree;
  stopped.at("spec").get_object()["suspend"] = true;
  json::value restored = stopped;
  restored.at("spec").get_object()["parallelism"] = 1;
  JobPlan plan;
  plan.actions.push_back(WriteJob{.writes = {{.object = stopped}, {.object = restored}}});
  writer_.Run(key_, std::move(plan));
  const size_t calls = store_.calls.size();
  Observe(JobAt(4, true));
  store_.Answer(store::Reply{.object = JobAt(3, true)});
  EXPECT_EQ(store_.calls.size(), calls);
  EXPECT_TRUE(writer_.is_idle());
}

TEST_F(JobWriterTest, DoesNotWaitForTheWatchForever) {
  store_.Answer(std::unexpected(Refusal()));
  executor_.Advance(base::Duration::Seconds(1));
  EXPECT_EQ(plans_, 1);
}

// A plan of two actions on Workloads of the job.
class JobPlanOrderTest : public testing::WriterTest {
 protected:
  JobPlanOrderTest() {
    const store::Object job = JobAt(1, true);
    jobs_.OnWatchEvent(key_, &job);
    for (const api::Workload& workload : {first_, second_}) cluster_.Apply(workload);
  }
  static api::Workload Workload(const std::string& name) {
    return {.metadata = {.name = name,
                         .namespace_ = "default",
                         .uid = name,
                         .resource_version = "1",
                         .finalizers = {std::string(api::kResourceInUseFinalizer)}}};
  }
  ChangeWorkload Finish(api::Workload workload) const {
    workload.status.conditions.push_back({.type = "Finished", .status = "True"});
    return {.part = ChangeWorkload::Part::kStatus, .workload = std::move(workload)};
  }
  void Run(std::vector<JobAction> actions) {
    JobPlan plan;
    plan.actions = std::move(actions);
    writer_.Run(key_, std::move(plan));
  }
  void AnswerWith(api::Workload workload, const std::string& version) {
    workload.metadata.resource_version = version;
    store_.Answer(store::Reply{.object = *store::Object::FromJson(schema::Encode(workload))});
  }
  static std::string TargetOf(const store::Call& call) {
    if (const auto* patch = std::get_if<store::Patch>(&call)) return "patch " + patch->name;
    if (const auto* deletion = std::get_if<store::Delete>(&call)) return "delete " + deletion->name;
    return "other";
  }
  std::vector<std::string> Sent() const {
    std::vector<std::string> calls;
    for (const store::Call& call : store_.calls) calls.push_back(TargetOf(call));
    return calls;
  }

  const JobKey key_{.integration = jobs::IntegrationSet::BuiltIn().FindFramework("batch/job"),
                    .namespace_ = "default",
                    .name = "job"};
  const api::Workload first_ = Workload("first");
  const api::Workload second_ = Workload("second");
  JobCache jobs_;
  JobWriter writer_{store_,
                    executor_,
                    jobs_,
                    workloads_,
                    events_,
                    {.replan = [](const JobKey&) {},
                     .on_failure = [](const JobKey&, const store::Failure&) {},
                     .on_workload_created = [](const WorkloadCreated&) {}}};
};

TEST_F(JobPlanOrderTest, ChangesOneWorkloadAfterTheOther) {
  Run({Finish(first_), Finish(second_)});
  EXPECT_THAT(Sent(), ElementsAre("patch first"));
  EXPECT_TRUE(writer_.IsBusy(key_));
  AnswerWith(first_, "2");
  EXPECT_THAT(Sent(), ElementsAre("patch first", "patch second"));
}

TEST_F(JobPlanOrderTest, DoesNotRunTheRestIfAChangeOfAWorkloadFails) {
  Run({Finish(first_), Finish(second_)});
  store_.Answer(std::unexpected(
      store::Conflict(store::ResourceOf<api::Workload>(), "first", store::kObjectWasModified)));
  executor_.Advance(base::Duration::Seconds(5));
  EXPECT_THAT(Sent(), ElementsAre("patch first"));
  EXPECT_TRUE(writer_.is_idle());
}

TEST_F(JobPlanOrderTest, DeletesAWorkloadCompletelyBeforeTheNextAction) {
  Run({DeleteWorkload{.name = "first"}, Finish(second_)});
  api::Workload bare = first_;
  bare.metadata.finalizers.clear();
  AnswerWith(bare, "2");
  EXPECT_THAT(Sent(), ElementsAre("patch first", "delete first"));
  store_.Answer(store::Reply{.was_removed = true});
  EXPECT_THAT(Sent(), ElementsAre("patch first", "delete first", "patch second"));
}

TEST_F(JobPlanOrderTest, DoesNotOverwriteAWorkloadThatChangedSinceThePlan) {
  Run({Finish(first_), Finish(second_)});
  api::Workload changed = second_;
  changed.metadata.resource_version = "5";
  workloads_.OnWatchEvent("default/second", changed);
  AnswerWith(first_, "2");
  EXPECT_THAT(Sent(), ElementsAre("patch first"));
  EXPECT_TRUE(writer_.is_idle());
}

}  // namespace
}  // namespace berth::control
