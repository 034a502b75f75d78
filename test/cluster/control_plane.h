#pragma once

// The control plane that test/cluster/plane has started, for tests that are in the role of its
// administrator. What `berth install` prints is in it, but for the processes: those are the test's
// own, and speak to the API server as the service account of the manifests.

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
  // That of the directory BERTH_TEST_CLUSTER, connected once for the whole program. Ends the
  // program with a message if there is none.
  static ControlPlane& Get();

  const std::filesystem::path& directory() const { return directory_; }
  std::string kubeconfig() const { return directory_ / "kubeconfig"; }
  // As whom the controllers act: with the roles of the manifests and nothing more.
  const kube::Access& account() const { return account_; }
  // Where the API server expects the webhooks, on the loopback.
  uint16_t webhook_port() const { return webhook_port_; }
  // Where a replica is to say who waits.
  uint16_t visibility_port() const { return visibility_port_; }

  store::Store& store() { return *client_; }
  store::Outcome<store::Reply> Do(store::Call call);
  store::Outcome<store::Reply> Apply(const store::json::value& object, bool is_dry_run = false);

  // Applies the manifests of this Configuration, but for the webhooks and for what sends the API
  // server to us, without which namespaces cannot be deleted, and waits until the kinds are served.
  base::Result<void> Install(const api::Configuration& configuration);
  // Applies those of the webhooks, and waits until the API server calls them: from then on what
  // they are about can be written only while they are served.
  base::Result<void> InstallWebhooks(const api::Configuration& configuration);
  // Waits until what the garbage collector does is done for our kinds, too: it looks for new kinds
  // only now and then.
  base::Result<void> AwaitCollector();
  // Whether there are Workloads or Jobs whose owners are gone, which will soon be deleted.
  bool HasGarbage();
  // Whether the webhooks answer the API server.
  bool AreWebhooksServed();
  // Removes the webhook configurations, so that writes are not held up by webhooks that nobody
  // serves, and then all objects that tests make.
  base::Result<void> Clear();

  // Whether jobs and sets get pods, pods get nodes and nodes run them. Otherwise only garbage is
  // collected, and the test is in the role of all controllers.
  base::Result<void> RunPods(bool are_run);

  // Whether this holds within a minute.
  static bool Eventually(const std::function<bool()>& holds);

 private:
  explicit ControlPlane(std::filesystem::path directory) : directory_(std::move(directory)) {}

  base::Result<void> Connect();
  base::Result<void> ApplyAll(const std::vector<store::json::value>& objects);
  bool AreEstablished(const std::vector<store::json::value>& manifests);
  std::string ProbeRefusal();
  bool ClearKind(const store::Resource& resource);
  void Remove(const store::Resource& resource, const store::Object& object);
  // `verb` is what test/cluster/plane is to do with the parts.
  base::Result<void> Parts(const std::string& verb, const std::vector<std::string>& parts);

  std::filesystem::path directory_;
  uint16_t webhook_port_ = 0;
  uint16_t visibility_port_ = 0;
  kube::Access account_;
  std::unique_ptr<kube::Client> client_;
  bool runs_pods_ = false;
  bool knows_collector_ = false;               // since it was started
  std::vector<store::json::value> installed_;  // what need not be applied again
};

// The resource of an object, from its apiVersion, its kind and whether it has a namespace.
store::Resource ResourceOfObject(const store::json::value& object);

}  // namespace berth::cluster
