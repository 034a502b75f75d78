// Managed jobs of a set of files, and warnings about them.

#include "lint/managed_jobs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lint/testing/lint_text.h"

namespace berth::lint {
namespace {

using testing::Documents;
using ::testing::ElementsAre;
using testing::LintText;

constexpr const char* kConfiguration = R"(apiVersion: config.kueue.x-k8s.io/v1beta2
kind: Configuration
manageJobsWithoutQueueName: true
managedJobsNamespaceSelector: {matchLabels: {team: a}}
integrations: {frameworks: [batch/job, jobset.x-k8s.io/jobset]})";

std::string Space(const std::string& name, const std::string& team) {
  return "apiVersion: v1\nkind: Namespace\nmetadata: {name: " + name + ", labels: {team: " + team +
         "}}";
}

std::string Job(const std::string& space, const std::string& more = "") {
  return "apiVersion: batch/v1\nkind: Job\nmetadata: {name: j, namespace: " + space + more +
         "}\nspec: {template: {spec: {restartPolicy: Never, containers: [{name: c, image: i}]}}}";
}

std::vector<std::string> Answers(const std::string& yaml) {
  std::vector<std::string> answers;
  for (const ManagedJob& job : ManagedJobs(api::ReadManifests(yaml, {.file = "a.yaml"})))
    answers.push_back(ToString(job.object) + ": " + job.reason);
  return answers;
}

TEST(ManagedJobList, SaysWhyForEachJob) {
  EXPECT_THAT(
      Answers(Documents(kConfiguration, Space("a", "a"), Space("b", "b"), Job("a"), Job("b"),
                        Job("b", ", labels: {kueue.x-k8s.io/queue-name: q}"))),
      ElementsAre("Job a/j: managed: no queue name, and managedJobsNamespaceSelector (team=a) "
                  "matches the namespace",
                  "Job b/j: not managed: managedJobsNamespaceSelector (team=a) does not match the "
                  "namespace",
                  "Job b/j: managed: queue name is \"q\""));
}

TEST(ManagedJobList, FollowsOwnersByUid) {
  const std::string parent =
      "apiVersion: jobset.x-k8s.io/v1alpha2\nkind: JobSet\nmetadata: {name: p, namespace: a, uid: "
      "u, labels: {kueue.x-k8s.io/queue-name: q}}";
  const std::string child = Job("a",
                                ", ownerReferences: [{apiVersion: jobset.x-k8s.io/v1alpha2, kind: "
                                "JobSet, name: p, uid: u, controller: true}]");
  EXPECT_THAT(Answers(Documents(kConfiguration, parent, child)),
              ElementsAre("JobSet a/p: managed: queue name is \"q\"",
                          "Job a/j: not managed: owner JobSet p is managed"));
}

TEST(ManagedJobList, KindsThatAreNotListedAreLeftAlone) {
  EXPECT_THAT(Answers(Documents(kConfiguration,
                                "apiVersion: ray.io/v1\nkind: RayJob\nmetadata: {name: r, "
                                "namespace: a, labels: {kueue.x-k8s.io/queue-name: q}}")),
              ElementsAre("RayJob a/r: not managed: integrations.frameworks does not list RayJob"));
}

TEST(ManagedJobFindings, AQueueNameThatIsIgnored) {
  EXPECT_THAT(LintText(Documents(kConfiguration,
                                 "apiVersion: ray.io/v1\nkind: RayJob\nmetadata: {name: r, "
                                 "namespace: a, labels: {kueue.x-k8s.io/queue-name: q}}")),
              ElementsAre("10 warning queue-name-ignored "
                          "metadata.labels[kueue.x-k8s.io/queue-name]"));
}

TEST(ManagedJobFindings, AJobThatWaitsForAQueueName) {
  const std::string world = Documents(kConfiguration, Space("a", "a"), Job("a"));
  EXPECT_THAT(LintText(world), ElementsAre("14 warning no-queue-name metadata.labels"));
  EXPECT_THAT(LintText(world + Documents("apiVersion: kueue.x-k8s.io/v1beta2\nkind: "
                                         "LocalQueue\nmetadata: {name: default, namespace: "
                                         "a}\nspec: {clusterQueue: c}")),
              ::testing::IsEmpty());
}

TEST(ManagedJobFindings, WithoutAConfigurationNothingIsSaid) {
  EXPECT_THAT(LintText(Job("a")), ::testing::IsEmpty());
}

}  // namespace
}  // namespace berth::lint
