#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "jobs/rules/job_rules.h"
#include "jobs/testing/objects.h"

namespace berth::jobs {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::string ServingText(int replicas, std::string_view cpu, bool is_managed, int there = 0) {
  return "{metadata: {name: db, labels: {kueue.x-k8s.io/queue-name: lq}}, spec: {replicas: " +
         std::to_string(replicas) + ", template: {metadata: {annotations: {" +
         (is_managed ? "kueue.x-k8s.io/pod-suspending-parent: statefulset" : "") +
         "}}, spec: {containers: [{name: c, resources: {requests: {cpu: " + std::string(cpu) +
         "}}}]}}}, status: {replicas: " + std::to_string(there) + "}}";
}

std::vector<std::string> FieldsRefused(const std::string& before, const std::string& after,
                                       std::string_view framework = "statefulset",
                                       const JobRules& rules = {}) {
  std::vector<std::string> fields;
  for (const schema::Problem& problem : ValidateJobUpdate(
           testing::Kind(framework), testing::Yaml(before), testing::Yaml(after), rules))
    fields.push_back(problem.field);
  return fields;
}

TEST(ServingSetChange, OnlyToAndFromNoPodsAtAll) {
  EXPECT_THAT(FieldsRefused(ServingText(3, "1", true), ServingText(2, "1", true)),
              ElementsAre("spec.replicas"));
  EXPECT_THAT(FieldsRefused(ServingText(3, "1", true), ServingText(0, "1", true)), IsEmpty());
  EXPECT_THAT(FieldsRefused(ServingText(0, "1", true), ServingText(2, "1", true)), IsEmpty());
}

TEST(ServingSetChange, NotBeforeThePodsAreGone) {
  EXPECT_THAT(FieldsRefused(ServingText(0, "1", true, 1), ServingText(2, "1", true, 1)),
              ElementsAre("spec.replicas"));
}

TEST(ServingSetChange, RequestsAreImmutable) {
  EXPECT_THAT(FieldsRefused(ServingText(3, "1", true), ServingText(3, "2", true)),
              ElementsAre("spec.template.spec"));
}

TEST(ServingSetChange, AnUnmanagedSetMayChange) {
  EXPECT_THAT(FieldsRefused(ServingText(3, "1", false), ServingText(2, "2", false)), IsEmpty());
}

TEST(ServingSetChange, GroupsOfALeaderWorkerSetKeepTheirSize) {
  const auto text = [](int size) {
    return "{metadata: {labels: {kueue.x-k8s.io/queue-name: lq}}, spec: {leaderWorkerTemplate: "
           "{size: " +
           std::to_string(size) +
           ", workerTemplate: {metadata: {annotations: {kueue.x-k8s.io/pod-suspending-parent: "
           "leaderworkerset.x-k8s.io/leaderworkerset}}, spec: {containers: [{name: c}]}}}}}";
  };
  const std::string kind = "leaderworkerset.x-k8s.io/leaderworkerset";
  EXPECT_THAT(FieldsRefused(text(2), text(3), kind), ElementsAre("spec.leaderWorkerTemplate.size"));
  EXPECT_THAT(FieldsRefused(text(2), text(2), kind), IsEmpty());
  JobRules off;
  off.gates.Set(api::Gate::kLWSImmutableGroupSize, false);
  EXPECT_THAT(FieldsRefused(text(2), text(3), kind, off), IsEmpty());
}

}  // namespace
}  // namespace berth::jobs
