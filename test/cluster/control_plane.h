#pragma once

// The control plane started by test/cluster/plane, accessed as its administrator. The manifests of
// `berth install` are installed except for the Deployment: tests run the processes themselves,
// authenticated as the service account of the manifests.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "install/manifests.h"
#include "kube/access.h"
#include "kube/client.h"
#include "store/store.h"

namespace berth::cluster {

class ControlPlane {
 public:
  // The control plane in the directory BERTH_TEST_CLUSTER, connected once per program. Exits with a
  // message if there is none.
  static ControlPlane& Get();

  const std::filesystem::path& directory() const { return directory_; }
  std::string kubeconfig() const { return directory_ / "kubeconfig"; }
  // The identity of the controllers: exactly the roles of the manifests.
  const kube::Access& account() const { return account_; }
  // The loopback port on which the API server calls the webhooks.
  uint16_t webhook_port() const { return webhook_port_; }
  // The loopback port of a replica's visibility API.
  uint16_t visibility_port() const { return visibility_port_; }

  store::Store& store() { return *client_; }
  store::Outcome<store::Reply> Do(store::Call call);
  store::Outcome<store::Reply> Apply(const json::value& object, bool is_dry_run = false);

  // Applies the manifests of this Configuration and waits until the kinds are served. Omits the
  // webhooks and the APIService: without a backend, the latter blocks the deletion of namespaces.
  base::Result<void> Install(const api::Configuration& configuration);
  // Applies the webhook configurations and waits until the API server calls them. From then on, the
  // kinds concerned are writable only while the webhooks are served.
  base::Result<void> InstallWebhooks(const api::Configuration& configuration);
  // Waits until the garbage collector handles our kinds, too; it discovers new kinds only
  // periodically.
  base::Result<void> AwaitCollector();
  // True if Workloads or Jobs exist whose owners are gone and which will be collected soon.
  bool HasGarbage();
  // True if the controllers have not reported on the newest generation of a queue: a watch delivers
  // it late, and until then they have nothing to do.
  bool HasUnseenQueues();
  // True if the webhooks answer the API server.
  bool AreWebhooksServed();
  // Removes the webhook configurations, so that unserved webhooks do not block writes, then all
  // objects of tests.
  base::Result<void> Clear();

  // True runs the job controllers, the scheduler and kwok. False runs only the garbage collector;
  // the test acts as the other controllers.
  base::Result<void> RunPods(bool are_run);

  // True if `holds` becomes true within a minute.
  static bool Eventually(const std::function<bool()>& holds);

 private:
  explicit ControlPlane(std::filesystem::path directory) : directory_(std::move(directory)) {}

  base::Result<void> Connect();
  base::Result<void> ApplyAll(const std::vector<json::value>& objects);
  bool AreEstablished(const std::vector<json::value>& manifests);
  std::string ProbeRefusal();
  bool ClearKind(const store::Resource& resource);
  void Remove(const store::Resource& resource, const store::Object& object);
  // Calls test/cluster/plane with `verb` for the parts.
  base::Result<void> Parts(const std::string& verb, const std::vector<std::string>& parts);

  std::filesystem::path directory_;
  uint16_t webhook_port_ = 0;
  uint16_t visibility_port_ = 0;
  kube::Access account_;
  std::unique_ptr<kube::Client> client_;
  bool runs_pods_ = false;
  bool knows_collector_ = false;        // since its start
  std::vector<json::value> installed_;  // need not be applied again
};

// The resource of an object, from its apiVersion, kind and namespace.
store::Resource ResourceOfObject(const json::value& object);

}  // namespace berth::cluster
