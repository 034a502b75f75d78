#include "api/batch/job.h"

#include <gtest/gtest.h>

#include <limits>

#include "api/apps/deployment.h"
#include "api/batch/cron_job.h"
#include "schema/decode.h"
#include "schema/defaults.h"

namespace berth::api {
namespace {

JobSpec Defaulted(JobSpec spec) {
  ApplyDependentDefaults(spec);
  schema::ApplyDefaults(spec);
  return spec;
}

TEST(JobDefaults, RunOnePodOnce) {
  const JobSpec spec = Defaulted({});
  EXPECT_EQ(spec.parallelism, 1);
  EXPECT_EQ(spec.completions, 1);
  EXPECT_EQ(spec.completion_mode, kNonIndexed);
  EXPECT_EQ(spec.suspend, false);
  EXPECT_EQ(spec.backoff_limit, 6);
}

TEST(JobDefaults, LeaveTheCompletionsOfAWorkQueueOpen) {
  const JobSpec spec = Defaulted({.parallelism = 3});
  EXPECT_EQ(spec.parallelism, 3);
  EXPECT_EQ(spec.completions, std::nullopt);
}

TEST(JobDefaults, AddParallelismToCompletions) {
  const JobSpec spec = Defaulted({.completions = 5});
  EXPECT_EQ(spec.parallelism, 1);
  EXPECT_EQ(spec.completions, 5);
}

TEST(JobDefaults, LiftTheLimitIfIndexesHaveOne) {
  const JobSpec spec = Defaulted({.backoff_limit_per_index = 1});
  EXPECT_EQ(spec.backoff_limit, std::numeric_limits<int32_t>::max());
}

TEST(JobDefaults, KeepExplicitValues) {
  const JobSpec spec = Defaulted({.parallelism = 0, .backoff_limit = 0, .suspend = true});
  EXPECT_EQ(spec.parallelism, 0);
  EXPECT_EQ(spec.backoff_limit, 0);
  EXPECT_EQ(spec.suspend, true);
}

TEST(JobDefaults, ReachTheTemplatesOfCronJobs) {
  CronJob cron_job;
  schema::ApplyDefaults(cron_job);
  EXPECT_EQ(cron_job.spec.concurrency_policy, "Allow");
  EXPECT_EQ(cron_job.spec.job_template.spec.suspend, false);
}

TEST(JobFields, MustHaveATemplateWithContainers) {
  const auto job = schema::Decode<Job>(
      R"({"apiVersion":"batch/v1","kind":"Job","spec":{"template":{"spec":{}}}})",
      {.is_strict = true});
  ASSERT_FALSE(job);
  EXPECT_EQ(job.error().at(0).type, schema::ProblemType::kRequired);
  EXPECT_EQ(job.error().at(0).field, "spec.template.spec.containers");
}

TEST(DeploymentDefaults, KeepZeroReplicasApartFromNone) {
  Deployment deployment;
  deployment.spec.replicas = 0;
  schema::ApplyDefaults(deployment);
  EXPECT_EQ(deployment.spec.replicas, 0);
  deployment.spec.replicas.reset();
  schema::ApplyDefaults(deployment);
  EXPECT_EQ(deployment.spec.replicas, 1);
}

}  // namespace
}  // namespace berth::api
