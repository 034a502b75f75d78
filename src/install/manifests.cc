#include "install/manifests.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "api/kueue/well_known.h"
#include "api/meta/registry.h"
#include "schema/crd.h"

namespace berth::install {
namespace {}  // namespace

// Workload sets are queued through their pods, so they need the pod integration.
static void AddPodsOfSets(const Options& options, std::vector<const jobs::Integration*>& listed) {
  const auto are_pods = [](const jobs::Integration* listed_one) {
    return listed_one->suspension == jobs::kSuspendedByGate;
  };
  if (std::ranges::any_of(listed, are_pods)) return;
  const bool has_sets = std::ranges::any_of(listed, &jobs::Integration::uses_scheduling_gates);
  const jobs::Integration* pods = has_sets ? options.integrations->FindFramework("pod") : nullptr;
  if (pods != nullptr) listed.push_back(pods);
}

std::vector<const jobs::Integration*> ListedIntegrations(const Options& options) {
  std::vector<const jobs::Integration*> listed;
  const auto& settings = options.configuration.integrations;
  if (!settings || !settings->frameworks) return listed;
  for (const std::string& framework : *settings->frameworks)
    if (const auto* integration = options.integrations->FindFramework(framework))
      listed.push_back(integration);
  AddPodsOfSets(options, listed);
  return listed;
}

std::vector<json::value> Definitions(const Options& options) {
  std::vector<json::value> definitions;
  for (const schema::Kind* kind : api::AllKinds()) {
    if (kind->group != api::kKueueGroup || kind->plural.empty()) continue;
    auto tree = json::Parse(schema::CustomResourceDefinition(*kind));
    if (!tree) continue;
    if (json::value* service =
            json::Find(*tree, {"spec", "conversion", "webhook", "clientConfig", "service"}))
      service->as_object()["namespace"] = options.configuration.namespace_;
    definitions.push_back(std::move(*tree));
  }
  return definitions;
}

std::vector<json::value> Manifests(const Options& options) {
  std::vector<json::value> all;
  for (auto part : {Definitions, Roles, Deployment, Webhooks})
    std::ranges::move(part(options), std::back_inserter(all));
  // The namespace must exist before the objects in it.
  std::ranges::stable_partition(all, [](const json::value& object) {
    return json::StringAt(object, {"kind"}) == "Namespace";
  });
  return all;
}

}  // namespace berth::install
