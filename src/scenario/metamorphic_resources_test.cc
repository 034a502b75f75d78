// Excluded requests change no decision, and claimed devices count like requested ones.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "api/dra/resource_claim_template.h"
#include "api/kueue/cluster_queue.h"
#include "api/kueue/cohort.h"
#include "api/kueue/workload.h"
#include "scenario/testing/scenario_pairs.h"

namespace berth::scenario {
namespace {

using quantity::Quantity;
using testing::All;
using testing::Copy;
using testing::MetamorphicTest;
using testing::ScenarioPair;

using RequestsMetamorphicTest = MetamorphicTest;

constexpr std::string_view kDomain = "idle.example.com";
constexpr std::string_view kIdle = "idle.example.com/thing";

// The same in every workload, so that equivalent ones stay equivalent.
void AskForIdleThings(Scenario& scenario) {
  for (api::Workload* workload : All<api::Workload>(scenario)) {
    for (api::PodSet& pod_set : workload->spec.pod_sets) {
      for (api::Container& container : pod_set.template_.spec.containers)
        container.resources.requests.Set(kIdle, Quantity::FromInt(7));
    }
  }
}

ScenarioPair PairOf(const Scenario& original, std::string about) {
  ScenarioPair pair(original);
  pair.about = std::move(about);
  pair.compares_reasons = true;
  return pair;
}

Scenario With(const Scenario& original, api::Gate gate) {
  Scenario scenario = Copy(original);
  scenario.gates.Set(gate, true);
  if (!scenario.configuration.resources) scenario.configuration.resources.emplace();
  return scenario;
}

// KEP-5800 rule 3.
TEST_F(RequestsMetamorphicTest, ThatAreExcludedChangeNothing) {
  const auto exclude = [](const Scenario& original) {
    const Scenario base = With(original, api::Gate::kClusterQueueResourceExclusion);
    ScenarioPair by_queue = PairOf(base, "a resource that queues exclude, and none");
    AskForIdleThings(by_queue.b);
    for (api::ClusterQueue* queue : All<api::ClusterQueue>(by_queue.b))
      queue->spec.exclude_resource_prefixes.emplace_back(kDomain);
    ScenarioPair by_all = PairOf(base, "a resource that the Configuration excludes, and none");
    AskForIdleThings(by_all.b);
    by_all.b.configuration.resources->exclude_resource_prefixes.emplace_back(kDomain);
    std::vector<ScenarioPair> all;
    all.push_back(std::move(by_queue));
    all.push_back(std::move(by_all));
    return all;
  };
  EXPECT_GT(testing::CompareInRandomScenarios(exclude), 100u);
}

// KEP-7513 rule 2.
TEST_F(RequestsMetamorphicTest, ThatAreNotDeclaredChangeNothingUnderOnlyDeclared) {
  const auto skip = [](const Scenario& original) {
    Scenario base = With(original, api::Gate::kQuotaCheck);
    base.configuration.resources->quota_check_strategy.reset();
    base.configuration.resources->quota_check = std::string(api::kQuotaCheckOnlyDeclared);
    std::vector<ScenarioPair> all;
    all.push_back(PairOf(base, "a resource that no queue declares, and none"));
    AskForIdleThings(all.back().b);
    return all;
  };
  EXPECT_GT(testing::CompareInRandomScenarios(skip), 100u);
}

// --- Devices ------------------------------------------------------------------------------------

constexpr std::string_view kGpu = "example.com/gpu";
constexpr std::string_view kClass = "gpu.example.com";

void CountDevices(std::vector<api::ResourceGroup>& groups) {
  for (api::ResourceGroup& group : groups) {
    for (api::FlavorQuotas& flavor : group.flavors) {
      for (api::ResourceQuota& quota : flavor.resources) {
        if (quota.name != kGpu) continue;
        quota.kind = std::string(api::kDeviceClass);
        quota.device_class_names = {std::string(kClass)};
      }
    }
  }
}

// Removes the GPUs from the requests of a pod. Nullopt if that would change its needs: fractions of
// a GPU, or init containers, which use theirs in sequence.
std::optional<int64_t> TakeOutGpus(api::PodSpec& pod) {
  for (const api::Container& init : pod.init_containers) {
    if (init.resources.requests.Contains(kGpu)) return std::nullopt;
  }
  int64_t count = 0;
  for (api::Container& container : pod.containers) {
    const Quantity* gpus = container.resources.requests.Find(kGpu);
    if (gpus == nullptr) continue;
    const int64_t whole = gpus->Value();
    if (whole <= 0 || Quantity::FromInt(whole) != *gpus) return std::nullopt;
    count += whole;
    container.resources.requests.Erase(kGpu);
    container.resources.limits.Erase(kGpu);
  }
  return count;
}

// Replaces requested GPUs by claims; false if that is not possible for all pods.
bool ClaimGpus(Scenario& scenario) {
  std::map<std::pair<std::string, int64_t>, api::ResourceClaimTemplate> templates;
  for (api::Workload* workload : All<api::Workload>(scenario)) {
    for (api::PodSet& pod_set : workload->spec.pod_sets) {
      const std::optional<int64_t> count = TakeOutGpus(pod_set.template_.spec);
      if (!count) return false;
      if (*count == 0) continue;
      api::ResourceClaimTemplate& made = templates[{workload->metadata.namespace_, *count}];
      made.metadata.namespace_ = workload->metadata.namespace_;
      made.metadata.name = "gpus-" + std::to_string(*count);
      api::DeviceRequest request;
      request.name = "gpus";
      request.exactly.emplace().device_class_name = kClass;
      request.exactly->count = *count;
      made.spec.spec.devices.requests = {request};
      api::PodResourceClaim& claim = pod_set.template_.spec.resource_claims.emplace_back();
      claim.name = "gpus";
      claim.resource_claim_template_name = made.metadata.name;
    }
  }
  for (auto& [key, made] : templates) {
    api::Object& object =
        scenario.steps.front().apply.emplace_back(api::ResourceClaimTemplate::KindInfo());
    *object.As<api::ResourceClaimTemplate>() = std::move(made);
  }
  return !templates.empty();
}

bool DeclaresGpus(const api::ClusterQueue* queue) {
  return std::ranges::any_of(queue->spec.resource_groups, [](const api::ResourceGroup& group) {
    return std::ranges::find(group.covered_resources, kGpu) != group.covered_resources.end();
  });
}

// KEP-2941 rule 7.
TEST_F(RequestsMetamorphicTest, ForAnExtendedResourceEqualClaimsOfADeviceClass) {
  const auto claim = [](const Scenario& original) {
    const Scenario base = With(original, api::Gate::kKueueDynamicResourceAllocation);
    std::vector<ScenarioPair> all;
    ScenarioPair pair = PairOf(base, "GPUs that are requested, and GPUs that are claimed");
    for (api::ClusterQueue* queue : All<api::ClusterQueue>(pair.b))
      CountDevices(queue->spec.resource_groups);
    for (api::Cohort* cohort : All<api::Cohort>(pair.b)) CountDevices(cohort->spec.resource_groups);
    // A class without a resource is a misconfiguration, which does not block a strict queue; an
    // undeclared resource does.
    const bool is_declared = std::ranges::all_of(All<api::ClusterQueue>(pair.a), DeclaresGpus);
    pair.compares_reasons = true;
    if (is_declared && ClaimGpus(pair.b)) all.push_back(std::move(pair));
    return all;
  };
  EXPECT_GT(testing::CompareInRandomScenarios(claim), 10u);
}

}  // namespace
}  // namespace berth::scenario
