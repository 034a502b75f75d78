// `berth lint` on the annotations of admission constraints: what counts where.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "cli/testing/process.h"

namespace berth::cli {
namespace {

using testing::Folder;
using ::testing::HasSubstr;
using testing::Outcome;
using testing::Shell;

constexpr std::string_view kConfiguration = R"(apiVersion: config.kueue.x-k8s.io/v1beta2
kind: Configuration
featureGates: {WorkloadAdmissionConstraints: true}
integrations: {frameworks: [batch/job, deployment, statefulset, leaderworkerset.x-k8s.io/leaderworkerset]}
---
)";

// The report about a file with that Configuration and this object.
std::string ReportOn(std::string_view object) {
  const Folder folder;
  folder.Write("a.yaml", std::string(kConfiguration).append(object));
  return Shell("cd '" + folder.path().string() + "' && $BERTH lint a.yaml").out;
}

constexpr std::string_view kSet = R"(apiVersion: apps/v1
kind: StatefulSet
metadata:
  name: web
  labels: {kueue.x-k8s.io/queue-name: main}
  annotations: {kueue.x-k8s.io/cannot-preempt: "true"}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata:
      labels: {app: web}
      annotations: {kueue.x-k8s.io/cannot-borrow: "true"}
    spec: {containers: [{name: c, image: example.com/web}]}
)";

constexpr std::string_view kGroups = R"(apiVersion: leaderworkerset.x-k8s.io/v1
kind: LeaderWorkerSet
metadata:
  name: web
  labels: {kueue.x-k8s.io/queue-name: main}
  annotations: {kueue.x-k8s.io/cannot-preempt: "true"}
spec:
  leaderWorkerTemplate:
    workerTemplate:
      metadata:
        labels: {app: web}
        annotations: {kueue.x-k8s.io/cannot-borrow: "true"}
      spec: {containers: [{name: c, image: example.com/web}]}
)";

std::string Replaced(std::string_view object, std::string_view from, std::string_view to) {
  std::string text(object);
  return text.replace(text.find(from), from.size(), to);
}

TEST(LintConstraints, AcceptsThemOnASetAndOnItsPods) {
  for (const std::string_view object : {kSet, kGroups})
    EXPECT_THAT(ReportOn(object), HasSubstr("0 errors, 0 warnings\n"));
  EXPECT_THAT(ReportOn(Replaced(kSet, "StatefulSet", "Deployment")),
              HasSubstr("0 errors, 0 warnings\n"));
}

TEST(LintConstraints, CorrectsMisspeltOnes) {
  EXPECT_THAT(
      ReportOn(Replaced(kSet, "cannot-preempt", "cannot-preemt")),
      HasSubstr("a.yaml:11:47: warning: metadata.annotations[kueue.x-k8s.io/cannot-preemt]: "
                "annotation has no effect: it is not the name of a constraint [no-effect]\n"
                "    hint: write kueue.x-k8s.io/cannot-preempt\n"));
  EXPECT_THAT(ReportOn(Replaced(kGroups, "cannot-borrow", "cannot-borow")),
              HasSubstr("spec.leaderWorkerTemplate.workerTemplate.metadata.annotations"
                        "[kueue.x-k8s.io/cannot-borow]: annotation has no effect"));
}

TEST(LintConstraints, CorrectsLabelsInTheirPlace) {
  for (const std::string_view object : {kSet, kGroups})
    EXPECT_THAT(
        ReportOn(
            Replaced(object, "app: web}\n", "app: web, kueue.x-k8s.io/cannot-borrow: 'true'}\n")),
        HasSubstr("metadata.labels[kueue.x-k8s.io/cannot-borrow]: label has no effect: constraints "
                  "are annotations [no-effect]\n"
                  "    hint: write the annotation kueue.x-k8s.io/cannot-borrow\n"));
}

TEST(LintConstraints, FindsThoseThatHaveNoEffectWhereTheyStand) {
  EXPECT_THAT(ReportOn(Replaced(kSet, "  labels: {kueue.x-k8s.io/queue-name: main}\n", "")),
              HasSubstr("metadata.annotations[kueue.x-k8s.io/cannot-preempt]: annotation has no "
                        "effect: the job is not managed"));
  constexpr std::string_view kJob = R"(apiVersion: batch/v1
kind: Job
metadata: {name: train, labels: {kueue.x-k8s.io/queue-name: main}}
spec:
  template:
    metadata: {annotations: {kueue.x-k8s.io/cannot-borrow: "true"}}
    spec: {restartPolicy: Never, containers: [{name: c, image: example.com/train}]}
)";
  EXPECT_THAT(ReportOn(kJob), HasSubstr("pods of a Job are not admitted individually [no-effect]\n"
                                        "    hint: move it to metadata.annotations of the Job\n"));
}

TEST(LintConstraints, FindsPlacesThatDisagree) {
  EXPECT_THAT(ReportOn(Replaced(kGroups, "cannot-borrow: \"true\"", "cannot-preempt: \"false\"")),
              HasSubstr("is \"false\" on the pods and \"true\" on the LeaderWorkerSet [invalid]"));
}

}  // namespace
}  // namespace berth::cli
