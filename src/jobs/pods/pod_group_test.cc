#include "jobs/pods/pod_group.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/kueue/well_known.h"
#include "jobs/testing/objects.h"
#include "schema/decode.h"

namespace berth::jobs {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::Yaml;

constexpr base::Time kNow = base::Time::FromSeconds(1'000'000);

// --- Roles -------------------------------------------------------------------------------------

std::string HashOf(std::string_view spec) {
  return ComputeRoleHash(*schema::Decode<api::PodSpec>(spec));
}

// Hashes recorded from Kueue.
TEST(RoleHash, MatchesKueue) {
  EXPECT_EQ(HashOf("{}"), "b18935ae");
  EXPECT_EQ(
      HashOf(
          R"({"containers":[{"name":"c","resources":{"requests":{"cpu":"1","memory":"1Gi"}}}]})"),
      "4ebdd4a6");
  EXPECT_EQ(HashOf(R"({"containers":[{"name":"c",
      "ports":[{"name":"http","containerPort":80,"protocol":"TCP"}],
      "resources":{"requests":{"cpu":"500m"}}}],"initContainers":[{"name":"i"}],
      "nodeSelector":{"disk":"ssd","a":"b"},
      "tolerations":[{"key":"spot","operator":"Equal","value":"true","effect":"NoSchedule"},
        {"key":"x","operator":"Exists","effect":"NoExecute","tolerationSeconds":300}],
      "runtimeClassName":"gvisor","priority":100,"overhead":{"cpu":"250m"},
      "resourceClaims":[{"name":"gpu","resourceClaimTemplateName":"one"}],
      "topologySpreadConstraints":[{"maxSkew":1,"topologyKey":"zone",
        "whenUnsatisfiable":"DoNotSchedule","labelSelector":{"matchLabels":{"a":"b"}}}]})"),
            "f0b33150");
  EXPECT_EQ(HashOf(R"({"containers":[{"name":"c"}],"resources":{"requests":{"cpu":"2"}},
      "affinity":{"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":
        {"nodeSelectorTerms":[{"matchExpressions":
          [{"key":"k","operator":"In","values":["v"]}]}]}}}})"),
            "2c1f843a");
}

TEST(RoleHash, IgnoresNamesAndImages) {
  EXPECT_EQ(HashOf(R"({"containers":[{"name":"a","image":"x"}]})"),
            HashOf(R"({"containers":[{"name":"b","image":"y"}]})"));
}

TEST(RoleHash, PrefersTheAnnotation) {
  api::Pod pod;
  pod.metadata.annotations.Set(api::kRoleHashAnnotation, "main");
  EXPECT_EQ(RoleHashOf(pod), "main");
}

// --- Groups ------------------------------------------------------------------------------------

struct PodTraits {
  std::string name;
  std::string role = "a";
  std::string phase = std::string(api::kPodPending);
  std::string queue = "main";
  std::string total = "2";
  int created_seconds = 0;
  bool is_gated = false;
  bool is_let_go = false;
};

api::Pod Pod(const PodTraits& traits) {
  api::Pod pod;
  pod.metadata.name = traits.name;
  pod.metadata.namespace_ = "ns";
  pod.metadata.uid = "uid-" + traits.name;
  pod.metadata.creation_timestamp = base::Time::FromSeconds(traits.created_seconds);
  pod.metadata.labels = {{std::string(api::kQueueNameLabel), traits.queue}};
  pod.metadata.annotations = {{std::string(api::kPodGroupTotalCountAnnotation), traits.total},
                              {std::string(api::kRoleHashAnnotation), traits.role}};
  if (!traits.is_let_go) pod.metadata.finalizers = {std::string(api::kManagedLabel)};
  if (traits.is_gated)
    pod.spec.scheduling_gates.push_back({.name = std::string(api::kAdmissionSchedulingGate)});
  pod.status.phase = traits.phase;
  return pod;
}

PodGroup GroupOf(std::vector<api::Pod> pods) { return {.name = "g", .pods = std::move(pods)}; }

std::vector<std::string> NamesOf(const std::vector<api::Pod>& pods) {
  std::vector<std::string> names;
  for (const api::Pod& pod : pods) names.push_back(pod.metadata.name);
  return names;
}

TEST(PodGroups, AGroupIsOneWorkloadOfItsName) {
  const auto composed =
      ComposeGroup(GroupOf({Pod({.name = "y", .role = "b"}), Pod({.name = "x"})}), {}, {});
  ASSERT_TRUE(composed.has_value()) << composed.error().error.message;
  const api::Workload& workload = composed->workload;
  EXPECT_EQ(workload.metadata.name, "g");
  EXPECT_EQ(workload.spec.queue_name, "main");
  EXPECT_EQ(*workload.metadata.annotations.Find(api::kIsGroupWorkloadAnnotation), "true");
  ASSERT_EQ(workload.spec.pod_sets.size(), 2u);
  EXPECT_EQ(workload.spec.pod_sets[0].name, "a");
  EXPECT_EQ(workload.spec.pod_sets[1].name, "b");
  ASSERT_EQ(workload.metadata.owner_references.size(), 2u);
  EXPECT_EQ(workload.metadata.owner_references[0].controller, std::nullopt);
}

TEST(PodGroups, AnIncompleteGroupWaits) {
  const auto composed = ComposeGroup(GroupOf({Pod({.name = "x"})}), {}, {});
  ASSERT_FALSE(composed.has_value());
  EXPECT_TRUE(composed.error().is_waiting);
  EXPECT_THAT(composed.error().error.message, HasSubstr("Pod group g incomplete: 1 of 2 pods"));
}

TEST(PodGroups, AGroupWithFastAdmissionNeedsOnePod) {
  api::Pod pod = Pod({.name = "x", .total = "5"});
  pod.metadata.annotations.Set(api::kPodGroupFastAdmissionAnnotation, "true");
  const auto composed = ComposeGroup(GroupOf({pod}), {}, {});
  ASSERT_TRUE(composed.has_value());
  EXPECT_EQ(composed->workload.spec.pod_sets[0].count, 5);
}

TEST(PodGroups, MembersMustAgree) {
  const auto problem = [](const PodTraits& other) {
    const auto composed = ComposeGroup(GroupOf({Pod({.name = "x"}), Pod(other)}), {}, {});
    return composed ? "none" : composed.error().error.message;
  };
  EXPECT_THAT(problem({.name = "y", .queue = "other"}),
              HasSubstr("differ in kueue.x-k8s.io/queue-name: \"main\" and \"other\""));
  EXPECT_THAT(problem({.name = "y", .total = "3"}),
              HasSubstr("pod-group-total-count: \"2\" and \"3\""));
  EXPECT_EQ(problem({.name = "y"}), "none");
}

TEST(PodGroups, MembersMustAgreeInTheirConstraints) {
  api::Pod other = Pod({.name = "y"});
  other.metadata.annotations.Set(api::kCannotBorrowAnnotation, "true");
  const auto composed =
      ComposeGroup(GroupOf({Pod({.name = "x"}), other}), {}, {.has_constraints = true});
  ASSERT_FALSE(composed.has_value());
  EXPECT_THAT(composed.error().error.message, HasSubstr("admission constraints"));
}

TEST(PodGroups, TheYoungestAreExcess) {
  const auto composed = ComposeGroup(GroupOf({Pod({.name = "new", .created_seconds = 3}),
                                              Pod({.name = "old", .created_seconds = 1}),
                                              Pod({.name = "mid", .created_seconds = 2})}),
                                     {}, {});
  ASSERT_TRUE(composed.has_value());
  EXPECT_THAT(NamesOf(composed->clean_up.excess), ElementsAre("new"));
  EXPECT_EQ(composed->workload.metadata.owner_references.size(), 2u);
}

api::Workload WorkloadWith(std::vector<std::pair<std::string, int>> roles) {
  api::Workload workload;
  workload.metadata.name = "g";
  for (const auto& [name, count] : roles) {
    api::PodSet& set = workload.spec.pod_sets.emplace_back();
    set.name = name;
    set.count = count;
  }
  return workload;
}

TEST(PodGroupReplacement, AFailedPodKeepsItsPlaceUntilAnotherTakesIt) {
  const api::Workload workload = WorkloadWith({{"a", 2}});
  const api::Pod failed = Pod({.name = "failed", .phase = "Failed"});
  auto plan = MatchGroup(GroupOf({Pod({.name = "x"}), failed}), workload, kNow, {});
  ASSERT_TRUE(plan.has_value());
  EXPECT_EQ(plan->absent, 1);
  EXPECT_THAT(plan->replaced, IsEmpty());
  plan =
      MatchGroup(GroupOf({Pod({.name = "x"}), failed, Pod({.name = "new"})}), workload, kNow, {});
  ASSERT_TRUE(plan.has_value());
  EXPECT_EQ(plan->absent, 0);
  EXPECT_THAT(NamesOf(plan->replaced), ElementsAre("failed"));
}

TEST(PodGroupReplacement, PodsBeyondARolesCountAreDeleted) {
  const auto plan =
      MatchGroup(GroupOf({Pod({.name = "gated", .is_gated = true}), Pod({.name = "runs"}),
                          Pod({.name = "gone", .is_let_go = true})}),
                 WorkloadWith({{"a", 1}}), kNow, {});
  ASSERT_TRUE(plan.has_value());
  EXPECT_THAT(NamesOf(plan->kept), ElementsAre("runs"));
  EXPECT_THAT(NamesOf(plan->excess), ElementsAre("gated", "gone"));
}

TEST(PodGroupReplacement, AnotherWorkloadIsNotTheGroups) {
  const PodGroup group = GroupOf({Pod({.name = "x"})});
  EXPECT_FALSE(MatchGroup(group, WorkloadWith({{"b", 1}}), kNow, {}).has_value());
  api::Workload other = WorkloadWith({{"a", 1}});
  other.spec.maximum_execution_time_seconds = 60;
  EXPECT_FALSE(MatchGroup(group, other, kNow, {}).has_value());
}

TEST(PodGroupReplacement, AConditionReportsMissingPods) {
  api::Workload workload = WorkloadWith({{"a", 1}});
  EXPECT_FALSE(ReplacementCondition(workload, 0, kNow).has_value());
  const auto waiting = ReplacementCondition(workload, 1, kNow);
  ASSERT_TRUE(waiting.has_value());
  EXPECT_EQ(waiting->status, "True");
  EXPECT_EQ(waiting->reason, "PodsFailed");
  workload.status.conditions = {*waiting};
  EXPECT_FALSE(ReplacementCondition(workload, 1, kNow).has_value());
  EXPECT_EQ(ReplacementCondition(workload, 0, kNow)->status, "False");
}

TEST(PodGroupEnd, AllPodsSucceeded) {
  const auto end = GroupFinished(GroupOf(
      {Pod({.name = "x", .phase = "Succeeded"}), Pod({.name = "y", .phase = "Succeeded"})}));
  ASSERT_TRUE(end.has_value());
  EXPECT_TRUE(end->is_success);
}

TEST(PodGroupEnd, AFailedPodMayBeReplacedUnlessUnretriable) {
  api::Pod failed = Pod({.name = "x", .phase = "Failed"});
  const api::Pod done = Pod({.name = "y", .phase = "Succeeded"});
  EXPECT_FALSE(GroupFinished(GroupOf({failed, done})).has_value());
  failed.metadata.annotations.Set(api::kRetriableInGroupAnnotation, "false");
  EXPECT_TRUE(GroupFinished(GroupOf({failed, done})).has_value());
}

TEST(PodGroupEnd, AServingGroupDoesNotFinish) {
  api::Pod pod = Pod({.name = "x", .phase = "Succeeded", .total = "1"});
  pod.metadata.annotations.Set(api::kPodGroupServingAnnotation, "true");
  EXPECT_FALSE(GroupFinished(GroupOf({pod})).has_value());
  EXPECT_THAT(GroupReclaimablePods(GroupOf({pod})), IsEmpty());
}

TEST(PodGroupState, SucceededPodsReleaseTheirQuota) {
  const auto pods = GroupReclaimablePods(
      GroupOf({Pod({.name = "x", .phase = "Succeeded"}), Pod({.name = "y", .phase = "Succeeded"}),
               Pod({.name = "z", .phase = "Running"})}));
  ASSERT_EQ(pods.size(), 1u);
  EXPECT_EQ(pods[0].count, 2);
}

TEST(PodGroupState, AStuckPodDoesNotHoldQuota) {
  api::Pod pod = Pod({.name = "x", .phase = "Running"});
  EXPECT_TRUE(IsGroupActive(GroupOf({pod}), kNow, false));
  pod.metadata.deletion_timestamp = kNow;
  pod.metadata.deletion_grace_period_seconds = 30;
  EXPECT_TRUE(IsGroupActive(GroupOf({pod}), kNow + base::Duration::Seconds(30), false));
  EXPECT_FALSE(IsGroupActive(GroupOf({pod}), kNow + base::Duration::Seconds(31), false));
  EXPECT_FALSE(IsGroupActive(GroupOf({pod}), kNow, true));
}

TEST(PodStart, GatesAreRemovedAndTheAdmissionInjected) {
  const json::value pod = Yaml(
      "{metadata: {labels: {a: b}}, spec: {schedulingGates: [{name: kueue.x-k8s.io/admission}, "
      "{name: kueue.x-k8s.io/topology}, {name: other}], nodeSelector: {disk: ssd}}}");
  PodSetInfo info{.name = "a", .node_selector = {{"pool", "spot"}}};
  auto started = StartPod(pod, info, {});
  ASSERT_TRUE(started.has_value());
  EXPECT_EQ(started->at("spec"),
            Yaml("{schedulingGates: [{name: other}], nodeSelector: {disk: ssd, pool: spot}}"));
  info.scheduling_gates = {std::string(api::kTopologySchedulingGate)};
  started = StartPod(pod, info, {});
  EXPECT_EQ(json::TextAt(*started, "spec.schedulingGates[0].name"), "kueue.x-k8s.io/topology");
}

}  // namespace
}  // namespace berth::jobs
