#include "ctl/pods.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ctl/kinds.h"

namespace berth::ctl {
namespace {

using ::testing::HasSubstr;

// The selectors of the pods, "labels|fields", or the error.
std::string SelectorFor(std::string_view kind, std::string_view job) {
  const NamedKind* known = FindKnownKind(kind);
  if (known == nullptr) return "unknown kind";
  const auto selection = PodsOf(known->resource, *json::Parse(job));
  return selection ? selection->label_selector + "|" + selection->field_selector
                   : base::ToString(selection.error());
}

TEST(PodsOf, FollowsTheLabelsOfEachController) {
  constexpr std::string_view kTrain = R"({"metadata":{"name":"train"}})";
  EXPECT_EQ(SelectorFor("job", kTrain), "batch.kubernetes.io/job-name=train|");
  EXPECT_EQ(SelectorFor("jobset", kTrain), "jobset.sigs.k8s.io/jobset-name=train|");
  EXPECT_EQ(SelectorFor("pytorchjobs.kubeflow.org", kTrain),
            "training.kubeflow.org/job-name=train,"
            "training.kubeflow.org/operator-name=pytorchjob-controller|");
  EXPECT_EQ(SelectorFor("raycluster", kTrain), "ray.io/cluster=train|");
  EXPECT_EQ(SelectorFor("rayjob", R"({"status":{"rayClusterName":"c"}})"), "ray.io/cluster=c|");
}

TEST(PodsOf, TakesAPodForItsGroup) {
  EXPECT_EQ(SelectorFor("pod", R"({"metadata":{"name":"p","labels":)"
                               R"({"kueue.x-k8s.io/pod-group-name":"g"}}})"),
            "kueue.x-k8s.io/pod-group-name=g|");
  EXPECT_EQ(SelectorFor("po", R"({"metadata":{"name":"p"}})"), "|metadata.name=p");
}

TEST(PodsOf, UsesTheSelectorOfOtherKinds) {
  EXPECT_EQ(SelectorFor("statefulset", R"({"spec":{"selector":{"matchLabels":{"app":"web"}}}})"),
            "app=web|");
  EXPECT_THAT(SelectorFor("configmap", "{}"), HasSubstr("unsupported kind: ConfigMap"));
  EXPECT_THAT(SelectorFor("rayjob", R"({"metadata":{"name":"r"}})"), HasSubstr("no pods yet"));
}

TEST(PodTable, HasTheColumnsOfKubectl) {
  const auto pod = *store::Object::FromJson(
      R"({"metadata":{"name":"p","namespace":"n"},"spec":{"containers":[{"name":"c"}],)"
      R"("nodeName":"node-1"},"status":{"phase":"Running"}})");
  const TextTable table = PodTable({&pod, 1}, false, base::Time());
  EXPECT_THAT(table.ToText(), HasSubstr("NAME   READY   STATUS    RESTARTS   AGE\n"));
  EXPECT_THAT(table.ToText(true), HasSubstr("node-1"));
}

}  // namespace
}  // namespace berth::ctl
