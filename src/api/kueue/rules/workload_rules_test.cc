#include "api/kueue/rules/workload_rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/kueue/rules/admission_constraint_rules.h"
#include "api/testing/rule_cases.h"

namespace berth::api {
namespace {

using testing::Case;
using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using testing::FaultsOf;
using ::testing::IsEmpty;
using testing::Read;
using ::testing::SizeIs;

constexpr const char* kReserved =
    "{'type':'QuotaReserved','status':'True','reason':'QuotaReserved','message':'',"
    "'lastTransitionTime':'2026-01-01T00:00:00Z'}";

std::vector<std::string> Faults(const Workload& workload, const Workload* old = nullptr,
                                const ValidationOptions& options = {}) {
  const schema::Problems problems = ValidateWorkload(workload, old, options);
  for (const schema::Problem& problem : problems) {
    EXPECT_TRUE(testing::SaysWhatToWrite(problem)) << schema::ToString(problem);
  }
  return FaultsOf(problems);
}

std::vector<std::string> Faults(const std::string& object) {
  return Faults(Read<Workload>(object));
}

class WorkloadRule : public ::testing::TestWithParam<Case> {};

TEST_P(WorkloadRule, Holds) {
  EXPECT_THAT(Faults(GetParam().object), ElementsAreArray(GetParam().faults)) << GetParam().rule;
}

INSTANTIATE_TEST_SUITE_P(
    AtCreation, WorkloadRule,
    ::testing::Values(
        Case{"a plain workload is accepted",
             "{'spec':{'podSets':[{'name':'main','count':3,'template':{'spec':{'containers':"
             "[{'name':'c','resources':{'requests':{'cpu':'1'}}}]}}}]}}",
             {}},
        Case{"pods are counted, not asked for",
             "{'spec':{'podSets':[{'template':{'spec':{'containers':[{'resources':{'limits':"
             "{'pods':1}}}],'initContainers':[{'resources':{'requests':{'pods':1}}}]}}}]}}",
             {"spec.podSets[0].template.spec.initContainers[0].resources.requests[pods]: Invalid",
              "spec.podSets[0].template.spec.containers[0].resources.limits[pods]: Invalid"}},
        Case{"requests are not negative",
             "{'spec':{'podSets':[{'template':{'spec':{'resources':{'requests':{'cpu':'-1'}}}}}]}}",
             {"spec.podSets[0].template.spec.resources.requests[cpu]: Invalid"}},
        Case{"a template has proper labels and annotations",
             "{'spec':{'podSets':[{'template':{'metadata':{'labels':{'a b':''},"
             "'annotations':{'UPPER':'','c d':''}}}}]}}",
             {"spec.podSets[0].template.metadata.labels: Invalid",
              "spec.podSets[0].template.metadata.annotations: Invalid"}},
        Case{"one pod set may shrink",
             "{'spec':{'podSets':[{'minCount':1},{'minCount':1}]}}",
             {"spec.podSets: Invalid"}},
        Case{"elastic jobs are not admitted in part",
             "{'metadata':{'annotations':{'kueue.x-k8s.io/elastic-job':'true'}},"
             "'spec':{'podSets':[{'minCount':1}]}}",
             {"spec.podSets: Invalid"}},
        Case{"a slice has a size",
             "{'spec':{'podSets':[{'topologyRequest':{'podSetSliceRequiredTopology':'rack'}},"
             "{'topologyRequest':{'podSetSliceRequiredTopology':'rack','podSetSliceSize':0}},"
             "{'topologyRequest':{'podSetSliceSize':2}},"
             "{'topologyRequest':{'podsetSliceRequiredTopologyConstraints':[{'size':0}]}}]}}",
             {"spec.podSets[0].topologyRequest.podSetSliceSize: Required",
              "spec.podSets[1].topologyRequest.podSetSliceSize: Invalid",
              "spec.podSets[2].topologyRequest.podSetSliceSize: Forbidden",
              "spec.podSets[3].topologyRequest.podsetSliceRequiredTopologyConstraints[0].size: "
              "Invalid"}},
        Case{"a group has a leader and its workers",
             "{'spec':{'podSets':[{'count':1,'topologyRequest':{'podSetGroupName':'a'}},"
             "{'count':4,'topologyRequest':{'podSetGroupName':'a'}}]}}",
             {}},
        Case{"a group has two pod sets, one of them with one pod",
             "{'spec':{'podSets':[{'count':2,'topologyRequest':{'podSetGroupName':'a'}},"
             "{'count':3,'topologyRequest':{'podSetGroupName':'a'}},"
             "{'count':1,'topologyRequest':{'podSetGroupName':'b'}},"
             "{'count':1,'topologyRequest':{'podSetGroupName':'b'}},"
             "{'count':1,'topologyRequest':{'podSetGroupName':'b'}}]}}",
             {"spec.podSets[0].topologyRequest.podSetGroupName: Invalid",
              "spec.podSets[1].topologyRequest.podSetGroupName: Invalid",
              "spec.podSets[2].topologyRequest.podSetGroupName: Invalid",
              "spec.podSets[3].topologyRequest.podSetGroupName: Invalid",
              "spec.podSets[4].topologyRequest.podSetGroupName: Invalid"}},
        Case{"conditions are complete",
             "{'status':{'conditions':[{'type':'A','status':'Maybe','reason':'not one word'},"
             "{'type':'A','status':'True','lastTransitionTime':'0001-01-01T00:00:00Z'}]}}",
             {"status.conditions[0].status: NotSupported",
              "status.conditions[0].lastTransitionTime: Required",
              "status.conditions[0].reason: Invalid", "status.conditions[1].type: Duplicate",
              "status.conditions[1].lastTransitionTime: Required",
              "status.conditions[1].reason: Required"}},
        Case{"reclaimable pods are pods of a set",
             "{'spec':{'podSets':[{'name':'main','count':2}]},'status':{'reclaimablePods':"
             "[{'name':'main','count':3},{'name':'other','count':1}]}}",
             {"status.reclaimablePods[main].count: Invalid",
              "status.reclaimablePods[other].name: NotSupported"}},
        Case{"checks update pod sets with proper values",
             "{'spec':{'podSets':[{'name':'main'}]},'status':{'admissionChecks':[{'name':'c',"
             "'podSetUpdates':[{'name':'other','labels':{'a b':''},'annotations':{'a b':''},"
             "'nodeSelector':{'a b':''},'tolerations':[{'key':'a b'}]}]}]}}",
             {"status.admissionChecks[0].podSetUpdates[0].name: NotSupported",
              "status.admissionChecks[0].podSetUpdates[0].tolerations[0].key: Invalid",
              "status.admissionChecks[0].podSetUpdates[0].annotations: Invalid",
              "status.admissionChecks[0].podSetUpdates[0].nodeSelector: Invalid",
              "status.admissionChecks[0].podSetUpdates[0].labels: Invalid"}},
        Case{"admission gates are domains with paths, each once",
             "{'metadata':{'annotations':{'kueue.x-k8s.io/admission-gated-by':"
             "'x.com/a, x.com/a,,plain'}}}",
             {"metadata.annotations[kueue.x-k8s.io/admission-gated-by]: Invalid",
              "metadata.annotations[kueue.x-k8s.io/admission-gated-by]: Invalid",
              "metadata.annotations[kueue.x-k8s.io/admission-gated-by]: Invalid"}}));

// Otherwise it could not be finished.
TEST(WorkloadGroups, OfAStoredWorkloadDoNotKeepItFromBeingWritten) {
  const Workload stored = Read<Workload>(
      "{'spec':{'podSets':[{'count':2,'topologyRequest':{'podSetGroupName':'a'}},"
      "{'count':3,'topologyRequest':{'podSetGroupName':'a'}}]}}");
  EXPECT_THAT(Faults(stored), SizeIs(2));
  EXPECT_THAT(Faults(stored, &stored), IsEmpty());
}

// A Workload of three pods with a quota reservation; `status` and `metadata` are additional
// members.
Workload Reserved(const std::string& status = "", int count = 3, const std::string& metadata = "") {
  return Read<Workload>("{'metadata':{" + metadata +
                        "},'spec':{'podSets':[{'name':'main','count':" + std::to_string(count) +
                        "}]},'status':{'conditions':[" + kReserved +
                        "],'admission':{'clusterQueue':'q','podSetAssignments':[{'name':'main',"
                        "'count':3,'resourceUsage':{'cpu':'3'}}]}" +
                        status + "}}");
}

TEST(QuotaReservation, NeedsAnAdmissionUnlessStoredWithoutOne) {
  Workload workload = Reserved();
  workload.status.admission.reset();
  EXPECT_THAT(Faults(workload), ElementsAre("status.admission: Required"));
  EXPECT_THAT(Faults(workload, &workload), IsEmpty());
}

TEST(QuotaReservation, NamesPodSetsAndDividesByTheirPods) {
  Workload workload = Reserved();
  workload.status.admission->pod_set_assignments[0].name = "other";
  workload.status.admission->pod_set_assignments[0].count = 7;
  EXPECT_THAT(Faults(workload),
              ElementsAre("status.admission.podSetAssignments[0].name: NotFound",
                          "status.admission.podSetAssignments[0].resourceUsage[cpu]: Invalid"));
}

// The queue could exceed its quota by it.
TEST(QuotaReservation, UsesNothingBelowZeroUnlessStored) {
  Workload workload = Reserved();
  workload.status.admission->pod_set_assignments[0].resource_usage.Set(
      "cpu", quantity::Quantity::FromInt(-3));
  EXPECT_THAT(Faults(workload),
              ElementsAre("status.admission.podSetAssignments[0].resourceUsage[cpu]: Invalid"));
  EXPECT_THAT(Faults(workload, &workload), IsEmpty());
}

TEST(ReservedWorkload, KeepsItsPodSets) {
  const Workload old = Reserved();
  Workload renamed = Reserved();
  renamed.spec.pod_sets[0].template_.spec.containers.emplace_back();
  EXPECT_THAT(Faults(renamed, &old), ElementsAre("spec.podSets.0: Invalid"));
  Workload added = Reserved();
  added.spec.pod_sets.push_back(added.spec.pod_sets[0]);
  EXPECT_THAT(Faults(added, &old), ElementsAre("spec.podSets: Invalid"));
}

TEST(ReservedWorkload, MayLosePodsButNotGainThem) {
  const Workload old = Reserved();
  EXPECT_THAT(Faults(Reserved("", 2), &old), IsEmpty());
  EXPECT_THAT(Faults(Reserved("", 4), &old), ElementsAre("spec.podSets.0: Invalid"));
  ValidationOptions without_slices;
  without_slices.gates.Set(Gate::kElasticJobsViaWorkloadSlices, false);
  EXPECT_THAT(Faults(Reserved("", 2), &old, without_slices),
              ElementsAre("spec.podSets.0: Invalid"));
}

TEST(ReservedWorkload, KeepsItsAdmissionExceptForPlaces) {
  const Workload old = Reserved();
  Workload moved = Reserved();
  moved.status.admission->cluster_queue = "r";
  EXPECT_THAT(Faults(moved, &old), ElementsAre("status.admission: Invalid"));
  Workload placed = Reserved();
  placed.status.admission->pod_set_assignments[0].topology_assignment.emplace();
  EXPECT_THAT(Faults(placed, &old), IsEmpty());
}

TEST(ReservedWorkload, NeverShrinksReclaimablePods) {
  const Workload old = Reserved(",'reclaimablePods':[{'name':'main','count':2}]");
  EXPECT_THAT(Faults(Reserved(",'reclaimablePods':[{'name':'main','count':3}]"), &old), IsEmpty());
  EXPECT_THAT(Faults(Reserved(",'reclaimablePods':[{'name':'main','count':1}]"), &old),
              ElementsAre("status.reclaimablePods[main].count: Invalid"));
  EXPECT_THAT(Faults(Reserved(), &old), ElementsAre("status.reclaimablePods[main]: Required"));
}

TEST(ElasticWorkload, MayKeepOrDropReclaimablePodsWhenItShrinks) {
  const std::string elastic = "'annotations':{'kueue.x-k8s.io/elastic-job':'true'}";
  const std::string two = ",'reclaimablePods':[{'name':'main','count':2}]";
  const Workload old = Reserved(two, 3, elastic);
  EXPECT_THAT(Faults(Reserved(two, 1, elastic), &old), IsEmpty());
  EXPECT_THAT(Faults(Reserved("", 1, elastic), &old), IsEmpty());
}

TEST(ReadyCheck, KeepsItsPodSetUpdates) {
  const std::string ready = ",'admissionChecks':[{'name':'c','state':'Ready','podSetUpdates':[";
  const Workload old = Reserved(ready + "]}]");
  EXPECT_THAT(Faults(Reserved(ready + "{'name':'main'}]}]"), &old),
              ElementsAre("status.admissionChecks[0].podSetUpdates: Invalid"));
}

TEST(ClusterName, IsOneOfTheNominated) {
  const Workload old = Read<Workload>("{'status':{'nominatedClusterNames':['a']}}");
  const Workload to_a = Read<Workload>("{'status':{'clusterName':'a'}}");
  const Workload to_b = Read<Workload>("{'status':{'clusterName':'b'}}");
  EXPECT_THAT(Faults(to_a, &old), IsEmpty());
  EXPECT_THAT(Faults(to_b, &old), ElementsAre("status.clusterName: Invalid"));
  EXPECT_THAT(Faults(to_b, &to_b), IsEmpty());
}

TEST(AdmissionGates, OpenOnly) {
  const auto gated = [](const std::string& gates) {
    return Read<Workload>("{'metadata':{'annotations':{'kueue.x-k8s.io/admission-gated-by':'" +
                          gates + "'}}}");
  };
  const std::string field = "metadata.annotations[kueue.x-k8s.io/admission-gated-by]";
  const Workload both = gated("x.com/a,x.com/b"), one = gated("x.com/a"), none = gated("");
  EXPECT_THAT(Faults(one, &both), IsEmpty());
  EXPECT_THAT(Faults(both, &one), ElementsAre(field + ": Forbidden"));
  EXPECT_THAT(Faults(one, &none), ElementsAre(field + ": Forbidden"));
}

TEST(PriorityBoost, IsAWholeNumberWhereItsGateIsOn) {
  const Workload workload =
      Read<Workload>("{'metadata':{'annotations':{'kueue.x-k8s.io/priority-boost':'1.5'}}}");
  ValidationOptions on;
  on.gates.Set(Gate::kPriorityBoost, true);
  EXPECT_THAT(Faults(workload), IsEmpty());
  EXPECT_THAT(Faults(workload, nullptr, on),
              ElementsAre("metadata.annotations[kueue.x-k8s.io/priority-boost]: Invalid"));
}

// --- Constraints on admission -------------------------------------------------------------------

using Annotations = base::FlatMap<std::string>;

ValidationOptions Constrained() {
  ValidationOptions options;
  options.gates.Set(Gate::kWorkloadAdmissionConstraints, true);
  return options;
}

std::string CannotPreempt(const std::string& value) {
  return "'annotations':{'kueue.x-k8s.io/cannot-preempt':'" + value + "'}";
}

TEST(AdmissionConstraints, AreTrueOrFalse) {
  for (const char* value : {"true", "false"}) {
    EXPECT_THAT(Faults(Reserved("", 3, CannotPreempt(value)), nullptr, Constrained()), IsEmpty());
  }
  for (const char* value : {"", "True", "yes", "1"}) {
    const Workload workload = Reserved("", 3, CannotPreempt(value));
    EXPECT_THAT(Faults(workload, nullptr, Constrained()),
                ElementsAre("metadata.annotations[kueue.x-k8s.io/cannot-preempt]: NotSupported"));
    EXPECT_THAT(Faults(workload), IsEmpty()) << "while the gate is off";
  }
}

TEST(AdmissionConstraints, AgreeInAnnotationAndField) {
  Workload workload = Reserved("", 3, CannotPreempt("false"));
  workload.spec.admission_constraints = AdmissionConstraints{.preemption = "Never"};
  EXPECT_THAT(Faults(workload, nullptr, Constrained()),
              ElementsAre("spec.admissionConstraints.preemption: Invalid"));
  workload.spec.admission_constraints = AdmissionConstraints{.borrowing = "Never"};
  EXPECT_THAT(Faults(workload, nullptr, Constrained()), IsEmpty());
}

TEST(AdmissionConstraints, StayWhileQuotaIsReserved) {
  const Workload old = Reserved("", 3, CannotPreempt("true"));
  const Workload now = Reserved();
  EXPECT_THAT(Faults(now, &old, Constrained()),
              ElementsAre("metadata.annotations[kueue.x-k8s.io/cannot-preempt]: Invalid"));
  EXPECT_THAT(Faults(now, &old), IsEmpty()) << "while the gate is off";
  Workload pending = old;
  pending.status = {};
  EXPECT_THAT(Faults(now, &pending, Constrained()), IsEmpty());
}

TEST(AdmissionConstraints, OfAnnotationsBecomeTheField) {
  EXPECT_EQ(ConstraintsOf(Annotations{}), std::nullopt);
  EXPECT_EQ(ConstraintsOf(Annotations{{"kueue.x-k8s.io/cannot-borrow", "false"}}), std::nullopt);
  EXPECT_EQ(ConstraintsOf(Annotations{{"kueue.x-k8s.io/cannot-borrow", "true"}}),
            AdmissionConstraints{.borrowing = "Never"});
  EXPECT_EQ(ConstraintsOf(Annotations{{"kueue.x-k8s.io/cannot-borrow", "true"},
                                      {"kueue.x-k8s.io/cannot-preempt", "true"}}),
            (AdmissionConstraints{.preemption = "Never", .borrowing = "Never"}));
}

TEST(AdmissionConstraints, OfAWorkloadAreThoseOfAnnotationsAndField) {
  Workload workload = Reserved("", 3, CannotPreempt("true"));
  EXPECT_EQ(ConstraintsOf(workload), AdmissionConstraints{.preemption = "Never"});
  workload.spec.admission_constraints = AdmissionConstraints{.borrowing = "Never"};
  EXPECT_EQ(ConstraintsOf(workload),
            (AdmissionConstraints{.preemption = "Never", .borrowing = "Never"}));
  EXPECT_EQ(ConstraintsOf(Reserved("", 3, CannotPreempt("false"))), std::nullopt);
}

TEST(AdmissionConstraints, OfAJobAreCopiedToItsWorkload) {
  Workload workload = Reserved("", 3, CannotPreempt("true"));
  workload.metadata.annotations.Set("example.com/other", "stays");
  CopyConstraints({{"kueue.x-k8s.io/cannot-borrow", "true"}, {"example.com/mine", "not copied"}},
                  workload);
  EXPECT_EQ(workload.spec.admission_constraints, AdmissionConstraints{.borrowing = "Never"});
  EXPECT_EQ(workload.metadata.annotations, (Annotations{{"example.com/other", "stays"},
                                                        {"kueue.x-k8s.io/cannot-borrow", "true"}}));
  CopyConstraints({}, workload);
  EXPECT_EQ(workload.spec.admission_constraints, std::nullopt);
}

// Problems of a group of pods with these values of cannot-borrow; "" is absent.
std::vector<std::string> FaultsOfGroup(const std::vector<std::string>& values) {
  std::vector<Annotations> annotations(values.size());
  std::vector<ConstrainedPod> pods;
  for (size_t i = 0; i < values.size(); ++i) {
    if (!values[i].empty()) annotations[i].Set("kueue.x-k8s.io/cannot-borrow", values[i]);
    pods.push_back({.name = "p", .annotations = &annotations[i]});
  }
  ProblemReport report;
  ValidateGroupConstraints(pods, report);
  return FaultsOf(std::move(report).Take());
}

TEST(AdmissionConstraints, AgreeInAPodGroup) {
  EXPECT_THAT(FaultsOfGroup({}), IsEmpty());
  EXPECT_THAT(FaultsOfGroup({"true", "true"}), IsEmpty());
  EXPECT_THAT(FaultsOfGroup({"", "false", ""}), IsEmpty());
  for (const std::vector<std::string>& values :
       std::vector<std::vector<std::string>>{{"true", ""}, {"", "", "true"}, {"false", "true"}}) {
    EXPECT_THAT(FaultsOfGroup(values),
                ElementsAre("metadata.annotations[kueue.x-k8s.io/cannot-borrow]: Invalid"));
  }
}

TEST(AdmissionConstraints, WarnWhileTheirGateIsOff) {
  const Workload workload = Reserved("", 3, CannotPreempt("true"));
  EXPECT_THAT(FaultsOf(WarningsForWorkload(workload, {})),
              ElementsAre("spec.admissionConstraints: Invalid"));
  EXPECT_THAT(WarningsForWorkload(workload, Constrained()), IsEmpty());
}

std::string PlacedPods(int pods) {
  return "{'spec':{'podSets':[{'name':'main','count':3,'template':{'spec':{'containers':[{'name':"
         "'c'}]}}}]},'status':{'conditions':[" +
         std::string(kReserved) +
         "],'admission':{'clusterQueue':'q','podSetAssignments':[{'name':'main','count':3,"
         "'topologyAssignment':{'levels':['kubernetes.io/hostname'],'slices':[{'domainCount':1,"
         "'valuesPerLevel':[{'universal':'n1'}],'podCounts':{'universal':" +
         std::to_string(pods) + "}}]}}]}}}";
}

TEST(WorkloadPlaces, AreNotMoreThanPods) {
  EXPECT_THAT(Faults(PlacedPods(3)), IsEmpty());
  EXPECT_THAT(Faults(PlacedPods(4)),
              ElementsAre("status.admission.podSetAssignments[0].topologyAssignment: Invalid"));
  const auto stored = Read<Workload>(PlacedPods(4));
  EXPECT_THAT(Faults(stored, &stored), IsEmpty());
}

TEST(WorkloadUsage, OfASharedClaimMayBeIndivisibleIfFewerPodsAreAdmitted) {
  const auto faults = [](std::string_view claims, int count, bool counts_devices) {
    ValidationOptions options;
    if (counts_devices) options.gates.Set(Gate::kKueueDynamicResourceAllocation, true);
    return Faults(
        Read<Workload>("{'metadata':{'name':'w'},'spec':{'podSets':[{'name':'main','count':9,"
                       "'template':{'spec':{'containers':[{'name':'c'}]," +
                       std::string(claims) + "}}}]},'status':{'conditions':[" + kReserved +
                       "],'admission':{'clusterQueue':'q','podSetAssignments':[{'name':'main',"
                       "'resourceUsage':{'gpus':'2'},'count':" +
                       std::to_string(count) + "}]}}}"),
        nullptr, options);
  };
  const std::string shared = "'resourceClaims':[{'name':'g','resourceClaimName':'pool'}]";
  EXPECT_THAT(faults(shared, 3, true), IsEmpty());
  EXPECT_THAT(faults(shared, 3, false), ::testing::SizeIs(1));
  EXPECT_THAT(faults(shared, 9, true), ::testing::SizeIs(1));
  EXPECT_THAT(faults("'resourceClaims':[]", 3, true), ::testing::SizeIs(1));
}

}  // namespace
}  // namespace berth::api
