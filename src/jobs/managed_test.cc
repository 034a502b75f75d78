// Which jobs are managed: all combinations for all kinds, then each rule.

#include "jobs/managed.h"

#include <gtest/gtest.h>

#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "api/config/integration_names.h"
#include "api/kueue/well_known.h"

namespace berth::jobs {
namespace {

const api::Labels kTeamA = {{"kubernetes.io/metadata.name", "a"}, {"team", "a"}, {"pods", "yes"}};
const api::Labels kTeamAWithoutPods = {{"kubernetes.io/metadata.name", "a"}, {"team", "a"}};
const api::Labels kTeamB = {{"kubernetes.io/metadata.name", "b"}, {"team", "b"}, {"pods", "yes"}};

struct ConfigurationTraits {
  bool manages_all = false;
  bool has_pod_options = false;
};

std::string ApiVersionOf(const api::IntegrationName& integration) {
  return integration.group.empty()
             ? std::string(integration.version)
             : std::string(integration.group) + "/" + std::string(integration.version);
}

api::Configuration AllKinds(const ConfigurationTraits& traits) {
  api::Configuration configuration;
  configuration.manage_jobs_without_queue_name = traits.manages_all;
  configuration.managed_jobs_namespace_selector.emplace().match_labels = {{"team", "a"}};
  auto& integrations = configuration.integrations.emplace();
  integrations.frameworks.emplace();
  for (const api::IntegrationName& integration : api::AllIntegrations())
    integrations.frameworks->push_back(std::string(integration.framework));
  integrations.external_frameworks = {"Workflow.v1.example.com"};
  if (traits.has_pod_options)
    integrations.pod_options.emplace().namespace_selector.emplace().match_labels = {
        {"pods", "yes"}};
  return configuration;
}

api::FeatureGates GatesWith(bool always_respected) {
  api::FeatureGates gates;
  gates.Set(api::Gate::kManagedJobsNamespaceSelectorAlwaysRespected, always_respected);
  gates.Set(api::Gate::kSparkApplicationIntegration, true);
  return gates;
}

// An object and its owners, nearest first.
class Family {
 public:
  Family(std::string_view api_version, std::string_view kind, std::string_view queue) {
    Add(api_version, kind, queue);
  }

  Family& OwnedBy(std::string_view api_version, std::string_view kind, std::string_view queue) {
    api::ObjectMeta& child = members_.back().metadata;
    Add(api_version, kind, queue);
    child.owner_references.push_back({.kind = std::string(kind),
                                      .name = members_.back().metadata.name,
                                      .uid = members_.back().metadata.uid,
                                      .controller = true});
    return *this;
  }

  api::ObjectMeta& At(size_t depth) { return members_[depth].metadata; }

  ManagedAnswer Ask(const api::Labels& space, const ManagedJobsPolicy& policy) const {
    std::vector<ObjectView> views;
    for (const Member& member : members_)
      views.push_back({member.api_version, member.kind, &member.metadata});
    return IsManaged(views.front(), space, std::span(views).subspan(1), policy);
  }

 private:
  struct Member {
    std::string api_version;
    std::string kind;
    api::ObjectMeta metadata;
  };

  void Add(std::string_view api_version, std::string_view kind, std::string_view queue) {
    Member& member = members_.emplace_back(std::string(api_version), std::string(kind));
    member.metadata.name = "x";
    member.metadata.uid = "uid-" + std::to_string(members_.size());
    if (!queue.empty()) member.metadata.labels.Set(api::kQueueNameLabel, std::string(queue));
  }

  std::deque<Member> members_;
};

// --- Every combination -----------------------------------------------------------------------

struct Combination {
  const api::IntegrationName* integration = nullptr;
  bool has_queue = false;
  bool manages_all = false;
  const api::Labels* space = nullptr;
  bool has_pod_options = false;
  bool always_respected = false;
  int managed_owner_depth = 0;  // 0: no owner
  bool is_uid_right = true;     // of all owners
};

bool Selects(const Combination& c) {
  const bool is_pod_like = c.integration->framework == "pod" ||
                           c.integration->framework == "deployment" ||
                           c.integration->framework == "statefulset";
  if (*c.space->Find("team") != "a") return false;
  return !is_pod_like || !c.has_pod_options || c.space->Contains("pods");
}

// The rules as a naive model. The managed owner is an AppWrapper with a queue name, to which the
// deprecated options do not apply.
bool Expected(const Combination& c) {
  const bool is_owner_managed = !c.always_respected || *c.space->Find("team") == "a";
  if (c.managed_owner_depth > 0 && c.is_uid_right && is_owner_managed) return false;
  if (c.has_queue) return !c.always_respected || Selects(c);
  return c.manages_all && Selects(c);
}

ManagedAnswer Ask(const Combination& c) {
  Family family(ApiVersionOf(*c.integration), c.integration->kind, c.has_queue ? "main" : "");
  for (int depth = 1; depth <= c.managed_owner_depth; ++depth) {
    if (depth == c.managed_owner_depth) {
      family.OwnedBy("workload.codeflare.dev/v1beta2", "AppWrapper", "main");
    } else {
      family.OwnedBy("example.com/v1", "Anything", "");
    }
  }
  if (!c.is_uid_right && c.managed_owner_depth > 0)
    family.At(static_cast<size_t>(c.managed_owner_depth)).uid = "another";
  const ManagedJobsPolicy policy(
      AllKinds({.manages_all = c.manages_all, .has_pod_options = c.has_pod_options}),
      GatesWith(c.always_respected));
  return family.Ask(*c.space, policy);
}

std::string Describe(const Combination& c) {
  const auto word = [](std::string_view name, bool is) {
    return std::string(is ? " " : " no ") + std::string(name);
  };
  return std::string(c.integration->framework) + word("queue", c.has_queue) +
         word("manageAll", c.manages_all) + " team=" + *c.space->Find("team") +
         word("pods-label", c.space->Contains("pods")) + word("podOptions", c.has_pod_options) +
         word("gate", c.always_respected) +
         " owner-depth=" + std::to_string(c.managed_owner_depth) +
         word("right-uid", c.is_uid_right);
}

template <class Visit>
void ForEveryCombination(const Visit& visit) {
  for (const api::IntegrationName& integration : api::AllIntegrations()) {
    for (const api::Labels* space : {&kTeamA, &kTeamAWithoutPods, &kTeamB}) {
      for (int depth = 0; depth <= 3; ++depth) {
        for (unsigned bits = 0; bits < 32; ++bits) {
          visit(Combination{.integration = &integration,
                            .has_queue = (bits & 1) != 0,
                            .manages_all = (bits & 2) != 0,
                            .space = space,
                            .has_pod_options = (bits & 4) != 0,
                            .always_respected = (bits & 8) != 0,
                            .managed_owner_depth = depth,
                            .is_uid_right = (bits & 16) != 0});
        }
      }
    }
  }
}

TEST(ManagedJobs, EveryCombinationForEveryKind) {
  size_t count = 0;
  ForEveryCombination([&](const Combination& c) {
    ++count;
    ASSERT_EQ(Ask(c).is_managed(), Expected(c)) << Describe(c);
  });
  EXPECT_EQ(count, api::AllIntegrations().size() * 3 * 4 * 32);
}

TEST(ManagedJobs, TheAnswerIsTheSameForEveryKindWithoutPodOptions) {
  ForEveryCombination([&](const Combination& c) {
    if (c.has_pod_options) return;
    Combination job = c;
    job.integration = api::FindIntegration("batch/job");
    ASSERT_EQ(Ask(c), Ask(job)) << Describe(c);
  });
}

// --- The rules ---------------------------------------------------------------------------------

ManagedAnswer AnswerFor(const Family& family, const api::Labels& space,
                        const ConfigurationTraits& traits = {}, bool always_respected = false) {
  return family.Ask(space, ManagedJobsPolicy(AllKinds(traits), GatesWith(always_respected)));
}

TEST(ManagedJobsRule1, WithoutManageAllOnlyQueueNamesCount) {
  EXPECT_EQ(AnswerFor({"batch/v1", "Job", "main"}, kTeamB).reason, ManagedReason::kQueueName);
  EXPECT_EQ(AnswerFor({"batch/v1", "Job", ""}, kTeamA).reason, ManagedReason::kNoQueueName);
}

TEST(ManagedJobsRule2, WithManageAllTheSelectorPicksAmongJobsWithoutQueue) {
  const ConfigurationTraits all{.manages_all = true};
  EXPECT_EQ(AnswerFor({"batch/v1", "Job", ""}, kTeamA, all).reason, ManagedReason::kNamespace);
  EXPECT_EQ(AnswerFor({"batch/v1", "Job", ""}, kTeamB, all).reason,
            ManagedReason::kNamespaceNotSelected);
  EXPECT_EQ(AnswerFor({"batch/v1", "Job", "main"}, kTeamB, all).reason, ManagedReason::kQueueName);
}

TEST(ManagedJobsRule3, TheDefaultSelectorExcludesSystemNamespaces) {
  api::Configuration configuration;
  configuration.manage_jobs_without_queue_name = true;
  api::ApplyConfigurationDefaults(configuration, "berth-home");
  const ManagedJobsPolicy policy(configuration, api::FeatureGates());
  const auto managed_in = [&](const char* name) {
    return Family("batch/v1", "Job", "")
        .Ask({{"kubernetes.io/metadata.name", name}}, policy)
        .is_managed();
  };
  EXPECT_FALSE(managed_in("kube-system"));
  EXPECT_FALSE(managed_in("berth-home"));
  EXPECT_TRUE(managed_in("kueue-system"));
  EXPECT_TRUE(managed_in("team-a"));
}

TEST(ManagedJobsRule4, ChildrenOfManagedObjectsAreNotManaged) {
  Family family("batch/v1", "Job", "main");
  family.OwnedBy("jobset.x-k8s.io/v1alpha2", "JobSet", "")
      .OwnedBy("workload.codeflare.dev/v1beta2", "AppWrapper", "main");
  EXPECT_EQ(AnswerFor(family, kTeamA),
            (ManagedAnswer{.reason = ManagedReason::kManagedOwner, .owner = "AppWrapper x"}));
}

TEST(ManagedJobsRule4, TheVersionInAnOwnersApiVersionDoesNotMatter) {
  Family family("batch/v1", "Job", "");
  family.OwnedBy("jobset.x-k8s.io/v1beta9", "JobSet", "main");
  EXPECT_EQ(AnswerFor(family, kTeamA).reason, ManagedReason::kManagedOwner);
}

TEST(ManagedJobsRule4, AnUnmanagedOwnerIsIgnored) {
  Family family("batch/v1", "Job", "main");
  family.OwnedBy("jobset.x-k8s.io/v1alpha2", "JobSet", "");
  EXPECT_EQ(AnswerFor(family, kTeamB, {.manages_all = true}).reason, ManagedReason::kQueueName);
  EXPECT_EQ(AnswerFor(family, kTeamA, {.manages_all = true}).reason, ManagedReason::kManagedOwner);
}

TEST(ManagedJobsRule4, ARecreatedOwnerIsNotTheOwner) {
  Family family("batch/v1", "Job", "main");
  family.OwnedBy("jobset.x-k8s.io/v1alpha2", "JobSet", "main");
  family.At(1).uid = "a new one";
  EXPECT_EQ(AnswerFor(family, kTeamA).reason, ManagedReason::kQueueName);
}

TEST(ManagedJobsRule4, OnlyTheControllerIsAnOwner) {
  Family family("batch/v1", "Job", "main");
  family.OwnedBy("jobset.x-k8s.io/v1alpha2", "JobSet", "main");
  family.At(0).owner_references[0].controller.reset();
  EXPECT_EQ(AnswerFor(family, kTeamA).reason, ManagedReason::kQueueName);
}

TEST(ManagedJobsRule4, OwnersOfOtherControllersKindsCountToo) {
  Family family("batch/v1", "Job", "");
  family.OwnedBy("example.com/v1", "Workflow", "main");
  EXPECT_EQ(AnswerFor(family, kTeamA).reason, ManagedReason::kManagedOwner);
}

Family PodOfDeployment(std::string_view queue_of_deployment) {
  Family family("v1", "Pod", "main");
  family.OwnedBy("apps/v1", "ReplicaSet", "").OwnedBy("apps/v1", "Deployment", queue_of_deployment);
  family.At(0).annotations.Set(api::kPodSuspendingParentAnnotation, "deployment");
  return family;
}

TEST(ManagedJobsRule4, DeploymentsAreQueuedThroughTheirPods) {
  EXPECT_EQ(AnswerFor(PodOfDeployment("main"), kTeamA),
            (ManagedAnswer{.reason = ManagedReason::kPodOfManaged, .owner = "Deployment x"}));
}

TEST(ManagedJobsRule4, PodsOfADeploymentWithAManagedOwnerAreNotManaged) {
  Family family = PodOfDeployment("main");
  family.OwnedBy("workload.codeflare.dev/v1beta2", "AppWrapper", "main");
  EXPECT_EQ(AnswerFor(family, kTeamA).owner, "AppWrapper x");
  EXPECT_FALSE(AnswerFor(family, kTeamA).is_managed());
}

TEST(ManagedJobsRule4, PodsOfListedDeploymentsNeedNoPodIntegration) {
  api::Configuration configuration = AllKinds({});
  configuration.integrations->frameworks = {"deployment"};
  const ManagedJobsPolicy policy(configuration, api::FeatureGates());
  EXPECT_EQ(PodOfDeployment("main").Ask(kTeamA, policy).reason, ManagedReason::kPodOfManaged);
  EXPECT_EQ(Family("v1", "Pod", "main").Ask(kTeamA, policy).reason, ManagedReason::kKindNotListed);
}

TEST(ManagedJobsRule6, TheAnswerFollowsTheNamespacesLabels) {
  const ManagedJobsPolicy policy(AllKinds({.manages_all = true}), api::FeatureGates());
  const Family job("batch/v1", "Job", "");
  api::Labels labels = kTeamA;
  EXPECT_TRUE(job.Ask(labels, policy).is_managed());
  labels.Set("team", "b");
  EXPECT_FALSE(job.Ask(labels, policy).is_managed());
}

TEST(ManagedJobsRule7, PodOptionsNarrowTheSelectorForPodsDeploymentsAndStatefulSets) {
  const ConfigurationTraits narrow{.manages_all = true, .has_pod_options = true};
  for (const auto& [api_version, kind] :
       {std::pair("v1", "Pod"), std::pair("apps/v1", "Deployment"),
        std::pair("apps/v1", "StatefulSet")}) {
    EXPECT_EQ(AnswerFor({api_version, kind, ""}, kTeamAWithoutPods, narrow).reason,
              ManagedReason::kNotInPodOptions);
    EXPECT_EQ(AnswerFor({api_version, kind, ""}, kTeamA, narrow).reason, ManagedReason::kNamespace);
    EXPECT_EQ(AnswerFor({api_version, kind, "main"}, kTeamAWithoutPods, narrow).reason,
              ManagedReason::kQueueName);
  }
  EXPECT_EQ(
      AnswerFor({"leaderworkerset.x-k8s.io/v1", "LeaderWorkerSet", ""}, kTeamAWithoutPods, narrow)
          .reason,
      ManagedReason::kNamespace);
}

TEST(ManagedJobsRule7, ThePodSelectorPicksAmongPodsWithoutQueue) {
  api::Configuration configuration = AllKinds({.manages_all = true});
  configuration.integrations->pod_options.emplace().pod_selector.emplace().match_labels = {
      {"batch", "yes"}};
  const ManagedJobsPolicy policy(configuration, api::FeatureGates());
  Family pod("v1", "Pod", "");
  EXPECT_EQ(pod.Ask(kTeamA, policy).reason, ManagedReason::kNotInPodOptions);
  pod.At(0).labels.Set("batch", "yes");
  EXPECT_EQ(pod.Ask(kTeamA, policy).reason, ManagedReason::kNamespace);
  EXPECT_EQ(Family("apps/v1", "Deployment", "").Ask(kTeamA, policy).reason,
            ManagedReason::kNamespace);
}

TEST(ManagedJobsRule8, WithTheGateQueueNamesCountOnlyInMatchingNamespaces) {
  EXPECT_EQ(AnswerFor({"batch/v1", "Job", "main"}, kTeamA, {}, true).reason,
            ManagedReason::kQueueName);
  EXPECT_EQ(AnswerFor({"batch/v1", "Job", "main"}, kTeamB, {}, true).reason,
            ManagedReason::kNamespaceNotSelected);
}

// --- Kinds -------------------------------------------------------------------------------------

TEST(ManagedKinds, UnlistedKindsAreNotManaged) {
  api::Configuration configuration = AllKinds({});
  configuration.integrations->frameworks = {"batch/job"};
  const ManagedJobsPolicy policy(configuration, api::FeatureGates());
  EXPECT_EQ(Family("jobset.x-k8s.io/v1alpha2", "JobSet", "main").Ask(kTeamA, policy).reason,
            ManagedReason::kKindNotListed);
  EXPECT_EQ(Family("example.com/v1", "Job", "main").Ask(kTeamA, policy).reason,
            ManagedReason::kKindNotListed);
}

TEST(ManagedKinds, KindsOfExternalControllersAreNotManaged) {
  EXPECT_EQ(AnswerFor({"example.com/v1", "Workflow", "main"}, kTeamA).reason,
            ManagedReason::kExternalKind);
}

TEST(ManagedKinds, SparkApplicationsNeedTheirGate) {
  EXPECT_EQ(Family("sparkoperator.k8s.io/v1beta2", "SparkApplication", "main")
                .Ask(kTeamA, ManagedJobsPolicy(AllKinds({}), api::FeatureGates()))
                .reason,
            ManagedReason::kKindNotListed);
}

TEST(ManagedKinds, AKindThatAnAdminDescribesNeedsNoListing) {
  const ManagedJobsPolicy::Kind kinds[] = {{.group = "example.com", .kind = "Train"}};
  const ManagedJobsPolicy policy(AllKinds({}), api::FeatureGates(), kinds);
  EXPECT_EQ(Family("example.com/v1", "Train", "main").Ask(kTeamA, policy).reason,
            ManagedReason::kQueueName);
}

TEST(ManagedKinds, WithoutASelectorNoNamespaceMatches) {
  api::Configuration configuration = AllKinds({.manages_all = true});
  configuration.managed_jobs_namespace_selector.reset();
  const ManagedJobsPolicy policy(configuration, api::FeatureGates());
  EXPECT_FALSE(Family("batch/v1", "Job", "").Ask(kTeamA, policy).is_managed());
}

// --- Text ---------------------------------------------------------------------------------------

std::string TextFor(const ManagedAnswer& answer, const ConfigurationTraits& traits = {}) {
  api::ObjectMeta metadata;
  metadata.labels.Set(api::kQueueNameLabel, "main");
  return ToString(answer, {"batch/v1", "Job", &metadata},
                  ManagedJobsPolicy(AllKinds(traits), api::FeatureGates()));
}

TEST(ManagedText, GivesTheReason) {
  EXPECT_EQ(TextFor({.reason = ManagedReason::kQueueName}), "managed: queue name is \"main\"");
  EXPECT_EQ(TextFor({.reason = ManagedReason::kNamespace}),
            "managed: no queue name, and managedJobsNamespaceSelector (team=a) matches the "
            "namespace");
  EXPECT_EQ(TextFor({.reason = ManagedReason::kManagedOwner, .owner = "JobSet train"}),
            "not managed: owner JobSet train is managed");
  EXPECT_EQ(TextFor({.reason = ManagedReason::kNoQueueName}),
            "not managed: no queue name, and manageJobsWithoutQueueName is not set");
  EXPECT_EQ(TextFor({.reason = ManagedReason::kNamespaceNotSelected}),
            "not managed: managedJobsNamespaceSelector (team=a) does not match the namespace");
}

}  // namespace
}  // namespace berth::jobs
