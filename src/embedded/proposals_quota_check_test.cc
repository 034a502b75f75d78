// KEP-7513, resources.quotaCheck, end to end. Tests are named after the rules of
// docs/features/quota-check.md.

#include "embedded/testing/live_test.h"

namespace berth::embedded {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::Job;
using testing::LiveCluster;
using ::testing::Not;
using testing::StartCluster;
using testing::Team;

constexpr std::string_view kOnlyDeclared =
    "featureGates: {QuotaCheck: true}\nresources: {quotaCheck: OnlyDeclared}\n";

TEST(ProposalQuotaCheck, Rule1UnderAllAnUndeclaredRequestBlocksAJob) {
  LiveCluster cluster =
      StartCluster("featureGates: {QuotaCheck: true}\nresources: {quotaCheck: All}\n");
  cluster.Apply(Team("team", 10));
  cluster.Apply(Job({.name = "asks", .requests = "cpu: 1, example.com/nic: 1"}));
  cluster.Apply(Job({.name = "asks-for-none", .requests = "cpu: 1, example.com/nic: 0"}));
  cluster.AwaitPending("Job team/asks", "NoMatchingFlavor");
  cluster.AwaitRunning("Job team/asks-for-none");
}

TEST(ProposalQuotaCheck, Rule2UnderOnlyDeclaredItIsSkippedAndNotCharged) {
  LiveCluster cluster = StartCluster(kOnlyDeclared);
  cluster.Apply(Team("team", 10));
  cluster.Apply(Job({.name = "train", .requests = "cpu: 2, example.com/nic: 1"}));
  cluster.Apply(Job({.name = "nothing-left", .requests = "example.com/nic: 1"}));
  cluster.AwaitRunning("Job team/train");
  cluster.AwaitRunning("Job team/nothing-left");
  const auto charge = [&](std::string_view job) {
    return cluster.WorkloadOf(job)->status.admission->pod_set_assignments[0];
  };
  EXPECT_FALSE(charge("Job team/train").resource_usage.Contains("example.com/nic"));
  EXPECT_THAT(charge("Job team/nothing-left").flavors, IsEmpty());
}

TEST(ProposalQuotaCheck, Rule2ANewlyDeclaredResourceIsChecked) {
  LiveCluster cluster = StartCluster(kOnlyDeclared);
  cluster.Apply(Team("team", 2));
  cluster.Apply(Job({.name = "old", .requests = "cpu: 2, example.com/nic: 1"}));
  cluster.AwaitRunning("Job team/old");
  cluster.Apply(Job({.name = "new", .requests = "cpu: 2, example.com/nic: 1"}));
  cluster.AwaitPending("Job team/new", "WaitingForQuota");
  const auto declare = [&](int nics) {
    cluster.Patch("ClusterQueue team",
                  R"({"spec": {"resourceGroups": [{"coveredResources": ["cpu", "example.com/nic"],
                      "flavors": [{"name": "standard", "resources": [
                        {"name": "cpu", "nominalQuota": "4"},
                        {"name": "example.com/nic", "nominalQuota": ")" +
                      std::to_string(nics) + R"("}]}]}]}})");
  };
  declare(0);
  cluster.AwaitPending("Job team/new", "ExceedsMaxQuota");
  declare(1);
  cluster.AwaitRunning("Job team/new");
  const auto old = cluster.WorkloadOf("Job team/old")->status.admission->pod_set_assignments[0];
  EXPECT_FALSE(old.resource_usage.Contains("example.com/nic"));
}

TEST(ProposalQuotaCheck, Rule3PrefixesBesideItAreLoggedAsAWarningOnce) {
  LiveCluster cluster = StartCluster(
      "featureGates: {QuotaCheck: true}\n"
      "resources: {quotaCheck: OnlyDeclared, excludeResourcePrefixes: [cpu]}\n");
  const auto about_prefixes =
      AllOf(HasSubstr("resources.excludeResourcePrefixes"), HasSubstr("no effect"));
  EXPECT_THAT(cluster.log(), Contains(about_prefixes).Times(1));
  cluster.Apply(Team("team", 1));
  cluster.Apply(Job({.name = "train", .requests = "cpu: 2"}));
  cluster.AwaitPending("Job team/train", "ExceedsMaxQuota");
}

TEST(ProposalQuotaCheck, Rule4KueuesSpellingIsAccepted) {
  LiveCluster cluster = StartCluster("resources: {quotaCheckStrategy: IgnoreUndeclared}\n");
  cluster.Apply(Team("team", 10));
  cluster.Apply(Job({.name = "train", .requests = "cpu: 1, example.com/nic: 1"}));
  cluster.AwaitRunning("Job team/train");
}

TEST(ProposalQuotaCheck, Rule4TwoFieldsThatDisagreeAreAnErrorAtStart) {
  EXPECT_THAT(LiveCluster::StartError(
                  "featureGates: {QuotaCheck: true}\n"
                  "resources: {quotaCheck: All, quotaCheckStrategy: IgnoreUndeclared}\n"),
              HasSubstr("resources.quotaCheck: \"All\" contradicts"));
}

TEST(ProposalQuotaCheck, Rule5SkippedResourcesAreLoggedAndToldOncePerChange) {
  for (const std::string_view configuration :
       {kOnlyDeclared, std::string_view("resources: {quotaCheckStrategy: IgnoreUndeclared}\n")}) {
    LiveCluster cluster = StartCluster(std::string(configuration));
    cluster.Apply(Team("team", 1));
    cluster.Apply(Job({.name = "train", .requests = "cpu: 2, example.com/nic: 1"}));
    cluster.AwaitPending("Job team/train", "ExceedsMaxQuota");
    const std::string name = cluster.WorkloadOf("Job team/train")->metadata.name;
    const auto told = [&] {
      std::vector<std::string> events = cluster.EventsAbout(name);
      std::erase_if(events, [](const std::string& event) {
        return !event.starts_with("Normal ResourcesNotDeclared: ");
      });
      return events;
    };
    cluster.Await("the Event", [&] { return told().size() == 1; });
    EXPECT_THAT(told(),
                Contains(HasSubstr(R"(example.com/nic: not declared in ClusterQueue "team")")));
    EXPECT_THAT(cluster.log(),
                Contains(HasSubstr(R"(example.com/nic: not declared in ClusterQueue "team")")));
    cluster.Patch("ClusterQueue team", R"({"spec": {"queueingStrategy": "StrictFIFO"}})");
    cluster.AwaitIdle();
    EXPECT_EQ(told().size(), 1u) << "nothing changed";
  }
}

TEST(ProposalQuotaCheck, WhileItsGateIsOffEverythingIsChecked) {
  LiveCluster cluster = StartCluster("resources: {quotaCheck: OnlyDeclared}\n");
  EXPECT_THAT(cluster.log(), Contains(HasSubstr("feature gate QuotaCheck")));
  cluster.Apply(Team("team", 10));
  cluster.Apply(Job({.name = "train", .requests = "cpu: 1, example.com/nic: 1"}));
  cluster.AwaitPending("Job team/train", "NoMatchingFlavor");
  EXPECT_THAT(cluster.log(), Not(Contains(HasSubstr("not declared in"))));
}

}  // namespace
}  // namespace berth::embedded
