#include "jobs/pods/serving_pods.h"

#include <gtest/gtest.h>

#include "jobs/testing/objects.h"

namespace berth::jobs {
namespace {

using testing::Kind;
using testing::Yaml;

json::value Marked(std::string_view framework, const json::value& owner, const json::value& pod) {
  const auto marked = MarkServingPod(Kind(framework), owner, pod, {});
  if (marked && *marked) return **marked;
  ADD_FAILURE() << "the pod was not marked";
  return json::object();
}

constexpr const char* kSet =
    "{metadata: {name: s, uid: u, labels: {kueue.x-k8s.io/queue-name: q, "
    "kueue.x-k8s.io/priority-class: high}}, spec: {replicas: 3, template: {spec: {}}}}";

TEST(ServingPods, OfAStatefulSetAreOneGroupOfItsWorkload) {
  const json::value pod = Marked("statefulset", Yaml(kSet), Yaml("{metadata: {name: s-0}}"));
  const auto workload =
      GroupWorkloadFor(Kind("statefulset"), Yaml(kSet), 0,
                       [] {
                         PriorityTable table;
                         table.Add(api::WorkloadPriorityClass{.metadata = {.name = "high"}});
                         return table;
                       }(),
                       {});
  ASSERT_TRUE(workload.has_value());
  const auto annotation = [&](const std::string& name) {
    return json::TextAt(pod, "metadata.annotations[kueue.x-k8s.io/" + name + "]");
  };
  EXPECT_EQ(annotation("pod-group-name"), workload->metadata.name);
  EXPECT_EQ(annotation("prebuilt-workload-name"), workload->metadata.name);
  EXPECT_EQ(annotation("pod-group-total-count"), "3");
  EXPECT_EQ(annotation("pod-group-fast-admission"), "true");
  EXPECT_EQ(annotation("pod-group-serving"), "true");
  EXPECT_EQ(annotation("role-hash"), "main");
  EXPECT_EQ(json::TextAt(pod, "metadata.labels[kueue.x-k8s.io/queue-name]"), "q");
  EXPECT_EQ(json::TextAt(pod, "metadata.labels[kueue.x-k8s.io/priority-class]"), "high");
  EXPECT_FALSE((*MarkServingPod(Kind("statefulset"), Yaml(kSet), pod, {})).has_value());
}

TEST(ServingPods, OfALeaderWorkerSetAreAGroupForEachReplica) {
  const json::value owner = Yaml(
      "{metadata: {name: l, uid: u, labels: {kueue.x-k8s.io/queue-name: q}}, spec: "
      "{leaderWorkerTemplate: {size: 4, leaderTemplate: {spec: {}}, workerTemplate: {spec: {}}}}}");
  const Integration& kind = Kind("leaderworkerset.x-k8s.io/leaderworkerset");
  const std::string role = "metadata.annotations[kueue.x-k8s.io/role-hash]";
  const json::value leader =
      Marked(kind.framework, owner,
             Yaml("{metadata: {labels: {leaderworkerset.sigs.k8s.io/group-index: '2'}}}"));
  EXPECT_EQ(json::TextAt(leader, role), "leader");
  EXPECT_EQ(json::TextAt(leader, "metadata.annotations[kueue.x-k8s.io/pod-group-name]"),
            GroupWorkloadFor(kind, owner, 2, {}, {})->metadata.name);
  EXPECT_EQ(json::TextAt(leader, "metadata.annotations[kueue.x-k8s.io/pod-group-total-count]"),
            "4");
  const json::value worker = Marked(
      kind.framework, owner,
      Yaml("{metadata: {labels: {leaderworkerset.sigs.k8s.io/group-index: '2'}, annotations: "
           "{leaderworkerset.sigs.k8s.io/leader-name: l-2}}}"));
  EXPECT_EQ(json::TextAt(worker, role), "worker");
}

TEST(ServingPods, WaitForTheirIndex) {
  const auto marked = MarkServingPod(Kind("leaderworkerset.x-k8s.io/leaderworkerset"),
                                     Yaml("{metadata: {name: l}}"), Yaml("{metadata: {}}"), {});
  ASSERT_TRUE(marked.has_value());
  EXPECT_FALSE(marked->has_value());
}

}  // namespace
}  // namespace berth::jobs
