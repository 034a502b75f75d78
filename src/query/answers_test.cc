// Each answer holds what its reader needs, and nothing that a viewer may not see.

#include <gmock/gmock.h>

#include "query/flavor_list.h"
#include "query/manifest_text.h"
#include "query/overview.h"
#include "query/queue_page.h"
#include "query/testing/cluster.h"
#include "query/tree.h"
#include "query/workload_list.h"
#include "query/workload_page.h"

namespace berth::query {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::kNow;
using ::testing::Not;
using ::testing::SizeIs;
using testing::TeamsTest;

const Viewer kAdmin = Viewer::OfEverything("admin");

// Sees the Workloads and LocalQueues of one namespace, like the user of a Role.
Viewer MemberOf(const std::string& team) {
  Viewer viewer{.user = "user-of-" + team};
  viewer.workloads.Add(team);
  viewer.local_queues.Add(team);
  return viewer;
}

std::vector<std::string> Names(const std::vector<WorkloadRow>& rows) {
  std::vector<std::string> names;
  for (const WorkloadRow& row : rows) names.push_back(row.namespace_ + "/" + row.name);
  return names;
}

// --- The tree -----------------------------------------------------------------------------------

class TreeAnswer : public TeamsTest {};

TEST_F(TreeAnswer, CountsOfACohortAreTheSumsOfItsQueues) {
  Add({.team = "red", .name = "a", .is_admitted = true});
  Add({.team = "red", .name = "b"});
  Add({.team = "blue", .name = "c"});
  const Tree tree = MakeTree(cluster_, kAdmin, kNow);
  ASSERT_THAT(tree.roots, SizeIs(1));
  EXPECT_EQ(tree.roots[0].name, "all");
  EXPECT_EQ(tree.roots[0].counts, (Counts{.pending = 2, .reserving = 1, .admitted = 1}));
  ASSERT_THAT(tree.roots[0].children, SizeIs(2));
  EXPECT_EQ(tree.roots[0].children[1].name, "red");
  EXPECT_EQ(tree.roots[0].children[1].local_queues.at(0).counts,
            (Counts{.pending = 1, .reserving = 1, .admitted = 1}));
}

TEST_F(TreeAnswer, PendingRequestsCountAtTheFirstFlavorThatPodsMatch) {
  Add({.team = "red", .name = "a", .cpu = "1500m"});
  EXPECT_THAT(ToJson(MakeTree(cluster_, kAdmin, kNow), "7"),
              AllOf(HasSubstr(R"("revision":"7")"), HasSubstr(R"("pending":1.5)")));
}

TEST_F(TreeAnswer, StoppedQueueSaysWhy) {
  Apply(R"(
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {name: stopped}
spec: {namespaceSelector: {}, stopPolicy: Hold}
)");
  const Tree tree = MakeTree(cluster_, kAdmin, kNow);
  EXPECT_EQ(tree.roots.at(1).name, "stopped");
  EXPECT_FALSE(tree.roots[1].activity.is_active);
  EXPECT_EQ(tree.roots[1].activity.reason, "Stopped");
  EXPECT_EQ(tree.roots[1].activity.stop_policy, "Hold");
}

TEST_F(TreeAnswer, QueuesInACycleOfCohortsAreShown) {
  Apply(
      "{apiVersion: kueue.x-k8s.io/v1beta2, kind: Cohort, metadata: {name: all}, "
      "spec: {parentName: all}}");
  const Tree tree = MakeTree(cluster_, kAdmin, kNow);
  ASSERT_THAT(tree.roots, SizeIs(2));
  EXPECT_EQ(tree.roots[0].activity.reason, "CohortCycle");
  EXPECT_THAT(tree.roots[0].quotas, IsEmpty());
}

TEST_F(TreeAnswer, MemberOfOneTeamSeesItsLocalQueuesOnly) {
  const Tree tree = MakeTree(cluster_, MemberOf("red"), kNow);
  EXPECT_THAT(tree.roots, IsEmpty());
  ASSERT_THAT(tree.local_queues, SizeIs(1));
  EXPECT_EQ(tree.local_queues[0].namespace_, "red");
}

TEST_F(TreeAnswer, CohortThatMayNotBeSeenIsReplacedByItsQueues) {
  Viewer viewer = Viewer::OfEverything("anna");
  viewer.sees_cohorts = false;
  const std::string text = ToJson(MakeTree(cluster_, viewer, kNow), "1");
  EXPECT_THAT(text, AllOf(HasSubstr(R"("name":"red")"), Not(HasSubstr(R"("name":"all")"))));
}

// --- The overview -------------------------------------------------------------------------------

class OverviewAnswer : public TeamsTest {};

TEST_F(OverviewAnswer, CountsWorkloadsByState) {
  Add({.team = "red", .name = "a", .is_admitted = true});
  Add({.team = "red", .name = "b", .is_finished = true});
  Add({.team = "blue", .name = "c"});
  const Overview overview = MakeOverview(cluster_, kAdmin, kNow);
  EXPECT_EQ(overview.workloads, (Counts{.pending = 1, .reserving = 1, .admitted = 1}));
  EXPECT_EQ(overview.finished, 1);
  EXPECT_EQ(overview.cluster_queues, 2);
  EXPECT_EQ(overview.resources.at(0).nominal, 22000);
  EXPECT_EQ(overview.pending_by_reason.at("PendingEvaluation"), 1);
}

TEST_F(OverviewAnswer, LongestPendingComesFirst) {
  Add({.team = "red", .name = "young", .created = "2027-01-15T07:59:00Z"});
  Add({.team = "blue", .name = "old", .created = "2027-01-15T07:01:00Z"});
  EXPECT_THAT(Names(MakeOverview(cluster_, kAdmin, kNow).longest_pending),
              ElementsAre("blue/old", "red/young"));
}

TEST_F(OverviewAnswer, MemberOfOneTeamSeesNothingOfAnother) {
  Add({.team = "red", .name = "a"});
  Add({.team = "blue", .name = "secret", .is_admitted = true});
  const std::string text = ToJson(MakeOverview(cluster_, MemberOf("red"), kNow), "1");
  EXPECT_THAT(text, AllOf(HasSubstr(R"("pending":1)"), HasSubstr(R"("admitted":0)"),
                          Not(HasSubstr("secret")), HasSubstr(R"("clusterQueues":0)")));
}

// --- Workloads ----------------------------------------------------------------------------------

class WorkloadAnswers : public TeamsTest {
 protected:
  std::vector<std::string> Listed(const WorkloadFilter& filter, const Page& page = {},
                                  const Viewer& viewer = kAdmin) {
    return Names(ListWorkloads(cluster_, viewer, filter, page).rows);
  }
};

TEST_F(WorkloadAnswers, SearchFindsNamesOwnersAndQueuesInAnyCase) {
  Add({.team = "red", .name = "job-a", .owner = "Training"});
  Add({.team = "blue", .name = "job-b"});
  EXPECT_THAT(Listed({.text = "JOB-B"}), ElementsAre("blue/job-b"));
  EXPECT_THAT(Listed({.text = "training"}), ElementsAre("red/job-a"));
  EXPECT_THAT(Listed({.text = "Red"}), ElementsAre("red/job-a"));
  EXPECT_THAT(Listed({.text = "none"}), IsEmpty());
}

TEST_F(WorkloadAnswers, FiltersCombine) {
  Add({.team = "red", .name = "a", .is_admitted = true});
  Add({.team = "red", .name = "b"});
  Add({.team = "blue", .name = "c"});
  using Group = WorkloadFilter::Group;
  EXPECT_THAT(Listed({.cluster_queue = "red", .group = Group::kPending}), ElementsAre("red/b"));
  EXPECT_THAT(Listed({.namespace_ = "red", .group = Group::kAdmitted}), ElementsAre("red/a"));
}

TEST_F(WorkloadAnswers, PagesAreCutFromOneOrder) {
  for (const char* name : {"a", "b", "c"})
    Add({.team = "red", .name = name, .priority = name[0] == 'b' ? 5 : 0});
  const WorkloadFilter by_priority{.order = WorkloadFilter::Order::kPriority};
  EXPECT_THAT(Listed(by_priority, {.limit = 2}), ElementsAre("red/b", "red/a"));
  EXPECT_THAT(Listed(by_priority, {.limit = 2, .offset = 2}), ElementsAre("red/c"));
  EXPECT_EQ(ListWorkloads(cluster_, kAdmin, by_priority, {.limit = 1}).total, 3u);
  const WorkloadFilter by_name{.order = WorkloadFilter::Order::kName, .is_descending = true};
  EXPECT_THAT(Listed(by_name, {.limit = 1}), ElementsAre("red/c"));
}

TEST_F(WorkloadAnswers, PositionIsThatOfTheClusterQueue) {
  Add({.team = "red", .name = "low", .created = "2027-01-15T07:00:00Z"});
  Add({.team = "red", .name = "high", .priority = 9, .created = "2027-01-15T07:10:00Z"});
  const auto page = MakeWorkloadPage(cluster_, "red/low", kAdmin);
  EXPECT_EQ(page->row.position, 1);
  EXPECT_EQ(page->row.position_in_local_queue, 1);
}

TEST_F(WorkloadAnswers, MemberOfOneTeamSeesNothingOfAnother) {
  Add({.team = "blue", .name = "secret"});
  EXPECT_THAT(Listed({}, {}, MemberOf("red")), IsEmpty());
  EXPECT_FALSE(MakeWorkloadPage(cluster_, "blue/secret", MemberOf("red")));
  EXPECT_FALSE(MakeLocalQueuePage(cluster_, "blue/main", MemberOf("red"), {}, kNow));
  EXPECT_FALSE(MakeClusterQueuePage(cluster_, "red", MemberOf("red"), {}, kNow));
  EXPECT_FALSE(ManifestText(cluster_, "workloads", "blue/secret", MemberOf("red")));
  EXPECT_FALSE(ManifestText(cluster_, "clusterqueues", "red", MemberOf("red")));
  EXPECT_THAT(ListFlavors(cluster_, MemberOf("red")).flavors, IsEmpty());
}

TEST_F(WorkloadAnswers, ExplanationNamesNoWorkloadThatMayNotBeSeen) {
  Apply(
      "{apiVersion: kueue.x-k8s.io/v1beta2, kind: LocalQueue, metadata: {name: main, "
      "namespace: green}, spec: {clusterQueue: red}}");
  std::string first =
      testing::TextOf({.team = "green", .name = "secret", .cpu = "99", .priority = 9});
  Apply(first);
  Add({.team = "red", .name = "a", .cpu = "99"});
  Viewer viewer = MemberOf("red");
  EXPECT_EQ(MakeWorkloadPage(cluster_, "red/a", viewer)->explanation, "")
      << "it is about quota of ClusterQueues";
  viewer.sees_cluster_queues = true;
  const std::string text = ToJson(*MakeWorkloadPage(cluster_, "red/a", viewer), "1");
  EXPECT_THAT(text, AllOf(HasSubstr("(hidden)"), Not(HasSubstr("secret"))));
  EXPECT_THAT(ToJson(*MakeWorkloadPage(cluster_, "red/a", kAdmin), "1"), HasSubstr("secret"));
}

TEST_F(WorkloadAnswers, TimelineIsInTheOrderOfTime) {
  Add({.team = "red", .name = "a", .is_finished = true});
  const auto page = MakeWorkloadPage(cluster_, "red/a", kAdmin);
  EXPECT_EQ(page->row.status, Status::kFinished);
  EXPECT_EQ(page->timeline.at(0).type, "Created");
  EXPECT_THAT(page->timeline, SizeIs(4));
}

// --- Queues, flavors, manifests -----------------------------------------------------------------

class QueueAnswers : public TeamsTest {};

TEST_F(QueueAnswers, PendingWorkloadsAreInSchedulingOrder) {
  Add({.team = "red", .name = "late", .created = "2027-01-15T07:10:00Z"});
  Add({.team = "red", .name = "early", .created = "2027-01-15T07:00:00Z"});
  Add({.team = "red", .name = "urgent", .priority = 1, .created = "2027-01-15T07:20:00Z"});
  const auto page = MakeClusterQueuePage(cluster_, "red", kAdmin, {.limit = 2}, kNow);
  EXPECT_THAT(Names(page->workloads.pending), ElementsAre("red/urgent", "red/early"));
  EXPECT_EQ(page->workloads.pending_total, 3u);
  EXPECT_THAT(page->path, ElementsAre("all"));
}

TEST_F(QueueAnswers, WorkloadsOfOtherNamespacesAreCountedButNotListed) {
  Add({.team = "red", .name = "a"});
  Viewer viewer = MemberOf("blue");
  viewer.sees_cluster_queues = true;
  const auto page = MakeClusterQueuePage(cluster_, "red", viewer, {}, kNow);
  EXPECT_EQ(page->workloads.pending_total, 1u);
  EXPECT_THAT(page->workloads.pending, IsEmpty());
}

TEST_F(QueueAnswers, LocalQueueShowsWhatItsWorkloadsHold) {
  Add({.team = "red", .name = "a", .cpu = "3", .is_admitted = true});
  const auto page = MakeLocalQueuePage(cluster_, "red/main", MemberOf("red"), {}, kNow);
  EXPECT_EQ(page->quotas.at(0).used, 3000);
  EXPECT_THAT(Names(page->workloads.admitted), ElementsAre("red/a"));
}

TEST_F(QueueAnswers, FlavorsNameTheirQueues) {
  EXPECT_THAT(ToJson(ListFlavors(cluster_, kAdmin), "1"),
              AllOf(HasSubstr(R"("nodeLabels":{"tier":"standard"})"),
                    HasSubstr(R"("clusterQueues":["blue","red"])")));
}

TEST_F(QueueAnswers, ManifestsHaveNoManagedFields) {
  EXPECT_THAT(*ManifestText(cluster_, "clusterqueues", "red", kAdmin),
              AllOf(HasSubstr("kind: ClusterQueue"), HasSubstr("nominalQuota: \"10\""),
                    Not(HasSubstr("managedFields"))));
}

}  // namespace
}  // namespace berth::query
