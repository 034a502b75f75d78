// KEP-3589, managedJobsNamespaceSelector, end to end. Tests are named after the rules of
// docs/features/managed-jobs-namespaces.md.

#include "embedded/testing/live_test.h"
#include "json/path.h"

namespace berth::embedded {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using testing::Job;
using testing::LiveCluster;
using testing::StartCluster;
using testing::Team;

constexpr std::string_view kSelector =
    "managedJobsNamespaceSelector: {matchLabels: {queued: 'yes'}}\n";

std::string ManagesAll(std::string_view more = "") {
  return "manageJobsWithoutQueueName: true\n" + std::string(kSelector) + std::string(more);
}

std::string Space(std::string_view name, bool is_selected) {
  return "apiVersion: v1\nkind: Namespace\nmetadata: {name: " + std::string(name) + ", labels: {" +
         (is_selected ? "queued: 'yes'" : "") + "}}\n";
}

// Namespaces "inside", which the selector matches, and "outside", which it does not; both use the
// ClusterQueue of the team.
void MakeSpaces(LiveCluster& cluster, int cpu = 10) {
  cluster.Apply(Team("team", cpu));
  for (const std::string space : {"inside", "outside"}) {
    cluster.Apply(Space(space, space == "inside"));
    cluster.Apply(
        "apiVersion: kueue.x-k8s.io/v1beta2\nkind: LocalQueue\nmetadata: {name: main, "
        "namespace: " +
        space + "}\nspec: {clusterQueue: team}\n");
  }
}

std::string QueueNamedBy(LiveCluster& cluster, std::string_view job) {
  const auto tree = cluster.Find(job);
  return std::string(json::StringAt(*tree, {"metadata", "labels", "kueue.x-k8s.io/queue-name"}));
}

void ExpectLeftAlone(LiveCluster& cluster, std::string_view job) {
  EXPECT_FALSE(cluster.IsSuspended(job)) << job;
  EXPECT_FALSE(cluster.WorkloadOf(job)) << job;
}

void AwaitHeldBack(LiveCluster& cluster, std::string_view job) {
  cluster.Await(std::string(job) + " is held back",
                [&] { return cluster.IsSuspended(job) && cluster.WorkloadOf(job); });
}

TEST(ProposalManagedJobs, Rule1ExactlyJobsWithAQueueNameAreManaged) {
  LiveCluster cluster = StartCluster(kSelector);
  MakeSpaces(cluster);
  cluster.Apply(Job({.name = "named", .space = "outside"}));
  cluster.Apply(Job({.name = "nameless", .space = "inside", .queue = ""}));
  cluster.AwaitRunning("Job outside/named");
  cluster.AwaitIdle();
  ExpectLeftAlone(cluster, "Job inside/nameless");
}

TEST(ProposalManagedJobs, Rule2JobsWithoutAQueueNameAreManagedWhereTheSelectorMatches) {
  LiveCluster cluster = StartCluster(ManagesAll());
  MakeSpaces(cluster);
  cluster.Apply(Job({.name = "nameless", .space = "inside", .queue = ""}));
  cluster.Apply(Job({.name = "nameless", .space = "outside", .queue = ""}));
  cluster.Apply(Job({.name = "named", .space = "outside"}));
  EXPECT_TRUE(cluster.IsSuspended("Job inside/nameless"));  // since its creation
  AwaitHeldBack(cluster, "Job inside/nameless");
  cluster.Await("an Event says why", [&] {
    return std::ranges::any_of(cluster.EventsAbout("nameless"), [](const std::string& event) {
      return event.starts_with("Warning QueueNameMissing: Queue name missing: not admitted until");
    });
  });
  cluster.AwaitRunning("Job outside/named");
  cluster.AwaitIdle();
  ExpectLeftAlone(cluster, "Job outside/nameless");
  cluster.Patch("Job inside/nameless",
                R"({"metadata": {"labels": {"kueue.x-k8s.io/queue-name": "main"}}})");
  cluster.AwaitRunning("Job inside/nameless");
}

TEST(ProposalManagedJobs, Rule3TheDefaultSelectorExcludesSystemNamespaces) {
  LiveCluster cluster = StartCluster("manageJobsWithoutQueueName: true\n");
  MakeSpaces(cluster);
  cluster.Apply(Job({.name = "nameless", .space = "kube-system", .queue = ""}));
  cluster.Apply(Job({.name = "nameless", .space = "outside", .queue = ""}));
  AwaitHeldBack(cluster, "Job outside/nameless");
  cluster.AwaitIdle();
  ExpectLeftAlone(cluster, "Job kube-system/nameless");
}

TEST(ProposalManagedJobs, Rule3ASelectorThatMatchesASystemNamespaceIsAnErrorAtStart) {
  EXPECT_THAT(LiveCluster::StartError("managedJobsNamespaceSelector: {}\n"),
              HasSubstr(R"(managedJobsNamespaceSelector: matches the namespace "kube-system")"));
  EXPECT_THAT(LiveCluster::StartError(
                  "managedJobsNamespaceSelector: {matchExpressions: [{key: "
                  "kubernetes.io/metadata.name, operator: NotIn, values: [kube-system]}]}\n"),
              HasSubstr(R"(matches the namespace "kueue-system")"));
}

TEST(ProposalManagedJobs, Rule4ChildrenOfAManagedJobAreIgnoredAtAnyDepth) {
  LiveCluster cluster = StartCluster(ManagesAll());
  MakeSpaces(cluster);
  cluster.Apply(Job({.name = "parent", .space = "inside"}));
  const auto child_of = [&](const std::string& parent, std::string_view name) {
    const auto owner = cluster.Find("Job inside/" + parent);
    const std::string reference =
        "  ownerReferences: [{apiVersion: batch/v1, kind: Job, name: " + parent + ", uid: '" +
        std::string(json::StringAt(*owner, {"metadata", "uid"})) + "', controller: true}]\n";
    return Job({.name = name, .space = "inside", .queue = "", .metadata = reference});
  };
  cluster.Apply(child_of("parent", "child"));
  cluster.Apply(child_of("child", "grandchild"));
  cluster.AwaitRunning("Job inside/parent");
  cluster.AwaitIdle();
  ExpectLeftAlone(cluster, "Job inside/child");
  ExpectLeftAlone(cluster, "Job inside/grandchild");
}

TEST(ProposalManagedJobs, Rule4AChildIsIgnoredEvenIfTheKindOfItsParentWasJustDefined) {
  struct Kind {
    std::string framework, api_version, kind, plural, spec;
  };
  const std::string pod = "template: {spec: {containers: [{name: main, image: main}]}}";
  const std::string worker = "{Worker: {replicas: 1, " + pod + "}}";
  const std::string head = "{headGroupSpec: {" + pod + "}}";
  const Kind kinds[] = {
      {"jobset.x-k8s.io/jobset", "jobset.x-k8s.io/v1alpha2", "JobSet", "jobsets",
       "{replicatedJobs: [{name: main, replicas: 1, template: {spec: {" + pod + "}}}]}"},
      {"kubeflow.org/jaxjob", "kubeflow.org/v1", "JAXJob", "jaxjobs",
       "{jaxReplicaSpecs: " + worker + "}"},
      {"kubeflow.org/tfjob", "kubeflow.org/v1", "TFJob", "tfjobs",
       "{tfReplicaSpecs: " + worker + "}"},
      {"ray.io/raycluster", "ray.io/v1", "RayCluster", "rayclusters", head},
      {"ray.io/rayjob", "ray.io/v1", "RayJob", "rayjobs",
       "{shutdownAfterJobFinishes: true, rayClusterSpec: " + head + "}"},
  };
  std::string frameworks = "batch/job";
  for (const Kind& kind : kinds) frameworks += ", " + kind.framework;
  LiveCluster cluster =
      StartCluster(ManagesAll("integrations: {frameworks: [" + frameworks + "]}\n"));
  MakeSpaces(cluster);
  cluster.AwaitIdle();
  for (const Kind& kind : kinds) {
    cluster.Create(testing::Definition(kind.api_version, kind.kind, kind.plural));
    const std::string type = "apiVersion: " + kind.api_version + "\nkind: " + kind.kind + "\n";
    cluster.Apply(type +
                  "metadata: {name: parent, namespace: inside, labels: "
                  "{kueue.x-k8s.io/queue-name: main}}\nspec: " +
                  kind.spec + "\n");
    const auto parent = cluster.Find(kind.kind + " inside/parent");
    const std::string reference = "  ownerReferences: [{apiVersion: " + kind.api_version +
                                  ", kind: " + kind.kind + ", name: parent, uid: '" +
                                  std::string(json::StringAt(*parent, {"metadata", "uid"})) +
                                  "', controller: true}]\n";
    cluster.Apply(
        Job({.name = kind.plural, .space = "inside", .queue = "", .metadata = reference}));
    cluster.AwaitIdle();
    ExpectLeftAlone(cluster, "Job inside/" + kind.plural);
  }
}

TEST(ProposalManagedJobs, Rule5TheSelectorAppliesBeforeTheDefaultQueue) {
  LiveCluster cluster = StartCluster(ManagesAll());
  MakeSpaces(cluster);
  for (const std::string space : {"inside", "outside"})
    cluster.Apply(
        "apiVersion: kueue.x-k8s.io/v1beta2\nkind: LocalQueue\nmetadata: {name: default, "
        "namespace: " +
        space + "}\nspec: {clusterQueue: team}\n");
  cluster.Apply(Job({.name = "nameless", .space = "inside", .queue = ""}));
  cluster.Apply(Job({.name = "nameless", .space = "outside", .queue = ""}));
  EXPECT_EQ(QueueNamedBy(cluster, "Job inside/nameless"), "default");
  EXPECT_EQ(QueueNamedBy(cluster, "Job outside/nameless"), "");
  cluster.AwaitRunning("Job inside/nameless");
  cluster.AwaitIdle();
  ExpectLeftAlone(cluster, "Job outside/nameless");
}

TEST(ProposalManagedJobs, Rule6ANewlyMatchingNamespaceIsManagedWithoutARestart) {
  LiveCluster cluster = StartCluster(ManagesAll());
  MakeSpaces(cluster);
  cluster.Apply(Job({.name = "old", .space = "outside", .queue = ""}));
  cluster.AwaitIdle();
  ExpectLeftAlone(cluster, "Job outside/old");
  cluster.Apply(Space("outside", true));
  AwaitHeldBack(cluster, "Job outside/old");
  cluster.Apply(Job({.name = "new", .space = "outside", .queue = ""}));
  AwaitHeldBack(cluster, "Job outside/new");
}

TEST(ProposalManagedJobs, Rule6ANoLongerMatchingNamespaceReleasesItsJobs) {
  LiveCluster cluster = StartCluster(ManagesAll());
  MakeSpaces(cluster);
  cluster.Apply(Job({.name = "nameless", .space = "inside", .queue = ""}));
  cluster.Apply(Job({.name = "named", .space = "inside"}));
  AwaitHeldBack(cluster, "Job inside/nameless");
  cluster.AwaitRunning("Job inside/named");
  cluster.Apply(Space("inside", false));
  cluster.Await("the job is released", [&] {
    return !cluster.IsSuspended("Job inside/nameless") &&
           !cluster.WorkloadOf("Job inside/nameless");
  });
  cluster.AwaitIdle();
  EXPECT_THAT(cluster.EventsAbout("nameless"), Contains(HasSubstr("Normal Released")));
  EXPECT_TRUE(cluster.IsRunning("Job inside/named"));
}

TEST(ProposalManagedJobs, Rule6ANoLongerMatchingNamespaceReleasesThePodsOfSets) {
  LiveCluster cluster =
      StartCluster(ManagesAll("integrations: {frameworks: [pod, deployment, statefulset]}\n"),
                   embedded::SimulationSettings{.run_time = base::Duration::Seconds(3600),
                                                .start_time = base::Duration::Milliseconds(1)});
  MakeSpaces(cluster);
  const auto status = [&](const std::string& set, const char* field) {
    return json::TextAt(*cluster.Find(set), std::string("status.") + field);
  };
  const std::string sets[] = {"Deployment inside/web", "StatefulSet inside/web"};
  for (const std::string& set : sets) {
    const std::string kind = set.substr(0, set.find(' '));
    cluster.Apply("apiVersion: apps/v1\nkind: " + kind +
                  "\nmetadata: {name: web, namespace: inside}\nspec: {replicas: 2, selector: "
                  "{matchLabels: {app: " +
                  kind + "}}, template: {metadata: {labels: {app: " + kind +
                  "}}, spec: {containers: [{name: c, image: example.com/c, resources: {requests: "
                  "{cpu: 1}}}]}}}\n");
    cluster.Await(set + " has pods", [&] { return !status(set, "replicas").empty(); });
  }
  cluster.AwaitIdle();
  for (const std::string& set : sets) EXPECT_EQ(status(set, "readyReplicas"), "") << set;
  cluster.Apply(Space("inside", false));
  for (const std::string& set : sets)
    cluster.Await(set + " runs", [&] { return status(set, "readyReplicas") == "2"; });
}

TEST(ProposalManagedJobs, Rule6And8TheQuotaOfAReleasedJobIsFree) {
  LiveCluster cluster = StartCluster(
      ManagesAll("featureGates: {ManagedJobsNamespaceSelectorAlwaysRespected: true}\n"));
  MakeSpaces(cluster, 4);
  cluster.Apply(Space("team", true));
  cluster.Apply(Job({.name = "train", .space = "inside", .requests = "cpu: 4"}));
  cluster.AwaitRunning("Job inside/train");
  cluster.Apply(Job({.name = "waits", .requests = "cpu: 4"}));
  cluster.AwaitPending("Job team/waits", "WaitingForQuota");
  cluster.Apply(Space("inside", false));
  cluster.AwaitRunning("Job team/waits");
  cluster.AwaitIdle();
  ExpectLeftAlone(cluster, "Job inside/train");
}

TEST(ProposalManagedJobs, Rule7PodOptionsAreReadAndLoggedAsDeprecated) {
  LiveCluster cluster = StartCluster(
      ManagesAll("integrations: {frameworks: [batch/job, pod], podOptions: {namespaceSelector: "
                 "{matchLabels: {pods: 'yes'}}}}\n"));
  EXPECT_THAT(cluster.log(), Contains(HasSubstr("integrations.podOptions: is deprecated")));
  MakeSpaces(cluster);
  const auto pod = [&](std::string_view name) {
    cluster.Apply("apiVersion: v1\nkind: Pod\nmetadata: {name: " + std::string(name) +
                  ", namespace: inside}\nspec: {containers: [{name: c, image: i}]}\n");
    const auto tree = cluster.Find("Pod inside/" + std::string(name));
    return json::Find(*tree, {"spec", "schedulingGates"}) != nullptr;
  };
  EXPECT_FALSE(pod("before"));
  cluster.Apply(Job({.name = "nameless", .space = "inside", .queue = ""}));
  EXPECT_TRUE(cluster.IsSuspended("Job inside/nameless"));
  cluster.Patch("Namespace inside", R"({"metadata": {"labels": {"pods": "yes"}}})");
  EXPECT_TRUE(pod("after"));
}

TEST(ProposalManagedJobs, Rule8WithTheGateAQueueNameCountsOnlyWhereTheSelectorMatches) {
  LiveCluster cluster = StartCluster(
      ManagesAll("featureGates: {ManagedJobsNamespaceSelectorAlwaysRespected: true}\n"));
  MakeSpaces(cluster);
  cluster.Apply(Job({.name = "named", .space = "outside"}));
  cluster.Apply(Job({.name = "named", .space = "inside"}));
  cluster.AwaitRunning("Job inside/named");
  cluster.AwaitIdle();
  ExpectLeftAlone(cluster, "Job outside/named");
}

}  // namespace
}  // namespace berth::embedded
