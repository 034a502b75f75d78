#include "control/read_objects.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

#include "api/core/limit_range.h"
#include "api/core/namespace.h"
#include "api/core/node.h"
#include "api/core/pod.h"
#include "api/core/priority_class.h"
#include "api/core/runtime_class.h"
#include "api/dra/device_class.h"
#include "api/dra/resource_claim.h"
#include "api/dra/resource_claim_template.h"
#include "api/kueue/resource_flavor.h"
#include "api/kueue/well_known.h"
#include "api/meta/registry.h"
#include "control/reconcile/job_cache.h"
#include "jobs/integration_set.h"
#include "json/json.h"
#include "store/wait_for.h"

namespace berth::control {
namespace {

constexpr base::Duration kObjectsLimit = base::Duration::Seconds(120);
constexpr int64_t kObjectsPage = 500;

// A kind to list; of jobs only those with a queue name.
struct WantedObjects {
  store::Resource resource;
  std::string label_selector = {};
  std::string field_selector = {};
};

std::vector<WantedObjects> AllWantedObjects() {
  std::vector<WantedObjects> wanted{{store::ResourceOf<api::Namespace>()},
                                    {store::ResourceOf<api::LimitRange>()},
                                    {store::ResourceOf<api::RuntimeClass>()},
                                    {store::ResourceOf<api::PriorityClass>()},
                                    {store::ResourceOf<api::DeviceClass>()},
                                    {store::ResourceOf<api::ResourceClaim>()},
                                    {store::ResourceOf<api::ResourceClaimTemplate>()}};
  for (const schema::Kind* kind : api::AllKinds()) {
    if (kind->group == api::kKueueGroup && !kind->plural.empty())
      wanted.push_back({store::ResourceOf(*kind)});
  }
  for (const jobs::Integration& integration : jobs::IntegrationSet::BuiltIn().all())
    wanted.push_back(
        {.resource = ResourceOf(integration), .label_selector = std::string(api::kQueueNameLabel)});
  return wanted;
}

// What placement depends on. Pods with a queue name are among the jobs.
std::vector<WantedObjects> ObjectsOfPlacement() {
  return {{store::ResourceOf<api::Node>()},
          {.resource = store::ResourceOf<api::Pod>(),
           .label_selector = "!" + std::string(api::kQueueNameLabel),
           .field_selector = "spec.nodeName!="}};
}

bool HasTopology(const std::vector<api::Manifest>& manifests) {
  return std::ranges::any_of(manifests, [](const api::Manifest& manifest) {
    const auto* flavor = manifest.object ? manifest.object->As<api::ResourceFlavor>() : nullptr;
    return flavor != nullptr && flavor->spec.topology_name;
  });
}

// List items may omit apiVersion and kind.
std::string WithKind(std::string_view text, const store::Resource& resource) {
  auto tree = json::Parse(text);
  if (!tree || !tree->is_object()) return std::string(text);
  tree->as_object()["apiVersion"] = resource.ApiVersion();
  tree->as_object()["kind"] = resource.kind;
  return json::Print(*tree);
}

base::Error ReadingFailed(const store::Resource& resource, const store::Failure& failure) {
  return {.message = resource.GroupResource() +
                     " cannot be read from the cluster: " + store::ToString(failure),
          .hint =
              "the user of the kubeconfig needs permission to list them in all namespaces; or "
              "save the readable objects with kubectl get -o yaml and pass them with -f",
          .place = {}};
}

base::Result<void> AddObjects(store::Store& store, const WantedObjects& wanted,
                              std::vector<api::Manifest>& manifests) {
  const store::Resource& resource = wanted.resource;
  store::List list{.resource = resource,
                   .selection = {.label_selector = wanted.label_selector,
                                 .field_selector = wanted.field_selector},
                   .limit = kObjectsPage};
  do {
    const store::Outcome<store::Reply> page = store::WaitFor(store, list, kObjectsLimit);
    if (!page && page.error().IsNotFound()) return {};  // kind not served
    if (!page) return std::unexpected(ReadingFailed(resource, page.error()));
    for (const store::Object& item : page->items)
      std::ranges::move(api::ReadManifests(WithKind(item.text(), resource),
                                           {.file = "cluster", .is_strict = false}),
                        std::back_inserter(manifests));
    list.continue_token = page->continue_token;
  } while (!list.continue_token.empty());
  return {};
}

base::Result<void> AddAll(store::Store& store, const std::vector<WantedObjects>& all,
                          std::vector<api::Manifest>& manifests) {
  for (const WantedObjects& wanted : all)
    if (auto added = AddObjects(store, wanted, manifests); !added) return added;
  return {};
}

}  // namespace

base::Result<std::vector<api::Manifest>> ReadObjects(store::Store& store) {
  std::vector<api::Manifest> manifests;
  if (auto added = AddAll(store, AllWantedObjects(), manifests); !added)
    return std::unexpected(added.error());
  if (HasTopology(manifests)) {
    if (auto added = AddAll(store, ObjectsOfPlacement(), manifests); !added)
      return std::unexpected(added.error());
  }
  return manifests;
}

}  // namespace berth::control
