#include "api/kueue/workload.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/testing/faults.h"

namespace berth::api {
namespace {

using ::testing::ElementsAre;
using testing::Faults;
using ::testing::IsEmpty;
using testing::Stored;

constexpr std::string_view kPodSets = R"("podSets":[{"name":"a","template":{}}])";
constexpr std::string_view kOneAssigned = R"("admission":{"podSetAssignments":[{"name":"a"}]})";

std::string ConditionJson(std::string_view type, std::string_view status) {
  return R"({"type":")" + std::string(type) + R"(","status":")" + std::string(status) +
         R"(","reason":"R","message":"","lastTransitionTime":"2026-01-01T00:00:00Z"})";
}

// A Workload with one pod set; `spec` and `status` are additional members.
std::string Json(std::string_view spec, std::string_view status = "") {
  std::string json = R"({"spec":{)" + std::string(kPodSets);
  if (!spec.empty()) json.append(",").append(spec);
  return json.append(R"(},"status":{)").append(status).append("}}");
}

// As above, with the condition True and a matching admission.
std::string JsonWith(std::string_view condition, std::string_view spec) {
  return Json(spec, R"("conditions":[)" + ConditionJson(condition, "True") + "]," +
                        std::string(kOneAssigned));
}
std::string Reserved(std::string_view spec) { return JsonWith("QuotaReserved", spec); }

std::string PodSetJson(std::string_view fields) {
  return R"({"spec":{"podSets":[{"name":"a","template":{})" + std::string(fields) + "}]}}";
}

std::string Class(std::string_view group, std::string_view kind, std::string_view name) {
  return R"("priority":1,"priorityClassRef":{"group":")" + std::string(group) + R"(","kind":")" +
         std::string(kind) + R"(","name":")" + std::string(name) + "\"}";
}
std::string PodClass(std::string_view name) {
  return Class("scheduling.k8s.io", "PriorityClass", name);
}
std::string QueueClass(std::string_view name) {
  return Class("kueue.x-k8s.io", "WorkloadPriorityClass", name);
}

TEST(WorkloadDefaults, AreOnePodNamedMainAndActive) {
  const auto workload = Stored<Workload>(R"({"spec":{"podSets":[{"template":{}}]}})");
  EXPECT_EQ(workload.spec.active, true);
  EXPECT_EQ(workload.spec.pod_sets[0].name, kDefaultPodSetName);
  EXPECT_EQ(workload.spec.pod_sets[0].count, 1);
}

TEST(WorkloadDefaults, LeaveZeroPodsAlone) {
  EXPECT_EQ(Stored<Workload>(PodSetJson(R"(,"count":0)")).spec.pod_sets[0].count, 0);
}

TEST(PodSets, AreAtLeastOneWithDistinctNames) {
  EXPECT_THAT(Faults<Workload>(R"({"spec":{"podSets":[]}})"),
              ElementsAre("spec.podSets: FieldValueInvalid"));
  EXPECT_THAT(Faults<Workload>(R"({"spec":{"podSets":[{"template":{}},{"template":{}}]}})"),
              ElementsAre("spec.podSets[1]: FieldValueDuplicate"));
}

TEST(PodSets, HaveDnsLabelsAsNames) {
  EXPECT_THAT(Faults<Workload>(R"({"spec":{"podSets":[{"name":"a.b","template":{}}]}})"),
              ElementsAre("spec.podSets[0].name: FieldValueInvalid"));
}

TEST(MinCount, IsPositiveAndNotAboveCount) {
  EXPECT_THAT(Faults<Workload>(PodSetJson(R"(,"count":3,"minCount":3)")), IsEmpty());
  EXPECT_THAT(Faults<Workload>(PodSetJson(R"(,"count":3,"minCount":4)")),
              ElementsAre("spec.podSets[0]: FieldValueInvalid"));
  EXPECT_THAT(Faults<Workload>(PodSetJson(R"(,"minCount":2)")),  // count defaults to 1
              ElementsAre("spec.podSets[0]: FieldValueInvalid"));
  EXPECT_THAT(Faults<Workload>(PodSetJson(R"(,"count":3,"minCount":0)")),
              ElementsAre("spec.podSets[0].minCount: FieldValueInvalid"));
}

TEST(TopologyRequest, HasPositiveSizes) {
  const std::string prefix = "spec.podSets[0].topologyRequest.";
  EXPECT_THAT(Faults<Workload>(PodSetJson(R"(,"topologyRequest":{"podSetSliceSize":0})")),
              ElementsAre(prefix + "podSetSliceSize: FieldValueInvalid"));
  EXPECT_THAT(
      Faults<Workload>(PodSetJson(R"(,"topologyRequest":{"podsetSliceRequiredTopologyConstraints":)"
                                  R"([{"topology":"rack","size":0}]})")),
      ElementsAre(prefix + "podsetSliceRequiredTopologyConstraints[0].size: FieldValueInvalid"));
}

TEST(PriorityClassRefs, MatchGroupAndKind) {
  EXPECT_THAT(Faults<Workload>(Json(PodClass("p"))), IsEmpty());
  EXPECT_THAT(Faults<Workload>(Json(QueueClass("p"))), IsEmpty());
  EXPECT_THAT(Faults<Workload>(Json(Class("kueue.x-k8s.io", "PriorityClass", "p"))),
              ElementsAre("spec.priorityClassRef: FieldValueInvalid"));
  EXPECT_THAT(Faults<Workload>(Json(Class("scheduling.k8s.io", "WorkloadPriorityClass", "p"))),
              ElementsAre("spec.priorityClassRef: FieldValueInvalid"));
  EXPECT_THAT(Faults<Workload>(Json(Class("apps", "PriorityClass", "p"))),
              ElementsAre("spec.priorityClassRef.group: FieldValueNotSupported"));
}

TEST(PriorityClassRefs, ComeWithAPriority) {
  EXPECT_THAT(Faults<Workload>(Json(R"("priorityClassRef":{"group":"kueue.x-k8s.io",)"
                                    R"("kind":"WorkloadPriorityClass","name":"p"})")),
              ElementsAre("spec: FieldValueInvalid"));
}

TEST(PriorityClassRefs, StayWhileQuotaIsReserved) {
  EXPECT_THAT(Faults<Workload>(Reserved(PodClass("q")), Json(PodClass("p"))), IsEmpty());
  EXPECT_THAT(Faults<Workload>(Reserved(PodClass("p")), Reserved(PodClass("p"))), IsEmpty());
  EXPECT_THAT(Faults<Workload>(Reserved(PodClass("q")), Reserved(PodClass("p"))),
              ElementsAre(": FieldValueInvalid"));
  EXPECT_THAT(Faults<Workload>(Reserved(""), Reserved(PodClass("p"))),
              ElementsAre(": FieldValueInvalid"));
  EXPECT_THAT(Faults<Workload>(Reserved(PodClass("p")), Reserved("")),
              ElementsAre(": FieldValueInvalid"));
  EXPECT_THAT(Faults<Workload>(Reserved(QueueClass("p")), Reserved(PodClass("p"))),
              ElementsAre(": FieldValueInvalid", ": FieldValueInvalid"));  // group and kind
}

TEST(PriorityClassRefs, MayNameAnotherWorkloadPriorityClassAtAnyTime) {
  EXPECT_THAT(Faults<Workload>(Reserved(QueueClass("q")), Reserved(QueueClass("p"))), IsEmpty());
}

TEST(QueueName, StaysWhileQuotaIsReserved) {
  const std::string_view a = R"("queueName":"a")";
  const std::string_view b = R"("queueName":"b")";
  EXPECT_THAT(Faults<Workload>(Json(b), Json(a)), IsEmpty());
  EXPECT_THAT(Faults<Workload>(Json(b), Reserved(a)), IsEmpty());  // released in the same update
  EXPECT_THAT(Faults<Workload>(Reserved(b), Reserved(a)), ElementsAre(": FieldValueInvalid"));
  EXPECT_THAT(Faults<Workload>(Reserved(""), Reserved(a)), ElementsAre(": FieldValueInvalid"));
  EXPECT_THAT(Faults<Workload>(Reserved(a), Reserved(a)), IsEmpty());
}

TEST(MaximumExecutionTime, StaysWhileAdmitted) {
  const std::string_view five = R"("maximumExecutionTimeSeconds":5)";
  EXPECT_THAT(Faults<Workload>(Json("", ""), Json(five)), IsEmpty());
  EXPECT_THAT(Faults<Workload>(JsonWith("Admitted", five), JsonWith("Admitted", five)), IsEmpty());
  EXPECT_THAT(Faults<Workload>(JsonWith("Admitted", ""), JsonWith("Admitted", five)),
              ElementsAre(": FieldValueInvalid"));
  EXPECT_THAT(Faults<Workload>(Json(R"("maximumExecutionTimeSeconds":0)")),
              ElementsAre("spec.maximumExecutionTimeSeconds: FieldValueInvalid"));
}

TEST(AdmissionConstraintsField, KnowsOnlyNever) {
  EXPECT_THAT(Faults<Workload>(
                  Json(R"("admissionConstraints":{"preemption":"Never","borrowing":"Never"})")),
              IsEmpty());
  EXPECT_THAT(Faults<Workload>(Json(R"("admissionConstraints":{"preemption":"Always"})")),
              ElementsAre("spec.admissionConstraints.preemption: FieldValueNotSupported"));
}

TEST(AdmissionConstraintsField, StaysWhileQuotaIsReserved) {
  const std::string_view never = R"("admissionConstraints":{"borrowing":"Never"})";
  const std::string_view other = R"("admissionConstraints":{"preemption":"Never"})";
  EXPECT_THAT(Faults<Workload>(Json(never), Json("")), IsEmpty());
  EXPECT_THAT(Faults<Workload>(Reserved(never), Reserved(never)), IsEmpty());
  EXPECT_THAT(Faults<Workload>(Reserved(never), Reserved("")), ElementsAre(": FieldValueInvalid"));
  EXPECT_THAT(Faults<Workload>(Reserved(never), Reserved(other)),
              ElementsAre(": FieldValueInvalid"));
}

TEST(Admission, AssignsEveryPodSet) {
  const std::string reserved = R"("conditions":[)" + ConditionJson("QuotaReserved", "True") + "]";
  const std::string lost = R"("conditions":[)" + ConditionJson("QuotaReserved", "False") + "]";
  const std::string none = R"(,"admission":{"podSetAssignments":[]})";
  EXPECT_THAT(Faults<Workload>(Json("", reserved + "," + std::string(kOneAssigned))), IsEmpty());
  EXPECT_THAT(Faults<Workload>(Json("", reserved)), IsEmpty());
  EXPECT_THAT(Faults<Workload>(Json("", lost + none)), IsEmpty());
  EXPECT_THAT(Faults<Workload>(Json("", reserved + none)), ElementsAre(": FieldValueInvalid"));
}

TEST(ClusterName, StaysAndEndsTheNomination) {
  const std::string a = Json("", R"("clusterName":"a")");
  const std::string b = Json("", R"("clusterName":"b")");
  EXPECT_THAT(Faults<Workload>(a, Json("")), IsEmpty());
  EXPECT_THAT(Faults<Workload>(Json(""), a), IsEmpty());
  EXPECT_THAT(Faults<Workload>(b, a), ElementsAre("status: FieldValueInvalid"));
  EXPECT_THAT(Faults<Workload>(Json("", R"("clusterName":"a","nominatedClusterNames":["b"])")),
              ElementsAre("status: FieldValueInvalid"));
}

TEST(WorkloadConditions, AreWellFormedAndOfDistinctTypes) {
  const std::string a = ConditionJson("A", "True");
  EXPECT_THAT(Faults<Workload>(Json("", R"("conditions":[)" + a + "," + a + "]")),
              ElementsAre("status.conditions[1]: FieldValueDuplicate"));
  EXPECT_THAT(Faults<Workload>(Json("", R"("conditions":[)" + ConditionJson("A", "Yes") + "]")),
              ElementsAre("status.conditions[0].status: FieldValueNotSupported"));
  EXPECT_THAT(Faults<Workload>(Json("", R"("admissionChecks":[{"name":"c","state":"Ready"}])")),
              ElementsAre("status.admissionChecks[0].lastTransitionTime: FieldValueRequired"));
}

}  // namespace
}  // namespace berth::api
