#include "cli/live_objects.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iterator>
#include <utility>

#include "api/core/config_map.h"
#include "cli/printable.h"
#include "cli/settings.h"
#include "control/read_objects.h"
#include "install/manifests.h"
#include "json/json.h"
#include "kube/client.h"
#include "kube/find_access.h"
#include "store/wait_for.h"

namespace berth::cli {
namespace {

constexpr base::Duration kAnswerLimit = base::Duration::Seconds(120);

// Skipped if not readable.
void AddConfiguration(store::Store& store, std::vector<api::Manifest>& manifests) {
  const store::Outcome<store::Reply> found =
      store::WaitFor(store,
                     store::Get{.resource = store::ResourceOf<api::ConfigMap>(),
                                .namespace_ = "kueue-system",
                                .name = std::string(install::kConfigurationMap)},
                     kAnswerLimit);
  if (!found) return;
  const auto tree = json::Parse(found->object.text());
  if (!tree) return;
  std::ranges::move(
      api::ReadManifests(
          json::StringAt(*tree, {"data", install::kConfigurationFile}),
          {.file = "ConfigMap " + std::string(install::kConfigurationMap), .is_strict = false}),
      std::back_inserter(manifests));
}

}  // namespace

base::Result<std::vector<api::Manifest>> ReadCluster(store::Store& store) {
  base::Result<std::vector<api::Manifest>> manifests = control::ReadObjects(store);
  if (manifests) AddConfiguration(store, *manifests);
  return manifests;
}

base::Result<std::vector<api::Manifest>> ReadCluster(const LiveCluster& cluster) {
  if (cluster.store != nullptr) return ReadCluster(*cluster.store);
  auto access = kube::FindAccess(cluster.kubeconfig, cluster.context);
  if (!access) return std::unexpected(access.error());
  auto client = kube::Client::Make(std::move(*access));
  if (!client) return std::unexpected(client.error());
  return ReadCluster(**client);
}

std::optional<std::vector<api::Manifest>> ReadObjects(const std::vector<std::string>& paths,
                                                      const LiveCluster& cluster, Output& err) {
  std::optional<std::vector<api::Manifest>> manifests = ReadManifests(paths, err);
  if (!manifests || !cluster.IsRequested()) return manifests;
  base::Result<std::vector<api::Manifest>> live = ReadCluster(cluster);
  if (!live) {
    err << "berth: " << Printable(base::ToString(live.error())) << "\n";
    return std::nullopt;
  }
  std::ranges::move(*manifests, std::back_inserter(*live));
  return std::move(*live);
}

void AddLiveOptions(CLI::App& command, LiveCluster& cluster) {
  command.add_flag("--live", cluster.is_requested,
                   "Objects: read from the current cluster of kubectl (read-only)");
  command
      .add_option("--kubeconfig", cluster.kubeconfig,
                  "Objects: read from the cluster of this kubeconfig")
      ->option_text("FILE");
  command
      .add_option("--context", cluster.context, "Objects: read from the cluster of this context")
      ->option_text("NAME");
}

}  // namespace berth::cli
