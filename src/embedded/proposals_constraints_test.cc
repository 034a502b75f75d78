// KEP-8729, admission-time constraints, end to end. Tests are named after the rules of
// docs/features/admission-constraints.md.

#include <algorithm>
#include <iterator>

#include "api/meta/conditions.h"
#include "embedded/testing/live_test.h"
#include "json/path.h"
#include "workload/convert/convert_workload.h"
#include "workload/status_changes.h"
#include "workload/workload_name.h"

namespace berth::embedded {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using testing::Job;
using testing::LiveCluster;
using testing::StartCluster;
using testing::Team;

constexpr std::string_view kConstraintsGate =
    "featureGates: {WorkloadAdmissionConstraints: true}\n";
constexpr std::string_view kCannotBorrow = "kueue.x-k8s.io/cannot-borrow: 'true'";
constexpr std::string_view kHighLabel = "kueue.x-k8s.io/priority-class: high";
constexpr std::string_view kHighClass =
    "apiVersion: kueue.x-k8s.io/v1beta2\nkind: WorkloadPriorityClass\nmetadata: {name: high}\n"
    "value: 100\n";
constexpr std::string_view kCannotPreempt = "kueue.x-k8s.io/cannot-preempt: 'true'";

// A team with 4 cpu, in a cohort with an idle team with 4 cpu.
void MakeCohort(LiveCluster& cluster) {
  cluster.Apply(Team("team", 4, "  cohortName: company\n"));
  cluster.Apply(Team("rich", 4, "  cohortName: company\n"));
}

std::string WhyPending(LiveCluster& cluster, std::string_view job) {
  const auto workload = cluster.WorkloadOf(job);
  for (const api::Condition& condition : workload->status.conditions)
    if (condition.type == "QuotaReserved") return condition.message;
  return "";
}

std::string Constraints(LiveCluster& cluster, std::string_view job) {
  const auto workload = cluster.WorkloadOf(job);
  if (!workload || !workload->spec.admission_constraints) return "none";
  const api::AdmissionConstraints& asked = *workload->spec.admission_constraints;
  return "preemption " + asked.preemption.value_or("free") + ", borrowing " +
         asked.borrowing.value_or("free");
}

std::string OwnWorkload(std::string_view annotations, std::string_view constraints) {
  return "apiVersion: kueue.x-k8s.io/v1beta2\nkind: Workload\nmetadata: {name: own, namespace: "
         "team, annotations: {" +
         std::string(annotations) + "}}\nspec: {queueName: main, " + std::string(constraints) +
         " podSets: [{name: main, count: 1, template: {spec: {restartPolicy: Never, containers: "
         "[{name: c, image: i, resources: {requests: {cpu: 1}}}]}}}]}\n";
}

TEST(ProposalConstraints, Rule1And2AnnotationsOfAJobBecomeTheFieldOfItsWorkload) {
  LiveCluster cluster = StartCluster(kConstraintsGate);
  MakeCohort(cluster);
  cluster.Apply(Job({.name = "train", .annotations = kCannotBorrow}));
  cluster.AwaitRunning("Job team/train");
  EXPECT_EQ(Constraints(cluster, "Job team/train"), "preemption free, borrowing Never");
  const auto workload = cluster.WorkloadOf("Job team/train");
  EXPECT_TRUE(workload->metadata.annotations.Contains("kueue.x-k8s.io/cannot-borrow"));
  cluster.Apply(Job({.name = "free", .annotations = "kueue.x-k8s.io/cannot-borrow: 'false'"}));
  cluster.AwaitRunning("Job team/free");
  EXPECT_EQ(Constraints(cluster, "Job team/free"), "none");
}

TEST(ProposalConstraints, Rule1OtherValuesAreRejectedWithTheAllowedOnes) {
  LiveCluster cluster = StartCluster(kConstraintsGate);
  MakeCohort(cluster);
  EXPECT_THAT(
      cluster.TryApply(Job({.name = "train", .annotations = "kueue.x-k8s.io/cannot-borrow: 'yes'"}))
          .refusal,
      AllOf(HasSubstr("metadata.annotations[kueue.x-k8s.io/cannot-borrow]"), HasSubstr("\"yes\"")));
}

std::string GroupPod(std::string_view name, std::string_view annotation) {
  return "apiVersion: v1\nkind: Pod\nmetadata: {name: " + std::string(name) +
         ", namespace: team, labels: {kueue.x-k8s.io/queue-name: main, "
         "kueue.x-k8s.io/pod-group-name: crawl}, annotations: "
         "{kueue.x-k8s.io/pod-group-total-count: '2', " +
         std::string(annotation) +
         "}}\nspec: {restartPolicy: Never, containers: [{name: c, image: i, resources: {requests: "
         "{cpu: 1}}}]}\n";
}

std::string ConstrainedSet(std::string_view kind, std::string_view own, std::string_view of_pods) {
  return "apiVersion: apps/v1\nkind: " + std::string(kind) +
         "\nmetadata: {name: web, namespace: team, labels: {kueue.x-k8s.io/queue-name: main}, "
         "annotations: {" +
         std::string(own) +
         "}}\nspec: {replicas: 1, selector: {matchLabels: {app: web}}, template: {metadata: "
         "{labels: "
         "{app: web}, annotations: {" +
         std::string(of_pods) +
         "}}, spec: {containers: [{name: c, image: i, resources: {requests: {cpu: 1}}}]}}}\n";
}

TEST(ProposalConstraints, Rule1SetsAreConstrainedByTheirOwnAnnotationsOrThoseOfTheirPods) {
  LiveCluster cluster =
      StartCluster("integrations: {frameworks: [pod, deployment, statefulset]}\n" +
                   std::string(kConstraintsGate));
  cluster.Apply(Team("team", 4));
  cluster.Apply(ConstrainedSet("StatefulSet", "", kCannotPreempt));
  cluster.Await("a constrained Workload", [&] {
    const auto queue = cluster.Find("ClusterQueue team");
    return json::TextAt(*queue, "status.admittedWorkloads") == "1";
  });
  const std::string name = workload::WorkloadName(
      {.group = "apps",
       .kind = "StatefulSet",
       .name = "web",
       .uid = json::TextAt(*cluster.Find("StatefulSet team/web"), "metadata.uid")},
      253);
  const auto made = cluster.FindWorkload("team/" + name);
  ASSERT_TRUE(made && made->spec.admission_constraints);
  EXPECT_EQ(made->spec.admission_constraints->preemption, "Never");
  cluster.Apply(ConstrainedSet("Deployment", kCannotPreempt, ""));
  EXPECT_EQ(json::TextAt(*cluster.Find("Deployment team/web"),
                         "spec.template.metadata.annotations[kueue.x-k8s.io/cannot-preempt]"),
            "true");
}

TEST(ProposalConstraints, Rule1ASetAndItsPodsMustNotDisagree) {
  LiveCluster cluster =
      StartCluster("integrations: {frameworks: [pod, deployment, statefulset]}\n" +
                   std::string(kConstraintsGate));
  cluster.Apply(Team("team", 4));
  for (const char* kind : {"Deployment", "StatefulSet"})
    EXPECT_THAT(cluster
                    .TryApply(ConstrainedSet(kind, "kueue.x-k8s.io/cannot-preempt: 'false'",
                                             kCannotPreempt))
                    .refusal,
                HasSubstr("contradicts"))
        << kind;
}

TEST(ProposalConstraints, Rule1ThePodsOfAGroupMustAgree) {
  LiveCluster cluster =
      StartCluster(std::string(kConstraintsGate) + "integrations: {frameworks: [pod]}\n");
  MakeCohort(cluster);
  cluster.Apply(GroupPod("crawl-0", kCannotBorrow));
  cluster.Apply(GroupPod("crawl-1", ""));
  cluster.Await("an Event that they differ", [&] {
    std::vector<std::string> events = cluster.EventsAbout("crawl-0");
    std::ranges::move(cluster.EventsAbout("crawl-1"), std::back_inserter(events));
    return std::ranges::any_of(events, [](const std::string& event) {
      return event.contains("differ in their admission constraints");
    });
  });
  EXPECT_FALSE(cluster.FindWorkload("team/crawl"));
}

TEST(ProposalConstraints, Rule2TheWebhookTurnsAnnotationsOfAWorkloadIntoTheField) {
  LiveCluster cluster = StartCluster(kConstraintsGate);
  MakeCohort(cluster);
  cluster.Apply(OwnWorkload(kCannotPreempt, ""));
  const auto own = cluster.FindWorkload("team/own");
  ASSERT_TRUE(own && own->spec.admission_constraints);
  EXPECT_EQ(own->spec.admission_constraints->preemption, "Never");
}

TEST(ProposalConstraints, Rule2FieldAndAnnotationThatDisagreeAreRejected) {
  LiveCluster cluster = StartCluster(kConstraintsGate);
  MakeCohort(cluster);
  EXPECT_THAT(cluster
                  .TryApply(OwnWorkload("kueue.x-k8s.io/cannot-preempt: 'false'",
                                        "admissionConstraints: {preemption: Never},"))
                  .refusal,
              HasSubstr("spec.admissionConstraints.preemption"));
}

TEST(ProposalConstraints, Rule2NeitherCanChangeWhileQuotaIsReserved) {
  LiveCluster cluster = StartCluster(kConstraintsGate);
  MakeCohort(cluster);
  cluster.Apply(Job({.name = "train", .annotations = kCannotBorrow}));
  cluster.AwaitRunning("Job team/train");
  constexpr std::string_view kWithout =
      R"({"metadata": {"annotations": {"kueue.x-k8s.io/cannot-borrow": null}}})";
  EXPECT_THAT(cluster.TryPatch("Job team/train", kWithout).refusal,
              AllOf(HasSubstr("cannot-borrow"), HasSubstr("while the job runs")));
  const std::string workload =
      "Workload team/" + cluster.WorkloadOf("Job team/train")->metadata.name;
  EXPECT_THAT(cluster.TryPatch(workload, kWithout).refusal, HasSubstr("quota is reserved"));

  cluster.Apply(OwnWorkload("", "admissionConstraints: {borrowing: Never},"));
  cluster.Await("the other has quota", [&] {
    const auto own = cluster.FindWorkload("team/own");
    return own && own->status.admission;
  });
  EXPECT_NE(
      cluster.TryPatch("Workload team/own", R"({"spec": {"admissionConstraints": null}})").refusal,
      "");
}

TEST(ProposalConstraints, Rule2ChangesOfAPendingJobReachItsWorkload) {
  LiveCluster cluster = StartCluster(kConstraintsGate);
  MakeCohort(cluster);
  cluster.Apply(Job({.name = "train", .requests = "cpu: 6", .annotations = kCannotBorrow}));
  cluster.AwaitPending("Job team/train", "AdmissionConstrained");
  cluster.Patch("Job team/train",
                R"({"metadata": {"annotations": {"kueue.x-k8s.io/cannot-borrow": "false"}}})");
  cluster.AwaitRunning("Job team/train");
  EXPECT_EQ(Constraints(cluster, "Job team/train"), "none");

  cluster.Apply(Job({.name = "next", .requests = "cpu: 3"}));
  cluster.AwaitPending("Job team/next", "WaitingForQuota");
  cluster.Patch("Job team/next",
                R"({"metadata": {"annotations": {"kueue.x-k8s.io/cannot-preempt": "true"}}})");
  cluster.Await("the constraint in the Workload", [&] {
    return Constraints(cluster, "Job team/next") == "preemption Never, borrowing free";
  });
}

constexpr std::string_view kOtherQueue =
    "apiVersion: kueue.x-k8s.io/v1beta2\nkind: LocalQueue\nmetadata: {name: other, namespace: "
    "team}\nspec: {clusterQueue: team}\n";

TEST(ProposalConstraints, Rule1APreemptedJobFollowsItsAnnotationsAndItsQueue) {
  LiveCluster cluster = StartCluster(kConstraintsGate);
  cluster.Apply(Team("team", 4, "  preemption: {withinClusterQueue: LowerPriority}\n"));
  cluster.Apply(kHighClass);
  cluster.Apply(kOtherQueue);
  cluster.Apply(Job({.name = "low", .requests = "cpu: 4", .annotations = kCannotBorrow}));
  cluster.AwaitRunning("Job team/low");
  cluster.Apply(Job({.name = "urgent", .requests = "cpu: 4", .labels = kHighLabel}));
  cluster.AwaitRunning("Job team/urgent");
  cluster.Await("the other is stopped", [&] { return cluster.IsSuspended("Job team/low"); });
  cluster.AwaitIdle();
  cluster.Patch("Job team/low", R"({"metadata": {"labels": {"kueue.x-k8s.io/queue-name": "other"},
      "annotations": {"kueue.x-k8s.io/cannot-borrow": "false",
                      "kueue.x-k8s.io/cannot-preempt": "true"}}})");
  cluster.Await("its Workload follows", [&] {
    return Constraints(cluster, "Job team/low") == "preemption Never, borrowing free" &&
           cluster.WorkloadOf("Job team/low")->spec.queue_name == "other";
  });
  cluster.Delete("Job team/urgent");
  cluster.AwaitRunning("Job team/low");
}

TEST(ProposalConstraints, Rule3And7AJobThatMayNotBorrowIsPendingWithTheMissingQuota) {
  LiveCluster cluster = StartCluster(kConstraintsGate);
  MakeCohort(cluster);
  cluster.Apply(Job({.name = "train", .requests = "cpu: 6", .annotations = kCannotBorrow}));
  cluster.AwaitPending("Job team/train", "AdmissionConstrained");
  EXPECT_THAT(WhyPending(cluster, "Job team/train"),
              AllOf(HasSubstr("cannot-borrow"), HasSubstr("borrow 2 cpu of flavor standard")));
  const std::string name = cluster.WorkloadOf("Job team/train")->metadata.name;
  cluster.Await("the Event", [&] {
    const auto events = cluster.EventsAbout(name);
    return std::ranges::any_of(events, [](const std::string& event) {
      return event.starts_with("Warning AdmissionConstrained: cannot-borrow");
    });
  });
}

TEST(ProposalConstraints, Rule4AJobThatMayNotPreemptIsPendingWhileOthersPreempt) {
  LiveCluster cluster = StartCluster(kConstraintsGate);
  cluster.Apply(Team("team", 4, "  preemption: {withinClusterQueue: LowerPriority}\n"));
  cluster.Apply(kHighClass);
  cluster.Apply(Job({.name = "low", .requests = "cpu: 4"}));
  cluster.AwaitRunning("Job team/low");
  cluster.Apply(Job({.name = "polite",
                     .requests = "cpu: 3",
                     .annotations = kCannotPreempt,
                     .labels = kHighLabel}));
  cluster.AwaitPending("Job team/polite", "AdmissionConstrained");
  EXPECT_THAT(WhyPending(cluster, "Job team/polite"),
              HasSubstr("preempt 1 workload of ClusterQueue team"));
  EXPECT_TRUE(cluster.IsRunning("Job team/low"));
  cluster.Delete("Job team/polite");
  cluster.Await("the job is gone", [&] { return !cluster.Find("Job team/polite"); });
  cluster.Apply(Job({.name = "rude", .requests = "cpu: 4", .labels = kHighLabel}));
  cluster.AwaitRunning("Job team/rude");
  EXPECT_FALSE(cluster.IsRunning("Job team/low"));
}

TEST(ProposalConstraints, Rule5InAStrictQueueTheMessageMentionsTheBlocking) {
  LiveCluster cluster = StartCluster(kConstraintsGate);
  cluster.Apply(Team("team", 4, "  cohortName: company\n  queueingStrategy: StrictFIFO\n"));
  cluster.Apply(Team("rich", 4, "  cohortName: company\n"));
  cluster.Apply(kHighClass);
  cluster.Apply(Job(
      {.name = "train", .requests = "cpu: 6", .annotations = kCannotBorrow, .labels = kHighLabel}));
  cluster.AwaitPending("Job team/train", "AdmissionConstrained");
  EXPECT_THAT(WhyPending(cluster, "Job team/train"), HasSubstr("ClusterQueue team is StrictFIFO"));
  cluster.Apply(Job({.name = "behind"}));
  cluster.AwaitIdle();
  EXPECT_FALSE(cluster.IsRunning("Job team/behind"));
}

TEST(ProposalConstraints, Rule6AConstrainedJobIsPreemptedLikeAnyOther) {
  LiveCluster cluster = StartCluster(kConstraintsGate);
  cluster.Apply(Team("team", 4, "  preemption: {withinClusterQueue: LowerPriority}\n"));
  cluster.Apply(kHighClass);
  cluster.Apply(Job({.name = "polite", .requests = "cpu: 4", .annotations = kCannotPreempt}));
  cluster.AwaitRunning("Job team/polite");
  cluster.Apply(Job({.name = "urgent", .requests = "cpu: 4", .labels = kHighLabel}));
  cluster.AwaitRunning("Job team/urgent");
  cluster.Await("the other is held back", [&] { return cluster.IsSuspended("Job team/polite"); });
}

TEST(ProposalConstraints, Rule8AJobThatMayBorrowIsNotBlockedByOneThatMayNot) {
  LiveCluster cluster = StartCluster(kConstraintsGate);
  MakeCohort(cluster);
  cluster.Apply(Job({.name = "polite", .requests = "cpu: 6", .annotations = kCannotBorrow}));
  cluster.AwaitPending("Job team/polite", "AdmissionConstrained");
  cluster.Apply(Job({.name = "equal", .requests = "cpu: 6", .annotations = kCannotBorrow}));
  cluster.Apply(Job({.name = "free", .requests = "cpu: 6"}));
  cluster.AwaitRunning("Job team/free");
  EXPECT_FALSE(cluster.IsRunning("Job team/equal"));
}

TEST(ProposalConstraints, Rule7EqualJobsGetTheReasonWhenItChangesForTheOneThatIsTried) {
  LiveCluster cluster = StartCluster(kConstraintsGate);
  MakeCohort(cluster);
  cluster.Apply(Job({.name = "lender", .space = "rich", .requests = "cpu: 4"}));
  cluster.Apply(Job({.name = "runs", .requests = "cpu: 4"}));
  cluster.AwaitRunning("Job rich/lender");
  cluster.AwaitRunning("Job team/runs");
  for (const char* name : {"one", "two", "three"})
    cluster.Apply(Job({.name = name, .requests = "cpu: 2", .annotations = kCannotBorrow}));
  for (const char* job : {"Job team/one", "Job team/two", "Job team/three"})
    cluster.AwaitPending(job, "WaitingForQuota");
  cluster.Delete("Job rich/lender");
  for (const char* job : {"Job team/one", "Job team/two", "Job team/three"})
    cluster.AwaitPending(job, "AdmissionConstrained");
}

TEST(ProposalConstraints, Rule9ASliceThatMayNotBorrowIsPendingWhileThePreviousOneRuns) {
  LiveCluster cluster = StartCluster(kConstraintsGate);
  MakeCohort(cluster);
  const std::string annotations =
      "kueue.x-k8s.io/elastic-job: 'true', " + std::string(kCannotBorrow);
  cluster.Apply(Job({.name = "train",
                     .requests = "cpu: 2",
                     .annotations = annotations,
                     .spec = "  completions: 8\n"}));
  cluster.AwaitRunning("Job team/train");
  cluster.Patch("Job team/train", R"({"spec": {"parallelism": 3}})");
  const auto is_constrained = [](const api::Workload& slice) {
    const auto* quota = api::FindCondition(slice.status.conditions, "QuotaReserved");
    return quota != nullptr && quota->reason == "AdmissionConstrained";
  };
  cluster.Await("a second slice waits for its constraint", [&] {
    return std::ranges::any_of(cluster.WorkloadsOf("Job team/train"), is_constrained);
  });
  cluster.AwaitIdle();
  EXPECT_EQ(std::ranges::count_if(cluster.WorkloadsOf("Job team/train"), workload::IsAdmitted), 1);
  EXPECT_FALSE(cluster.IsSuspended("Job team/train"));
  // Its own quota suffices for two.
  cluster.Patch("Job team/train", R"({"spec": {"parallelism": 2}})");
  cluster.Await("the slice of two takes over", [&] {
    const auto slices = cluster.WorkloadsOf("Job team/train");
    return std::ranges::any_of(slices, [](const api::Workload& slice) {
      return workload::HoldsQuota(slice) && slice.spec.pod_sets[0].count == 2;
    });
  });
  EXPECT_FALSE(cluster.IsSuspended("Job team/train"));
}

TEST(ProposalConstraints, WhileTheGateIsOffAnnotationsHaveNoEffect) {
  LiveCluster cluster = StartCluster();
  MakeCohort(cluster);
  cluster.Apply(Job({.name = "train", .requests = "cpu: 6", .annotations = kCannotBorrow}));
  cluster.AwaitRunning("Job team/train");
  EXPECT_EQ(Constraints(cluster, "Job team/train"), "none");
}

}  // namespace
}  // namespace berth::embedded
