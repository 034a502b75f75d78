// KEP-5800, ClusterQueue.spec.excludeResourcePrefixes, end to end. Tests are named after the rules
// of docs/features/exclude-resource-prefixes.md.

#include "embedded/testing/live_test.h"

namespace berth::embedded {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::Job;
using testing::LiveCluster;
using ::testing::Not;
using testing::StartCluster;
using testing::Team;

constexpr std::string_view kExclusionGate = "featureGates: {ClusterQueueResourceExclusion: true}\n";

std::string TeamExcluding(std::string_view prefixes, int cpu = 10) {
  return Team("team", cpu, "  excludeResourcePrefixes: [" + std::string(prefixes) + "]\n");
}

// The ClusterQueue only.
std::string QueueExcluding(std::string_view prefixes) {
  return "apiVersion: kueue.x-k8s.io/v1beta2\nkind: ClusterQueue\nmetadata: {name: team}\nspec: "
         "{namespaceSelector: {}, resourceGroups: [{coveredResources: [cpu], flavors: [{name: "
         "standard, resources: [{name: cpu, nominalQuota: 10}]}]}], excludeResourcePrefixes: [" +
         std::string(prefixes) + "]}\n";
}

TEST(ProposalExclusion, Rule1And3ExcludedRequestsAreNeitherNeededNorCharged) {
  LiveCluster cluster = StartCluster(std::string(kExclusionGate) +
                                     "resources: {excludeResourcePrefixes: [example.org]}\n");
  cluster.Apply(TeamExcluding("example.com"));
  cluster.Apply(
      Job({.name = "train", .requests = "cpu: 2, example.com/nic: 1, example.org/license: 1"}));
  cluster.AwaitRunning("Job team/train");
  const auto usage =
      cluster.WorkloadOf("Job team/train")->status.admission->pod_set_assignments[0].resource_usage;
  EXPECT_EQ(usage.size(), 1u);
  EXPECT_TRUE(usage.Contains("cpu"));
}

TEST(ProposalExclusion, Rule2APrefixEndsAtASegmentOfTheName) {
  LiveCluster cluster = StartCluster(kExclusionGate);
  cluster.Apply(TeamExcluding("example.com, hugepages-"));
  cluster.Apply(
      Job({.name = "ours", .requests = "example.com/nic: 1, hugepages-2Mi: 2Mi, cpu: 1"}));
  cluster.AwaitRunning("Job team/ours");
  cluster.Apply(Job({.name = "theirs", .requests = "example.community/nic: 1, cpu: 1"}));
  cluster.Await("a reason to wait",
                [&] { return !cluster.PendingReason("Job team/theirs").empty(); });
  cluster.AwaitIdle();
  EXPECT_FALSE(cluster.IsRunning("Job team/theirs"));
}

TEST(ProposalExclusion, Rule2WithTheGateOffTheConfiguredListMatchesBareBytesAsInKueue) {
  LiveCluster cluster = StartCluster("resources: {excludeResourcePrefixes: [example.com]}\n");
  EXPECT_THAT(cluster.log(), Not(Contains(HasSubstr("excludeResourcePrefixes"))));
  cluster.Apply(Team("team", 10));
  cluster.Apply(Job({.name = "train", .requests = "cpu: 1, example.community/nic: 1"}));
  cluster.AwaitRunning("Job team/train");
}

TEST(ProposalExclusion, Rule2WithTheGateOnTheLogListsConfiguredPrefixesThatMatchOtherResources) {
  LiveCluster cluster =
      StartCluster(std::string(kExclusionGate) +
                   "resources: {excludeResourcePrefixes: [example.com, hugepages-]}\n");
  EXPECT_THAT(cluster.log(), Contains(AllOf(HasSubstr("resources.excludeResourcePrefixes"),
                                            HasSubstr("begins with them: \"example.com\""),
                                            Not(HasSubstr("\"hugepages-\"")))));
  cluster.Apply(Team("team", 10));
  cluster.Apply(Job({.name = "train", .requests = "cpu: 1, example.community/nic: 1"}));
  cluster.AwaitPending("Job team/train", "NoMatchingFlavor");
}

TEST(ProposalExclusion, Rule3AWorkloadWithOnlyExcludedRequestsIsAdmittedWithoutFlavors) {
  LiveCluster cluster = StartCluster(kExclusionGate);
  cluster.Apply(TeamExcluding("example.com"));
  cluster.Apply(Job({.name = "train", .requests = "example.com/nic: 1"}));
  cluster.AwaitRunning("Job team/train");
  const auto workload = cluster.WorkloadOf("Job team/train");
  EXPECT_THAT(workload->status.admission->pod_set_assignments[0].flavors, IsEmpty());
}

TEST(ProposalExclusion, Rule4AnEditAppliesAtOnceAndAdmittedWorkloadsKeepTheirUsage) {
  LiveCluster cluster = StartCluster(kExclusionGate);
  cluster.Apply(TeamExcluding(""));
  cluster.Apply(Job({.name = "old", .requests = "cpu: 2"}));
  cluster.AwaitRunning("Job team/old");
  cluster.Apply(Job({.name = "new", .requests = "cpu: 2, example.com/nic: 1"}));
  cluster.AwaitPending("Job team/new", "NoMatchingFlavor");

  cluster.Apply(QueueExcluding("example.com, cpu"));
  cluster.AwaitRunning("Job team/new");
  cluster.AwaitIdle();
  const auto charge = [&](std::string_view job) {
    return cluster.WorkloadOf(job)->status.admission->pod_set_assignments[0].resource_usage;
  };
  EXPECT_TRUE(charge("Job team/old").Contains("cpu"));
  EXPECT_THAT(charge("Job team/new"), IsEmpty());
}

TEST(ProposalExclusion, Rule5MalformedPrefixesAreRejected) {
  LiveCluster cluster = StartCluster(kExclusionGate);
  cluster.Apply(TeamExcluding(""));
  EXPECT_THAT(cluster.TryApply(QueueExcluding("''")).refusal,
              HasSubstr("spec.excludeResourcePrefixes[0]"));
  EXPECT_THAT(cluster.TryApply(QueueExcluding("'not a name'")).refusal,
              HasSubstr("spec.excludeResourcePrefixes[0]"));
  std::string many;
  for (int i = 0; i < 65; ++i) many += (i == 0 ? "a" : ", a") + std::to_string(i);
  EXPECT_THAT(cluster.TryApply(QueueExcluding(many)).refusal,
              HasSubstr("spec.excludeResourcePrefixes"));
  EXPECT_EQ(cluster.TryApply(QueueExcluding("example.com")).refusal, "");
}

TEST(ProposalExclusion, Rule5SuspiciousPrefixesCauseAWarning) {
  LiveCluster cluster = StartCluster(kExclusionGate);
  cluster.Apply(Team("team", 10));
  const auto answer = cluster.TryApply(QueueExcluding("example.com, example.com, cpu"));
  EXPECT_EQ(answer.refusal, "");
  EXPECT_THAT(
      answer.warnings,
      ElementsAre(AllOf(HasSubstr("excludeResourcePrefixes[1]"), HasSubstr("listed already")),
                  AllOf(HasSubstr("excludeResourcePrefixes[2]"), HasSubstr("not be limited")),
                  AllOf(HasSubstr("excludeResourcePrefixes[2]"), HasSubstr("covers \"cpu\""))));
}

TEST(ProposalExclusion, Rule5PrefixesWithoutEffectCauseAWarning) {
  LiveCluster cluster = StartCluster(
      "featureGates: {ClusterQueueResourceExclusion: true, QuotaCheck: true}\n"
      "resources: {quotaCheck: OnlyDeclared}\n");
  cluster.Apply(Team("team", 10));
  EXPECT_THAT(cluster.TryApply(QueueExcluding("example.com")).warnings,
              ElementsAre(HasSubstr("quotaCheck is OnlyDeclared")));
}

TEST(ProposalExclusion, Rule6AnEventAndTheLogListExclusionsOncePerChange) {
  LiveCluster cluster = StartCluster(std::string(kExclusionGate) +
                                     "resources: {excludeResourcePrefixes: [example.org]}\n");
  cluster.Apply(TeamExcluding("example.com", 1));
  cluster.Apply(
      Job({.name = "train", .requests = "cpu: 2, example.com/nic: 1, example.org/license: 1"}));
  cluster.AwaitPending("Job team/train", "ExceedsMaxQuota");
  const std::string name = cluster.WorkloadOf("Job team/train")->metadata.name;
  const auto told = [&] {
    std::vector<std::string> events;
    for (const std::string& event : cluster.EventsAbout(name))
      if (event.starts_with("Normal ResourcesExcluded: ")) events.push_back(event);
    return events;
  };
  cluster.Await("the Event", [&] { return told().size() == 1; });
  EXPECT_THAT(
      told(),
      ElementsAre(AllOf(
          HasSubstr(R"(example.com/nic: excluded by prefix "example.com" in ClusterQueue "team")"),
          HasSubstr(R"(example.org/license: excluded by prefix "example.org" in the Conf)"))));
  EXPECT_THAT(cluster.log(), Contains(AllOf(HasSubstr("Workload team/" + name),
                                            HasSubstr("example.com/nic: excluded"))));
  // No change of the exclusion: no Event.
  cluster.Patch("ClusterQueue team", R"({"spec": {"queueingStrategy": "StrictFIFO"}})");
  cluster.AwaitIdle();
  EXPECT_EQ(told().size(), 1u);
  cluster.Apply(QueueExcluding("example.com/nic"));
  cluster.Await("another Event", [&] { return told().size() == 2; });
}

TEST(ProposalExclusion, WhileItsGateIsOffTheFieldIsAcceptedAndHasNoEffect) {
  LiveCluster cluster = StartCluster();
  cluster.Apply(Team("team", 10));
  EXPECT_THAT(cluster.TryApply(QueueExcluding("example.com")).warnings,
              ElementsAre(HasSubstr("has no effect")));
  cluster.Apply(Job({.name = "train", .requests = "cpu: 1, example.com/nic: 1"}));
  cluster.AwaitPending("Job team/train", "NoMatchingFlavor");
  cluster.AwaitIdle();
  EXPECT_THAT(cluster.EventsAbout(cluster.WorkloadOf("Job team/train")->metadata.name),
              Not(Contains(HasSubstr("ResourcesExcluded"))));
}

}  // namespace
}  // namespace berth::embedded
