// KEP-8729, admission-time constraints, end to end. Tests are named after the rules of
// docs/features/admission-constraints.md.

#include <algorithm>
#include <iterator>
#include <tuple>

#include "api/meta/conditions.h"
#include "embedded/testing/live_test.h"
#include "json/path.h"
#include "workload/convert/convert_workload.h"
#include "workload/status_changes.h"

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

std::string GroupPod(std::string_view name, std::string_view annotation,
                     std::string_view requests = "cpu: 1", std::string_view queue = "main") {
  return "apiVersion: v1\nkind: Pod\nmetadata: {name: " + std::string(name) +
         ", namespace: team, labels: {kueue.x-k8s.io/queue-name: " + std::string(queue) +
         ", kueue.x-k8s.io/pod-group-name: crawl}, annotations: "
         "{kueue.x-k8s.io/pod-group-total-count: '2', " +
         std::string(annotation) +
         "}}\nspec: {restartPolicy: Never, containers: [{name: c, image: i, resources: {requests: "
         "{" +
         std::string(requests) + "}}}]}\n";
}

// --- Sets ----------------------------------------------------------------------------------------

constexpr std::string_view kSetFrameworks =
    "integrations: {frameworks: [batch/job, pod, deployment, statefulset, "
    "leaderworkerset.x-k8s.io/leaderworkerset]}\n";

LiveCluster StartWithSets() {
  LiveCluster cluster = StartCluster(std::string(kSetFrameworks) + std::string(kConstraintsGate));
  cluster.Create(
      testing::Definition("leaderworkerset.x-k8s.io/v1", "LeaderWorkerSet", "leaderworkersets"));
  return cluster;
}

// A set of one pod, with its own annotations and those of its pod template.
std::string ConstrainedSet(std::string_view kind, std::string_view own, std::string_view of_pods) {
  const bool has_groups = kind == "LeaderWorkerSet";
  const std::string pods =
      "{metadata: {labels: {app: web}, annotations: {" + std::string(of_pods) +
      "}}, spec: {containers: [{name: c, image: i, resources: {requests: {cpu: 1}}}]}}";
  return "apiVersion: " + std::string(has_groups ? "leaderworkerset.x-k8s.io" : "apps") +
         "/v1\nkind: " + std::string(kind) +
         "\nmetadata: {name: web, namespace: team, labels: {kueue.x-k8s.io/queue-name: main}, "
         "annotations: {" +
         std::string(own) + "}}\nspec: {replicas: 1, " +
         (has_groups ? "leaderWorkerTemplate: {size: 1, workerTemplate: " + pods + "}"
                     : "selector: {matchLabels: {app: web}}, template: " + pods) +
         "}\n";
}

void AwaitConstraints(LiveCluster& cluster, const std::string& owner, const std::string& expected) {
  cluster.Await(owner + " under the constraints " + expected,
                [&] { return Constraints(cluster, owner) == expected; });
}

// A pod as the controllers of a Deployment make it.
std::string PodOf(LiveCluster& cluster, const std::string& deployment) {
  json::value pod = *json::FindAt(*cluster.Find(deployment), "spec.template");
  pod.as_object()["apiVersion"] = "v1";
  pod.as_object()["kind"] = "Pod";
  pod.as_object()["metadata"].as_object()["name"] = "web-0";
  pod.as_object()["metadata"].as_object()["namespace"] = "team";
  return json::Print(pod);
}

class Rule1OfSets : public ::testing::TestWithParam<std::tuple<const char*, bool>> {};

TEST_P(Rule1OfSets, TheirOwnAnnotationsCountAndThoseOfTheirPods) {
  const auto [kind, is_of_pods] = GetParam();
  LiveCluster cluster = StartWithSets();
  cluster.Apply(Team("team", 4));
  cluster.Apply(ConstrainedSet(kind, is_of_pods ? "" : kCannotPreempt,
                               is_of_pods ? kCannotPreempt : std::string_view()));
  std::string owner = std::string(kind) + " team/web";
  if (kind == std::string_view("Deployment")) {
    cluster.Create(PodOf(cluster, owner));
    owner = "Pod team/web-0";
  }
  AwaitConstraints(cluster, owner, "preemption Never, borrowing free");
}

INSTANTIATE_TEST_SUITE_P(ProposalConstraints, Rule1OfSets,
                         ::testing::Combine(::testing::Values("Deployment", "StatefulSet",
                                                              "LeaderWorkerSet"),
                                            ::testing::Bool()),
                         [](const auto& instance) {
                           return std::string(std::get<0>(instance.param)) +
                                  (std::get<1>(instance.param) ? "WithAnnotatedPods" : "Annotated");
                         });

// The constraints in the pod template of the Deployment: "preemption,borrowing".
std::string TemplateConstraints(LiveCluster& cluster) {
  const json::value set = *cluster.Find("Deployment team/web");
  const auto value = [&](std::string_view key) {
    return json::TextAt(
        set, "spec.template.metadata.annotations[kueue.x-k8s.io/cannot-" + std::string(key) + "]");
  };
  return value("preempt") + "," + value("borrow");
}

TEST(ProposalConstraints, Rule1PodsOfADeploymentFollowAChangeOfItsAnnotations) {
  LiveCluster cluster = StartWithSets();
  cluster.Apply(Team("team", 4));
  cluster.Apply(ConstrainedSet("Deployment", kCannotBorrow, ""));
  EXPECT_EQ(TemplateConstraints(cluster), ",true");
  cluster.Patch("Deployment team/web", R"({"metadata": {"annotations":
      {"kueue.x-k8s.io/cannot-borrow": "false", "kueue.x-k8s.io/cannot-preempt": "true"}}})");
  EXPECT_EQ(TemplateConstraints(cluster), "true,false");
  cluster.Patch("Deployment team/web", R"({"metadata": {"annotations":
      {"kueue.x-k8s.io/cannot-borrow": null, "kueue.x-k8s.io/cannot-preempt": null}}})");
  EXPECT_EQ(TemplateConstraints(cluster), ",");
}

TEST(ProposalConstraints, Rule1ConstraintsWrittenIntoThePodsOfADeploymentStay) {
  LiveCluster cluster = StartWithSets();
  cluster.Apply(Team("team", 4));
  cluster.Apply(ConstrainedSet("Deployment", kCannotBorrow, kCannotBorrow));
  cluster.Patch("Deployment team/web",
                R"({"metadata": {"annotations": {"kueue.x-k8s.io/cannot-borrow": null}}})");
  EXPECT_EQ(TemplateConstraints(cluster), ",true");
}

TEST(ProposalConstraints, Rule1ASetAndItsPodsMustNotDisagree) {
  LiveCluster cluster = StartWithSets();
  cluster.Apply(Team("team", 4));
  for (const char* kind : {"Deployment", "StatefulSet", "LeaderWorkerSet"})
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

// A team with 1 cpu and two LocalQueues.
void MakeTeamThatPreempts(LiveCluster& cluster) {
  cluster.Apply(Team("team", 1, "  preemption: {withinClusterQueue: LowerPriority}\n"));
  cluster.Apply(kHighClass);
  cluster.Apply(kOtherQueue);
}

void AwaitAdmitted(LiveCluster& cluster, const std::string& owner) {
  cluster.Await(owner + " is admitted", [&] {
    const auto workload = cluster.WorkloadOf(owner);
    return workload && workload::IsAdmitted(*workload) && !workload::IsEvicted(*workload);
  });
}

bool IsGated(LiveCluster& cluster, std::string_view pod) {
  return json::IsSetAt(*cluster.Find(pod), "spec.schedulingGates");
}

bool IsGoneOrDeleted(LiveCluster& cluster, std::string_view object) {
  const auto found = cluster.Find(object);
  return !found || json::IsSetAt(*found, "metadata.deletionTimestamp");
}

TEST(ProposalConstraints, Rule1APreemptedJobFollowsItsAnnotationsAndItsQueue) {
  LiveCluster cluster = StartCluster(kConstraintsGate);
  MakeTeamThatPreempts(cluster);
  cluster.Apply(Job({.name = "low", .annotations = kCannotBorrow}));
  cluster.AwaitRunning("Job team/low");
  cluster.Apply(Job({.name = "urgent", .labels = kHighLabel}));
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

class Rule1OfPreemptedSets : public ::testing::TestWithParam<const char*> {};

TEST_P(Rule1OfPreemptedSets, TheyFollowTheirAnnotationsAndTheirQueue) {
  const std::string set = std::string(GetParam()) + " team/web";
  LiveCluster cluster = StartWithSets();
  MakeTeamThatPreempts(cluster);
  cluster.Apply(ConstrainedSet(GetParam(), kCannotBorrow, ""));
  AwaitAdmitted(cluster, set);
  cluster.Apply(Job({.name = "urgent", .labels = kHighLabel}));
  cluster.AwaitRunning("Job team/urgent");
  cluster.AwaitIdle();
  cluster.Patch(set, R"({"metadata": {"labels": {"kueue.x-k8s.io/queue-name": "other"},
      "annotations": {"kueue.x-k8s.io/cannot-borrow": null,
                      "kueue.x-k8s.io/cannot-preempt": "true"}}})");
  AwaitConstraints(cluster, set, "preemption Never, borrowing free");
  cluster.Await("its queue", [&] { return cluster.WorkloadOf(set)->spec.queue_name == "other"; });
  cluster.Delete("Job team/urgent");
  AwaitAdmitted(cluster, set);
}

INSTANTIATE_TEST_SUITE_P(ProposalConstraints, Rule1OfPreemptedSets,
                         ::testing::Values("StatefulSet", "LeaderWorkerSet"),
                         [](const auto& instance) { return std::string(instance.param); });

TEST(ProposalConstraints, Rule1APreemptedGroupFollowsTheAnnotationsAndTheQueueOfItsPods) {
  LiveCluster cluster = StartWithSets();
  MakeTeamThatPreempts(cluster);
  for (const char* pod : {"crawl-0", "crawl-1"})
    cluster.Apply(GroupPod(pod, kCannotBorrow, "cpu: 500m"));
  // Pods that are still gated would not be stopped.
  for (const char* pod : {"Pod team/crawl-0", "Pod team/crawl-1"})
    cluster.Await(std::string(pod) + " starts", [&] { return !IsGated(cluster, pod); });
  cluster.Apply(Job({.name = "urgent", .labels = kHighLabel}));
  cluster.Await("the pods are stopped", [&] {
    return IsGoneOrDeleted(cluster, "Pod team/crawl-0") &&
           IsGoneOrDeleted(cluster, "Pod team/crawl-1");
  });
  cluster.AwaitRunning("Job team/urgent");
  for (const char* pod : {"crawl-2", "crawl-3"})
    cluster.Apply(GroupPod(pod, kCannotPreempt, "cpu: 500m", "other"));
  AwaitConstraints(cluster, "Pod team/crawl-2", "preemption Never, borrowing free");
  cluster.Await("its queue",
                [&] { return cluster.FindWorkload("team/crawl")->spec.queue_name == "other"; });
  cluster.Delete("Job team/urgent");
  AwaitAdmitted(cluster, "Pod team/crawl-2");
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
