#include "control/reconcile/pod_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/kueue/well_known.h"
#include "api/meta/conditions.h"
#include "jobs/pods/pod_group.h"
#include "schema/decode.h"
#include "schema/encode.h"
#include "workload/status_changes.h"

namespace berth::control {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr base::Time kPodsNow = base::Time::FromSeconds(1'000'000);

struct PodText {
  std::string name;
  std::string phase = "Pending";
  std::string group = "g";
  int total = 2;
  std::string cpu = "1";
  bool is_gated = true;
  bool is_going = false;
  std::string annotations = "";  // more of them, `"a":"b",`
};

KnownPod MakePod(const PodText& text) {
  std::string json = R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":")" + text.name +
                     R"(","namespace":"ns","uid":"uid-)" + text.name + R"(",)";
  if (text.is_going) json += R"("deletionTimestamp":"2026-01-01T00:00:00Z",)";
  json += R"("labels":{"kueue.x-k8s.io/managed":"true","kueue.x-k8s.io/queue-name":"lq")";
  if (!text.group.empty()) json += R"(,"kueue.x-k8s.io/pod-group-name":")" + text.group + "\"";
  json += R"(},"annotations":{)" + text.annotations +
          R"("kueue.x-k8s.io/pod-group-total-count":")" + std::to_string(text.total) +
          R"("},"finalizers":["kueue.x-k8s.io/managed"]},"spec":{)";
  if (text.is_gated)
    json += R"("schedulingGates":[{"name":"kueue.x-k8s.io/admission"}],)";
  else
    json += R"("nodeName":"n",)";
  json += R"("containers":[{"name":"c","resources":{"requests":{"cpu":")" + text.cpu +
          R"("}}}]},"status":{"phase":")" + text.phase + R"("}})";
  return {.pod = *schema::Decode<api::Pod>(json), .tree = *json::Parse(json)};
}

std::string Describe(const PodAction& action) {
  const auto part = [](const ChangeWorkload& change) {
    return change.part == ChangeWorkload::Part::kStatus ? "status"
           : change.part == ChangeWorkload::Part::kSpec ? "spec"
                                                        : "metadata";
  };
  struct Names {
    decltype(part)& part_of;
    std::string operator()(const CreateWorkload& a) { return "create " + a.workload.metadata.name; }
    std::string operator()(const ChangeWorkload& a) { return std::string("write ") + part_of(a); }
    std::string operator()(const DeleteWorkload& a) { return "delete workload " + a.name; }
    std::string operator()(const WritePod& a) { return "write pod " + a.pod; }
    std::string operator()(const RemovePodFinalizer& a) { return "let go " + a.pod; }
    std::string operator()(const StopPod& a) { return "stop " + a.pod + " " + a.reason; }
    std::string operator()(const DeletePod& a) { return "delete " + a.pod; }
  };
  return std::visit(Names{part}, action);
}

class PodLife : public ::testing::Test {
 protected:
  PodLife() { context_.priorities = &priorities_; }

  // Plans, and takes over what is done to the Workload.
  std::vector<std::string> Plan() {
    context_.workloads.clear();
    if (workload_) context_.workloads.push_back(&*workload_);
    plan_ = PlanPods(unit_, context_, policy_, kPodsNow);
    std::vector<std::string> done;
    std::optional<api::Workload> after = workload_;
    for (const PodAction& action : plan_.actions) {
      done.push_back(Describe(action));
      if (const auto* created = std::get_if<CreateWorkload>(&action)) after = created->workload;
      if (const auto* changed = std::get_if<ChangeWorkload>(&action)) after = changed->workload;
    }
    workload_ = after;
    if (workload_) workload_->metadata.uid = "w";
    return done;
  }
  std::vector<std::string> Reasons() const {
    std::vector<std::string> reasons;
    for (const PodEvent& event : plan_.events)
      reasons.push_back(event.pod + " " + event.event.reason);
    return reasons;
  }
  void Admit() {
    api::Admission admission{.cluster_queue = "cq"};
    for (const api::PodSet& set : workload_->spec.pod_sets)
      admission.pod_set_assignments.push_back({.name = set.name, .count = set.count});
    workload::MarkReserved(*workload_, admission, kPodsNow);
    workload::SyncAdmitted(*workload_, kPodsNow);
  }
  std::string ReasonOf(std::string_view type) const {
    const api::Condition* c = api::FindCondition(workload_->status.conditions, type);
    return c == nullptr ? "" : c->status + " " + c->reason;
  }
  void Run(std::initializer_list<PodText> pods) {
    unit_.pods.clear();
    for (const PodText& pod : pods) unit_.pods.push_back(MakePod(pod));
  }

  PodUnit unit_{.group = "g", .pods = {}};
  jobs::PriorityTable priorities_;
  PodContext context_;
  JobPolicy policy_;
  std::optional<api::Workload> workload_;
  PodPlan plan_;
};

using PodGroupLife = PodLife;

TEST_F(PodGroupLife, WaitsUntilAllPodsAreThere) {
  Run({{.name = "a"}});
  EXPECT_THAT(Plan(), IsEmpty());
  EXPECT_THAT(Reasons(), ElementsAre("a ErrWorkloadCompose"));
}

TEST_F(PodGroupLife, HasOneWorkloadOfItsNameThatAllPodsOwn) {
  Run({{.name = "a"}, {.name = "b"}});
  EXPECT_THAT(Plan(), ElementsAre("create g"));
  EXPECT_EQ(workload_->metadata.owner_references.size(), 2u);
  ASSERT_EQ(workload_->spec.pod_sets.size(), 1u);
  EXPECT_EQ(workload_->spec.pod_sets[0].count, 2);
}

TEST_F(PodGroupLife, IsAdmittedBeforeItIsCompleteIfItSaysSo) {
  Run({{.name = "a", .annotations = R"("kueue.x-k8s.io/pod-group-fast-admission":"true",)"}});
  EXPECT_THAT(Plan(), ElementsAre("create g"));
  EXPECT_EQ(workload_->spec.pod_sets[0].count, 2);
}

TEST_F(PodGroupLife, PodsThatCameLaterOwnTheWorkloadToo) {
  Run({{.name = "a"}, {.name = "b"}});
  Plan();
  workload_->metadata.owner_references.pop_back();
  EXPECT_THAT(Plan(), ElementsAre("write metadata"));
  EXPECT_EQ(workload_->metadata.owner_references.size(), 2u);
}

TEST_F(PodGroupLife, AllPodsStartOnceItIsAdmitted) {
  Run({{.name = "a"}, {.name = "b"}});
  Plan();
  EXPECT_THAT(Plan(), IsEmpty());
  Admit();
  EXPECT_THAT(Plan(), ElementsAre("write pod a", "write pod b"));
  EXPECT_THAT(Reasons(), ElementsAre("a Started", "b Started"));
  const auto& started = std::get<WritePod>(plan_.actions[0]).object;
  EXPECT_EQ(json::Find(started, {"spec", "schedulingGates"}), nullptr);
}

TEST_F(PodGroupLife, ExcessPodsAreDeletedTheYoungestFirst) {
  Run({{.name = "a"}, {.name = "b"}});
  Plan();
  Run({{.name = "a"}, {.name = "b"}, {.name = "c"}});
  EXPECT_THAT(Plan(), ElementsAre("let go c", "delete c"));
  EXPECT_THAT(Reasons(), ElementsAre("c ExcessPodDeleted"));
}

TEST_F(PodGroupLife, AFailedPodIsKeptUntilAnotherTakesItsPlace) {
  Run({{.name = "a"}, {.name = "b"}});
  Plan();
  Admit();
  Run({{.name = "a", .phase = "Running", .is_gated = false},
       {.name = "b", .phase = "Failed", .is_gated = false}});
  EXPECT_THAT(Plan(), ElementsAre("write status"));
  EXPECT_EQ(ReasonOf(api::condition::kWaitingForReplacementPods), "True PodsFailed");
  EXPECT_THAT(Plan(), IsEmpty());

  unit_.pods.push_back(MakePod({.name = "c"}));
  EXPECT_THAT(Plan(), ElementsAre("write metadata", "let go b"));
  unit_.pods[1].pod.metadata.finalizers.clear();
  Plan();
  EXPECT_EQ(ReasonOf(api::condition::kWaitingForReplacementPods), "False PodsReady");
  EXPECT_THAT(Plan(), ElementsAre("write pod c"));
}

TEST_F(PodGroupLife, SucceededPodsGiveTheirQuotaBack) {
  Run({{.name = "a"}, {.name = "b"}});
  Plan();
  Admit();
  Run({{.name = "a", .phase = "Running", .is_gated = false},
       {.name = "b", .phase = "Succeeded", .is_gated = false}});
  EXPECT_THAT(Plan(), ElementsAre("write status"));
  ASSERT_EQ(workload_->status.reclaimable_pods.size(), 1u);
  EXPECT_EQ(workload_->status.reclaimable_pods[0].count, 1);
}

TEST_F(PodGroupLife, IsFinishedWhenAllPodsSucceeded) {
  Run({{.name = "a"}, {.name = "b"}});
  Plan();
  Admit();
  Run({{.name = "a", .phase = "Succeeded", .is_gated = false},
       {.name = "b", .phase = "Succeeded", .is_gated = false}});
  EXPECT_THAT(Plan(), ElementsAre("write status", "let go a", "let go b"));
  EXPECT_EQ(ReasonOf(api::condition::kFinished), "True Succeeded");
  EXPECT_THAT(Plan(), ElementsAre("let go a", "let go b", "write metadata"));
  EXPECT_THAT(workload_->metadata.finalizers, IsEmpty());
}

TEST_F(PodGroupLife, ThatIsNotRetriedIsFinishedWhenNoneRuns) {
  const std::string final = R"("kueue.x-k8s.io/retriable-in-group":"false",)";
  Run({{.name = "a", .annotations = final}, {.name = "b", .annotations = final}});
  Plan();
  Admit();
  Run({{.name = "a", .phase = "Failed", .is_gated = false, .annotations = final},
       {.name = "b", .phase = "Succeeded", .is_gated = false, .annotations = final}});
  while (ReasonOf(api::condition::kFinished).empty() && !Plan().empty()) {
  }
  EXPECT_EQ(ReasonOf(api::condition::kFinished), "True Succeeded");
}

TEST_F(PodGroupLife, AnEvictionDeletesWhatRunsAndSaysWhy) {
  Run({{.name = "a"}, {.name = "b"}});
  Plan();
  Admit();
  workload::MarkPreempted(*workload_, api::reason::kInClusterQueue, "make room", kPodsNow);
  Run({{.name = "a", .phase = "Running", .is_gated = false}, {.name = "b"}});
  EXPECT_THAT(Plan(), ElementsAre("stop a WorkloadEvictedDueToPreempted"));
  EXPECT_THAT(Reasons(), ElementsAre("a Stopped"));
  EXPECT_TRUE(workload::HasReservation(*workload_));

  Run({{.name = "b"}});  // a is gone
  while (workload::HasReservation(*workload_) && !Plan().empty()) {
  }
  EXPECT_FALSE(workload::HasReservation(*workload_));
}

TEST_F(PodGroupLife, FollowsTheConstraintsOnWhichItsPodsAgreeAlsoAfterAnEviction) {
  const std::string modest = R"("kueue.x-k8s.io/cannot-borrow":"true",)";
  policy_.workload.has_constraints = true;
  Run({{.name = "a"}, {.name = "b"}});
  Plan();
  Admit();
  workload::MarkPreempted(*workload_, api::reason::kInClusterQueue, "", kPodsNow);
  workload::MarkStopped(*workload_, kPodsNow);
  Run({{.name = "a", .annotations = modest}, {.name = "b"}});
  EXPECT_THAT(Plan(), IsEmpty());
  Run({{.name = "a", .annotations = modest}, {.name = "b", .annotations = modest}});
  EXPECT_THAT(Plan(), ElementsAre("write spec"));
  EXPECT_EQ(workload_->spec.admission_constraints->borrowing, "Never");
}

TEST_F(PodGroupLife, ADeletedWorkloadTakesItsPodsAlong) {
  Run({{.name = "a"}, {.name = "b"}});
  Plan();
  workload_->metadata.deletion_timestamp = kPodsNow;
  EXPECT_THAT(Plan(), ElementsAre("stop a WorkloadDeleted", "stop b WorkloadDeleted", "let go a",
                                  "let go b", "write metadata"));
}

TEST_F(PodGroupLife, WithoutPodsItsWorkloadIsLetGo) {
  Run({{.name = "a"}, {.name = "b"}});
  Plan();
  Run({});
  EXPECT_THAT(Plan(), ElementsAre("write metadata"));
  EXPECT_THAT(workload_->metadata.finalizers, IsEmpty());
}

TEST_F(PodGroupLife, OfASetHasItsQuotaFreedByAnEvictionWhileThereAreNoPods) {
  Run({{.name = "a"}, {.name = "b"}});
  Plan();
  Admit();
  workload_->metadata.owner_references = {{.api_version = "apps/v1", .kind = "StatefulSet"}};
  Run({});
  EXPECT_THAT(Plan(), IsEmpty());
  workload::MarkPreempted(*workload_, api::reason::kInClusterQueue, "make room", kPodsNow);
  EXPECT_THAT(Plan(), ElementsAre("write status"));
  EXPECT_EQ(ReasonOf("QuotaReserved"), "False PendingEvaluation");
}

TEST_F(PodGroupLife, OfASetStopsNoPodThatARolloutReplaces) {
  Run({{.name = "a"}, {.name = "b"}});
  Plan();
  Run({{.name = "a", .is_gated = false}, {.name = "b", .is_gated = false}});
  context_.replaced_pods = {"a"};
  EXPECT_THAT(Plan(), ElementsAre("stop b NotAdmitted"));
}

TEST_F(PodGroupLife, TakesNoWorkloadThatWasMadeForOthers) {
  Run({{.name = "a"}, {.name = "b"}});
  workload_.emplace().metadata.name = "g";
  EXPECT_THAT(Plan(), IsEmpty());
  EXPECT_THAT(Reasons(), ElementsAre("a WorkloadNameConflict"));
}

TEST_F(PodGroupLife, PodsOfAnotherShapeChangeAWaitingWorkload) {
  Run({{.name = "a"}, {.name = "b"}});
  Plan();
  Run({{.name = "a", .cpu = "2"}, {.name = "b", .cpu = "2"}});
  EXPECT_THAT(Plan(), ElementsAre("write spec"));
  EXPECT_EQ(workload_->spec.pod_sets[0].name, jobs::RoleHashOf(unit_.pods[0].pod));
}

using SinglePodLife = PodLife;

PodText Lone(PodText text) {
  text.group = "";
  return text;
}

TEST_F(SinglePodLife, HasAWorkloadThatItControls) {
  unit_.group = "";
  Run({Lone({.name = "a"})});
  Plan();
  ASSERT_TRUE(workload_.has_value());
  EXPECT_THAT(workload_->metadata.name, HasSubstr("pod-a-"));
  EXPECT_EQ(workload_->metadata.owner_references[0].controller, true);
}

TEST_F(SinglePodLife, StartsAndEnds) {
  unit_.group = "";
  Run({Lone({.name = "a"})});
  Plan();
  Admit();
  EXPECT_THAT(Plan(), ElementsAre("write pod a"));
  Run({Lone({.name = "a", .phase = "Failed", .is_gated = false})});
  EXPECT_THAT(Plan(), ElementsAre("write status", "let go a"));
  EXPECT_EQ(ReasonOf(api::condition::kFinished), "True Failed");
}

TEST_F(SinglePodLife, DoesNotWaitAgainAfterAnEviction) {
  unit_.group = "";
  Run({Lone({.name = "a"})});
  Plan();
  Admit();
  workload::MarkPreempted(*workload_, api::reason::kInClusterQueue, "make room", kPodsNow);
  Run({Lone({.name = "a", .phase = "Running", .is_gated = false})});
  EXPECT_THAT(Plan(), ElementsAre("stop a WorkloadEvictedDueToPreempted"));
  Run({Lone({.name = "a", .phase = "Failed", .is_gated = false, .is_going = true})});
  EXPECT_THAT(Plan(), ElementsAre("write status"));
  EXPECT_EQ(ReasonOf(api::condition::kRequeued), "False Preempted");
}

TEST_F(PodGroupLife, ReleasesThePodsOfAPendingGroupThatWasDeleted) {
  Run({{.name = "a"}, {.name = "b"}});
  Plan();
  Run({{.name = "a", .is_going = true}, {.name = "b", .is_going = true}});
  EXPECT_THAT(Plan(), ElementsAre("let go a", "let go b"));
}

TEST_F(PodGroupLife, WaitsForThePodsOfADeletedWorkload) {
  Run({{.name = "a", .phase = "Running", .is_gated = false, .is_going = true},
       {.name = "b", .phase = "Running", .is_gated = false, .is_going = true}});
  EXPECT_THAT(Plan(), IsEmpty());
}

TEST_F(SinglePodLife, KeepsItsQuotaUntilItHasEnded) {
  unit_.group = "";
  Run({Lone({.name = "a"})});
  Plan();
  Admit();
  Run({Lone({.name = "a", .phase = "Running", .is_gated = false, .is_going = true})});
  EXPECT_THAT(Plan(), IsEmpty());
  Run({Lone({.name = "a", .phase = "Failed", .is_gated = false, .is_going = true})});
  EXPECT_THAT(Plan(), ElementsAre("write status"));
  EXPECT_EQ(ReasonOf(api::condition::kFinished), "True OwnerNotFound");
  EXPECT_THAT(Plan(), ElementsAre("write metadata", "let go a"));
}

TEST_F(SinglePodLife, WithFastQuotaReleaseKeepsNoQuotaOnceItIsDeleted) {
  api::FeatureGates gates;
  gates.Set(api::Gate::kFastQuotaReleaseInPodIntegration, true);
  policy_ = JobPolicy::From({}, gates);
  unit_.group = "";
  Run({Lone({.name = "a"})});
  Plan();
  Admit();
  Run({Lone({.name = "a", .phase = "Running", .is_gated = false, .is_going = true})});
  EXPECT_THAT(Plan(), ElementsAre("write status"));
  EXPECT_EQ(ReasonOf(api::condition::kFinished), "True OwnerNotFound");
}

TEST_F(SinglePodLife, RunsWithoutQuotaOnceItIsNotManagedAnyMore) {
  unit_.group = "";
  Run({Lone({.name = "a"})});
  Plan();
  context_.workloads = {&*workload_};
  plan_ = PlanPodRelease(unit_, context_, policy_);
  std::vector<std::string> done;
  for (const PodAction& action : plan_.actions) done.push_back(Describe(action));
  EXPECT_THAT(
      done, ElementsAre("write pod a", "let go a", "delete workload " + workload_->metadata.name));
}

}  // namespace
}  // namespace berth::control
