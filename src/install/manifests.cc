#include "install/manifests.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "api/registry.h"
#include "api/well_known.h"
#include "schema/crd.h"

namespace berth::install {
namespace {

namespace json = store::json;

}  // namespace

// Sets wait through their pods, so pods are a concern where a set is listed.
static void AddPodsOfSets(const Options& options, std::vector<const jobs::Integration*>& listed) {
  const auto are_pods = [](const jobs::Integration* listed_one) {
    return listed_one->waits == jobs::kWaitsAsPods;
  };
  if (std::ranges::any_of(listed, are_pods)) return;
  const bool has_sets = std::ranges::any_of(listed, &jobs::Integration::waits_through_pods);
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
    auto tree = store::ParseJson(schema::CustomResourceDefinition(*kind));
    if (!tree) continue;
    if (json::value* service =
            store::FindJson(*tree, {"spec", "conversion", "webhook", "clientConfig", "service"}))
      service->as_object()["namespace"] = options.configuration.namespace_;
    definitions.push_back(std::move(*tree));
  }
  return definitions;
}

std::vector<json::value> Manifests(const Options& options) {
  std::vector<json::value> all;
  for (auto part : {Definitions, Roles, Deployment, Webhooks})
    std::ranges::move(part(options), std::back_inserter(all));
  // Nothing can be put into a namespace that is not there yet.
  std::ranges::stable_partition(all, [](const json::value& object) {
    return store::JsonStringAt(object, {"kind"}) == "Namespace";
  });
  return all;
}

}  // namespace berth::install
