#include "workload/convert/convert_workload.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "engine/options.h"
#include "schema/decode.h"

namespace berth::workload {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

base::Time At(std::string_view clock) {
  return base::ParseTime("2026-01-01T" + std::string(clock) + "Z").value();
}

api::Workload WorkloadOf(std::string_view json) {
  return schema::Decode<api::Workload>(json).value();
}

WorkloadRules RulesWith(std::string_view configuration = "{}") {
  const auto read = schema::Decode<api::Configuration>(configuration).value();
  return WorkloadRules::From(read, api::ReadFeatureGates(read.feature_gates).value());
}

// --- Eligibility ---------------------------------------------------------------------------------

bool Waits(std::string_view json) { return MayWait(WorkloadOf(json), RulesWith()); }

TEST(AWorkloadWaits, ByDefault) {
  EXPECT_TRUE(Waits(R"({"metadata": {"name": "a"}})"));
  EXPECT_TRUE(Waits(R"({"spec": {"active": true}})"));
  EXPECT_TRUE(Waits(R"({"status": {"conditions": [{"type": "QuotaReserved", "status": "False",
                                                   "reason": "Pending"}]}})"));
}

TEST(AWorkloadWaits, NotIfItIsFinishedInactiveReservedOrOnHold) {
  EXPECT_FALSE(Waits(R"({"spec": {"active": false}})"));
  EXPECT_FALSE(Waits(R"({"status": {"conditions": [{"type": "Finished", "status": "True"}]}})"));
  EXPECT_FALSE(
      Waits(R"({"status": {"conditions": [{"type": "QuotaReserved", "status": "True"}]}})"));
  EXPECT_FALSE(Waits(R"({"status": {"conditions": [{"type": "QuotaReserved", "status": "False",
                                                    "reason": "OnHold"}]}})"));
  EXPECT_FALSE(Waits(
      R"({"status": {"conditions": [{"type": "WaitingForReplacementPods", "status": "True"}]}})"));
}

TEST(AWorkloadWaits, NotIfItIsGatedAndTheGateIsOn) {
  const api::Workload gated = WorkloadOf(
      R"({"metadata": {"annotations": {"kueue.x-k8s.io/admission-gated-by": "x.io/y"}}})");
  EXPECT_FALSE(MayWait(gated, RulesWith()));
  EXPECT_TRUE(MayWait(gated, RulesWith(R"({"featureGates": {"AdmissionGatedBy": false}})")));
}

// --- Order ---------------------------------------------------------------------------------------

api::Workload Evicted(std::string_view reason, std::string_view preempted_reason = "") {
  return WorkloadOf(R"({"metadata": {"creationTimestamp": "2026-01-01T01:00:00Z"},
      "status": {"conditions": [
        {"type": "Evicted", "status": "True", "reason": ")" +
                    std::string(reason) +
                    R"(", "lastTransitionTime": "2026-01-01T02:00:00Z"},
        {"type": "Preempted", "status": "True", "reason": ")" +
                    std::string(preempted_reason) +
                    R"(", "lastTransitionTime": "2026-01-01T03:00:00Z"}]}})");
}

TEST(QueueOrder, GoesByCreation) {
  EXPECT_EQ(QueueOrderTime(Evicted("Preempted", "InClusterQueue"), RulesWith()), At("01:00:00"));
  EXPECT_EQ(QueueOrderTime(WorkloadOf("{}"), RulesWith()), base::kZeroTime);
}

TEST(QueueOrder, GoesByEvictionWhereItStartsOver) {
  EXPECT_EQ(QueueOrderTime(Evicted("PodsReadyTimeout"), RulesWith()), At("02:00:00"));
  EXPECT_EQ(QueueOrderTime(Evicted("AdmissionCheck"), RulesWith()), At("02:00:00"));
  const WorkloadRules by_creation =
      RulesWith(R"({"waitForPodsReady": {"requeuingStrategy": {"timestamp": "Creation"}}})");
  EXPECT_EQ(QueueOrderTime(Evicted("PodsReadyTimeout"), by_creation), At("01:00:00"));
  EXPECT_EQ(QueueOrderTime(Evicted("AdmissionCheck"), by_creation), At("02:00:00"));
}

TEST(QueueOrder, GoesByPreemptionWhilePrioritiesAreNotSorted) {
  const WorkloadRules unsorted =
      RulesWith(R"({"featureGates": {"PrioritySortingWithinCohort": false}})");
  EXPECT_EQ(QueueOrderTime(Evicted("Preempted", "InCohortReclaimWhileBorrowing"), unsorted),
            At("03:00:00") + base::Duration::Milliseconds(1));
  EXPECT_EQ(QueueOrderTime(Evicted("Preempted", "InClusterQueue"), unsorted), At("01:00:00"));
}

TEST(Priority, IsBoostedOnlyIfTheGateIsOn) {
  const api::Workload boosted = WorkloadOf(
      R"({"metadata": {"annotations": {"kueue.x-k8s.io/priority-boost": "-3"}},
          "spec": {"priority": 10}})");
  EXPECT_EQ(EffectivePriority(boosted, RulesWith()), 10);
  EXPECT_EQ(EffectivePriority(boosted, RulesWith(R"({"featureGates": {"PriorityBoost": true}})")),
            7);
  EXPECT_EQ(EffectivePriority(WorkloadOf("{}"), RulesWith()), 0);
}

TEST(Priority, IgnoresABoostThatIsNoNumber) {
  const WorkloadRules rules = RulesWith(R"({"featureGates": {"PriorityBoost": true}})");
  for (const std::string boost : {"", "much", "1.5", "5 ", "99999999999"}) {
    const api::Workload workload =
        WorkloadOf(R"({"metadata": {"annotations": {"kueue.x-k8s.io/priority-boost": ")" + boost +
                   R"("}}, "spec": {"priority": 10}})");
    EXPECT_EQ(EffectivePriority(workload, rules), 10) << boost;
  }
}

// --- Blocking conditions -------------------------------------------------------------------------

TEST(PreemptionGates, AreClosedUntilTheirStatusSaysOpen) {
  const auto is_closed = [](std::string_view status) {
    return HasClosedPreemptionGate(WorkloadOf(R"({"spec": {"preemptionGates": [{"name": "g"}]},
        "status": {"preemptionGates": [)" + std::string(status) +
                                              "]}}"));
  };
  EXPECT_TRUE(is_closed(""));
  EXPECT_TRUE(is_closed(R"({"name": "g", "position": "Closed"})"));
  EXPECT_FALSE(is_closed(R"({"name": "g", "position": "Open"})"));
  EXPECT_TRUE(is_closed(R"({"name": "other", "position": "Open"})"));
  EXPECT_FALSE(HasClosedPreemptionGate(WorkloadOf("{}")));
}

TEST(AFailedCheck, SaysRetryOrRejected) {
  const auto has_failed = [](std::string_view state) {
    return HasFailedCheck(WorkloadOf(R"({"status": {"admissionChecks": [
        {"name": "a", "state": "Ready"}, {"name": "b", "state": ")" +
                                     std::string(state) + R"("}]}})"));
  };
  EXPECT_TRUE(has_failed("Retry"));
  EXPECT_TRUE(has_failed("Rejected"));
  EXPECT_FALSE(has_failed("Pending"));
}

// --- Requests ------------------------------------------------------------------------------------

// A ClusterQueue with flavors spot (tainted) and zone-a (labelled) for cpu and pods.
class Pending : public testing::Test {
 protected:
  Pending() {
    queue_ = schema::Decode<api::ClusterQueueSpec>(R"({"resourceGroups": [{
        "coveredResources": ["cpu", "pods"], "flavors": [{"name": "spot"}, {"name": "zone-a"}]}]})")
                 .value();
    spot_ = Matcher(R"({"nodeTaints": [{"key": "spot", "effect": "NoSchedule"}]})");
    zone_ = Matcher(R"({"nodeLabels": {"zone": "a"}})");
  }

  static std::unique_ptr<FlavorMatcher> Matcher(std::string_view json) {
    return std::make_unique<FlavorMatcher>(schema::Decode<api::ResourceFlavorSpec>(json).value());
  }

  engine::PendingSpec Convert(std::string_view json, std::string_view configuration = "{}") {
    const WorkloadRules rules = RulesWith(configuration);
    const ResourceFilter filter(rules.resources, queue_, prefixes_);
    const QueueFlavor flavors[] = {{names_.Flavor("spot"), "spot", spot_.get()},
                                   {names_.Flavor("zone-a"), "zone-a", zone_.get()}};
    const WaitingContext context{.cluster_queue = engine::NodeId(3),
                                 .filter = &filter,
                                 .namespace_selector = &selector_,
                                 .flavors = flavors,
                                 .namespace_labels = &labels_,
                                 .limits = &limits_,
                                 .overheads = &overheads_,
                                 .replaces_uid = "old"};
    return ToPending(WorkloadOf(json), context, rules, names_);
  }

  engine::Engine names_{engine::EngineOptions()};
  api::ClusterQueueSpec queue_;
  ResourcePrefixPool prefixes_;
  std::unique_ptr<FlavorMatcher> spot_, zone_;
  api::Selector selector_ = api::Selector::Everything();
  api::Labels labels_;
  LimitSummary limits_;
  RuntimeOverheads overheads_;
};

constexpr std::string_view kThreePods = R"({"metadata": {"name": "w", "namespace": "n", "uid": "u"},
    "spec": {"queueName": "main", "priority": 4, "podSets": [{"name": "main", "count": 3,
      "minCount": 2, "template": {"spec": {"containers": [
        {"name": "c", "resources": {"requests": {"cpu": "1500m"}}}]}}}]}})";

TEST_F(Pending, CarriesUidAndQueues) {
  const engine::PendingSpec spec = Convert(kThreePods);
  EXPECT_EQ(spec.uid, "u");
  EXPECT_EQ(names_.LocalQueueName(spec.local_queue), "n/main");
  EXPECT_EQ(spec.cluster_queue, engine::NodeId(3));
  EXPECT_EQ(spec.shape.priority, 4);
  EXPECT_EQ(spec.replaces_uid, "old");
}

TEST_F(Pending, SumsRequestsOfAllPodsAndLeavesPodsToTheEngine) {
  const engine::PendingSpec spec = Convert(kThreePods);
  ASSERT_THAT(spec.shape.pod_sets, SizeIs(1));
  EXPECT_EQ(spec.shape.pod_sets[0].count, 3);
  EXPECT_EQ(spec.shape.pod_sets[0].min_count, 2);
  EXPECT_THAT(spec.shape.pod_sets[0].requests,
              ElementsAre(engine::Request{names_.Resource("cpu"), 4500}));
}

TEST_F(Pending, CountsRequestsBelowZeroAsZero) {
  const engine::PendingSpec spec = Convert(R"({"metadata": {"name": "w"}, "spec": {"podSets": [
      {"name": "main", "count": 3, "template": {"spec": {"containers": [
        {"name": "c", "resources": {"requests": {"cpu": "-5"}}}]}}}]}})");
  EXPECT_THAT(spec.shape.pod_sets[0].requests,
              ElementsAre(engine::Request{names_.Resource("cpu"), 0}));
}

TEST_F(Pending, LeavesOutReclaimablePods) {
  constexpr std::string_view reclaimed = R"({"metadata": {"name": "w"}, "spec": {"podSets": [
      {"name": "main", "count": 3, "template": {"spec": {"containers": [
        {"name": "c", "resources": {"requests": {"cpu": "1"}}}]}}}]},
      "status": {"reclaimablePods": [{"name": "main", "count": 2}]}})";
  const engine::PodSetSpec less = Convert(reclaimed).shape.pod_sets[0];
  EXPECT_EQ(less.count, 1);
  EXPECT_EQ(less.full_count, 3);
  EXPECT_EQ(less.requests[0].amount, 1000);
  const engine::PodSetSpec all =
      Convert(reclaimed, R"({"featureGates": {"ReclaimablePods": false}})").shape.pod_sets[0];
  EXPECT_EQ(all.count, 3);
  EXPECT_EQ(all.requests[0].amount, 3000);
}

TEST_F(Pending, NamesMismatchedFlavors) {
  const auto mismatches = [&](std::string_view pod) {
    return Convert(R"({"spec": {"podSets": [{"name": "main", "template": {"spec": )" +
                   std::string(pod) + "}}]}}")
        .shape.pod_sets[0]
        .mismatches;
  };
  const engine::FlavorId spot = names_.Flavor("spot"), zone = names_.Flavor("zone-a");
  EXPECT_THAT(mismatches(R"({"nodeSelector": {"zone": "b"}})"),
              ElementsAre(engine::FlavorMismatch{spot, engine::Mismatch::kUntoleratedTaint},
                          engine::FlavorMismatch{zone, engine::Mismatch::kNodeAffinity}));
  EXPECT_THAT(mismatches(R"({"tolerations": [{"operator": "Exists"}]})"), IsEmpty());
}

TEST_F(Pending, AllowsOnlyTheFlavorsOfItsVariant) {
  constexpr std::string_view variant = R"({"metadata": {"annotations": {
        "kueue.x-k8s.io/workload-allowed-resource-flavors": "other,zone-a"}},
      "spec": {"podSets": [{"name": "main", "template": {"spec": {
        "tolerations": [{"operator": "Exists"}]}}}]}})";
  EXPECT_THAT(Convert(variant).shape.pod_sets[0].mismatches, IsEmpty());
  EXPECT_THAT(
      Convert(variant, R"({"featureGates": {"ConcurrentAdmission": true}})")
          .shape.pod_sets[0]
          .mismatches,
      ElementsAre(engine::FlavorMismatch{names_.Flavor("spot"), engine::Mismatch::kNotAllowed}));
}

TEST_F(Pending, GroupsPodSetsByTheirGroupName) {
  const engine::PendingSpec spec = Convert(R"({"spec": {"podSets": [
      {"name": "a", "topologyRequest": {"podSetGroupName": "g"}, "template": {"spec": {}}},
      {"name": "b", "template": {"spec": {}}},
      {"name": "c", "topologyRequest": {"podSetGroupName": "g"}, "template": {"spec": {}}}]}})");
  ASSERT_THAT(spec.shape.pod_sets, SizeIs(3));
  EXPECT_EQ(spec.shape.pod_sets[0].group, spec.shape.pod_sets[2].group);
  EXPECT_NE(spec.shape.pod_sets[0].group, spec.shape.pod_sets[1].group);
}

TEST_F(Pending, HasTheShapeOfEquivalentWorkloads) {
  const auto key = [&](std::string_view name, std::string_view cpu) {
    return Convert(R"({"metadata": {"name": ")" + std::string(name) +
                   R"("}, "spec": {"podSets": [{"name": "main", "template": {"spec": {"containers":
                     [{"name": "c", "resources": {"requests": {"cpu": ")" +
                   std::string(cpu) + R"("}}}]}}}]}})")
        .shape.key;
  };
  EXPECT_EQ(key("a", "1"), key("b", "1"));
  EXPECT_NE(key("a", "1"), key("a", "2"));
}

constexpr std::string_view kConstraintsOn =
    R"({"featureGates": {"WorkloadAdmissionConstraints": true}})";

TEST_F(Pending, CarriesConstraintsOfAnnotationsAndFieldIfTheGateIsOn) {
  constexpr std::string_view kBoth =
      R"({"metadata": {"annotations": {"kueue.x-k8s.io/cannot-preempt": "true"}},
          "spec": {"admissionConstraints": {"borrowing": "Never"}}})";
  EXPECT_EQ(Convert(kBoth, kConstraintsOn).constraints,
            (engine::AdmissionConstraints{.cannot_preempt = true, .cannot_borrow = true}));
  EXPECT_EQ(Convert(kBoth).constraints, engine::AdmissionConstraints());
  EXPECT_EQ(Convert("{}", kConstraintsOn).constraints, engine::AdmissionConstraints());
}

TEST_F(Pending, HasAnotherShapeWithOtherConstraintsIfTheGateIsOn) {
  const auto key = [&](std::string_view constraints, std::string_view configuration) {
    return Convert(R"({"spec": {"admissionConstraints": )" + std::string(constraints) + "}}",
                   configuration)
        .shape.key;
  };
  const std::set<engine::EquivalenceKey> keys = {
      key("{}", kConstraintsOn), key(R"({"borrowing": "Never"})", kConstraintsOn),
      key(R"({"preemption": "Never"})", kConstraintsOn),
      key(R"({"preemption": "Never", "borrowing": "Never"})", kConstraintsOn)};
  EXPECT_THAT(keys, SizeIs(4));
  EXPECT_EQ(key("{}", "{}"), key(R"({"borrowing": "Never"})", "{}"));
}

TEST_F(Pending, IsQueuedAtOnceWhenItsLocalQueueResumes) {
  EXPECT_FALSE(Convert(R"({"status": {"conditions": [{"type": "Requeued", "status": "False",
                           "reason": "LocalQueueStopped"}]}})")
                   .is_held);
}

TEST_F(Pending, IsHeldOrBacksOff) {
  EXPECT_FALSE(Convert("{}").is_held);
  EXPECT_TRUE(
      Convert(R"({"status": {"conditions": [{"type": "Requeued", "status": "False"}]}})").is_held);
  EXPECT_EQ(
      Convert(R"({"status": {"requeueState": {"requeueAt": "2026-01-01T01:00:00Z"}}})").not_before,
      At("01:00:00"));
}

TEST_F(Pending, IsInvalidWithInvalidPodsOrAFailedCheck) {
  EXPECT_FALSE(Convert(kThreePods).is_invalid);
  EXPECT_TRUE(
      Convert(R"({"status": {"admissionChecks": [{"name": "a", "state": "Retry"}]}})").is_invalid);
  constexpr std::string_view above = R"({"spec": {"podSets": [{"name": "main", "template": {"spec":
      {"containers": [{"name": "c", "resources": {"requests": {"cpu": "2"},
                                                  "limits": {"cpu": "1"}}}]}}}]}})";
  EXPECT_TRUE(Convert(above).is_invalid);
  limits_.Add(schema::Decode<api::LimitRangeSpec>(
                  R"({"limits": [{"type": "Container", "max": {"cpu": "1"}}]})")
                  .value());
  EXPECT_TRUE(Convert(kThreePods).is_invalid);
}

// The workload waits for its namespace to be selected, not for a fix of its pods.
TEST_F(Pending, IsNotInvalidWhileItsNamespaceIsNotSelected) {
  selector_ = api::Selector();
  const engine::PendingSpec spec = Convert(R"({"spec": {"podSets": [{"name": "main", "template":
      {"spec": {"containers": [{"name": "c", "resources": {"requests": {"cpu": "2"},
                                                           "limits": {"cpu": "1"}}}]}}}]}})");
  EXPECT_TRUE(spec.has_namespace_mismatch);
  EXPECT_FALSE(spec.is_invalid);
}

// --- Reservation ---------------------------------------------------------------------------------

engine::ReservedSpec Held(std::string_view json, engine::Engine& names,
                          std::string_view configuration = "{}") {
  return ToReserved(WorkloadOf(json), engine::NodeId(1), RulesWith(configuration), names);
}

constexpr std::string_view kHolds = R"({"metadata": {"uid": "u"},
    "spec": {"podSets": [{"name": "a", "count": 2}, {"name": "b", "count": 4}]},
    "status": {
      "conditions": [{"type": "QuotaReserved", "status": "True",
                      "lastTransitionTime": "2026-01-01T01:00:00Z"},
                     {"type": "Evicted", "status": "True"}],
      "reclaimablePods": [{"name": "b", "count": 3}],
      "admission": {"clusterQueue": "q", "podSetAssignments": [
        {"name": "b", "count": 4, "flavors": {"cpu": "f"}, "resourceUsage": {"cpu": "8"}},
        {"name": "a", "flavors": {"cpu": "f"}, "resourceUsage": {"cpu": "1", "gpu": "1"}}]}}})";

TEST(AReservation, IsWhatTheStatusSays) {
  engine::Engine names{engine::EngineOptions()};
  const engine::ReservedSpec spec = Held(kHolds, names);
  EXPECT_TRUE(HoldsQuota(WorkloadOf(kHolds)));
  EXPECT_EQ(spec.reserved_at, At("01:00:00"));
  EXPECT_TRUE(spec.is_evicted);
  ASSERT_THAT(spec.pod_sets, SizeIs(2));  // in the order of the podsets
  EXPECT_EQ(spec.pod_sets[0].count, 2);
  EXPECT_THAT(spec.pod_sets[0].resources, ElementsAre(engine::ResourceAssignment{
                                              names.Resource("cpu"), names.Flavor("f"), 1000}));
}

// Written by hand: quota would grow by it.
TEST(AReservation, CountsUsageBelowZeroAsZero) {
  engine::Engine names{engine::EngineOptions()};
  const auto usage_of = [&](std::string_view usage, std::string_view count) {
    const engine::ReservedSpec spec = Held(
        R"({"spec": {"podSets": [{"name": "a", "count": 2}]},
            "status": {"reclaimablePods": [{"name": "a", "count": 1}],
              "admission": {"clusterQueue": "q", "podSetAssignments": [{"name": "a", "count": )" +
            std::string(count) + R"(, "flavors": {"cpu": "f"}, "resourceUsage": {"cpu": ")" +
            std::string(usage) + R"("}}]}}})",
        names);
    return spec.pod_sets[0].resources[0].amount;
  };
  EXPECT_EQ(usage_of("-8", "2"), 0);
  EXPECT_EQ(usage_of("-9e18", "2"), 0);
  EXPECT_EQ(usage_of("8", "-2"), 8000);
}

TEST(AReservation, ShrinksWithItsReclaimablePods) {
  engine::Engine names{engine::EngineOptions()};
  EXPECT_EQ(Held(kHolds, names).pod_sets[1].count, 1);
  EXPECT_EQ(Held(kHolds, names).pod_sets[1].resources[0].amount, 2000);
  const engine::ReservedSpec whole =
      Held(kHolds, names, R"({"featureGates": {"ReclaimablePods": false}})");
  EXPECT_EQ(whole.pod_sets[1].resources[0].amount, 8000);
}

TEST(AReservation, IsOverWhenTheWorkloadIs) {
  EXPECT_FALSE(HoldsQuota(WorkloadOf(R"({"status": {"admission": {"clusterQueue": "q"},
      "conditions": [{"type": "QuotaReserved", "status": "True"},
                     {"type": "Finished", "status": "True"}]}})")));
  EXPECT_FALSE(HoldsQuota(WorkloadOf(R"({"spec": {"active": false},
      "status": {"admission": {"clusterQueue": "q"},
                 "conditions": [{"type": "QuotaReserved", "status": "True"}]}})")));
}

}  // namespace
}  // namespace berth::workload
