#include "api/kueue/rules/constraint_warnings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace berth::api {
namespace {

using ::testing::HasSubstr;

// The warning about one annotation or label; "" if there is none.
std::string KeyWarning(const std::string& annotation, const std::string& label = "") {
  ObjectMeta metadata;
  if (!annotation.empty()) metadata.annotations.Set(annotation, "true");
  if (!label.empty()) metadata.labels.Set(label, "true");
  ProblemReport report;
  WarnAboutConstraintKeys(metadata, report);
  const schema::Problems problems = std::move(report).Take();
  return problems.empty() ? "" : schema::ToString(problems.front());
}

TEST(ConstraintKeys, AreCorrectedWhereTheyAreMisspelt) {
  for (const char* key : {"kueue.x-k8s.io/cannot-preemt", "kueue.x-k8s.io/cannot_preempt",
                          "kueue.x-k8s.io/cannotPreempt", "kueue.x-k8s.io/cant-preempt",
                          "kueue.k8s.io/cannot-preempt", "cannot-preempt"})
    EXPECT_THAT(KeyWarning(key), HasSubstr("(write kueue.x-k8s.io/cannot-preempt)")) << key;
  EXPECT_EQ(KeyWarning("kueue.x-k8s.io/cannot_borrow"),
            "annotations[kueue.x-k8s.io/cannot_borrow]: annotation has no effect: it is not the "
            "name of a constraint (write kueue.x-k8s.io/cannot-borrow)");
}

TEST(ConstraintKeys, AreAnnotationsAndNoLabels) {
  for (const char* key : {"kueue.x-k8s.io/cannot-borrow", "kueue.x-k8s.io/cannot-borow"})
    EXPECT_THAT(KeyWarning("", key), HasSubstr("(write the annotation "
                                               "kueue.x-k8s.io/cannot-borrow)"))
        << key;
}

TEST(ConstraintKeys, OfOthersAreLeftAlone) {
  for (const char* key :
       {"kueue.x-k8s.io/cannot-preempt", "kueue.x-k8s.io/cannot-borrow",
        "kueue.x-k8s.io/job-min-parallelism", "kueue.x-k8s.io/elastic-job",
        "kueue.x-k8s.io/priority-boost", "example.com/cannot-borrow", "kueue.x-k8s.io/queue-name",
        "kueue.x-k8s.io/priority-class", "kubectl.kubernetes.io/last-applied-configuration"})
    EXPECT_EQ(KeyWarning(key), "") << key;
  EXPECT_EQ(KeyWarning("", "kueue.x-k8s.io/queue-name"), "");
}

TEST(UnusedConstraints, AreThoseThatAskForSomething) {
  ObjectMeta metadata;
  metadata.annotations.Set("kueue.x-k8s.io/cannot-borrow", "false");
  metadata.annotations.Set("kueue.x-k8s.io/cannot-preempt", "true");
  ProblemReport report;
  WarnAboutUnusedConstraints(metadata, "a ConfigMap is not queued", "remove it", report);
  const schema::Problems problems = std::move(report).Take();
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(schema::ToString(problems[0]),
            "annotations[kueue.x-k8s.io/cannot-preempt]: annotation has no effect: a ConfigMap is "
            "not queued (remove it)");
}

}  // namespace
}  // namespace berth::api
