#pragma once

#include <string>

#include "api/batch/job.h"
#include "api/core/lease.h"
#include "api/core/namespace.h"
#include "api/kueue/cluster_queue.h"
#include "api/kueue/local_queue.h"
#include "api/kueue/resource_flavor.h"
#include "store/testing/typed_client.h"

namespace berth::replica::testing {

inline constexpr const char* kLeaseName = "c1f6bfd2.kueue.x-k8s.io";
inline constexpr const char* kLeaseNamespace = "kueue-system";

// Berth's own namespace, and the LocalQueue "lq" in the namespace "default" with quota for one CPU.
inline void CreateSingleQueue(const store::testing::TypedClient& client) {
  client.Create<api::Namespace>(
      R"({"apiVersion":"v1","kind":"Namespace","metadata":{"name":"kueue-system"}})");
  client.Create<api::ResourceFlavor>(
      R"({"apiVersion":"kueue.x-k8s.io/v1beta2","kind":"ResourceFlavor","metadata":{"name":"f"}})");
  client.Create<api::ClusterQueue>(
      R"({"apiVersion":"kueue.x-k8s.io/v1beta2","kind":"ClusterQueue","metadata":{"name":"cq"},
          "spec":{"namespaceSelector":{},"resourceGroups":[{"coveredResources":["cpu"],
          "flavors":[{"name":"f","resources":[{"name":"cpu","nominalQuota":"1"}]}]}]}})");
  client.Create<api::LocalQueue>(
      R"({"apiVersion":"kueue.x-k8s.io/v1beta2","kind":"LocalQueue",
          "metadata":{"name":"lq","namespace":"default"},"spec":{"clusterQueue":"cq"}})");
}

// A suspended Job in that queue that requests one CPU.
inline std::string JobNamed(const std::string& name) {
  return R"({"apiVersion":"batch/v1","kind":"Job","metadata":{"namespace":"default","name":")" +
         name + R"(","labels":{"kueue.x-k8s.io/queue-name":"lq"}},
      "spec":{"suspend":true,"template":{"spec":{"restartPolicy":"Never","containers":[
        {"name":"c","image":"i","resources":{"requests":{"cpu":"1"}}}]}}}})";
}

inline bool IsUnsuspended(const store::testing::TypedClient& client, const std::string& job) {
  const json::value tree = client.Get<api::Job>(job);
  const json::value* suspend = json::Find(tree, {"spec", "suspend"});
  return suspend != nullptr && suspend->is_bool() && !suspend->get_bool();
}

// The identity of the elected leader; "" if there is none.
inline std::string LeaseHolder(const store::testing::TypedClient& client) {
  const json::value lease = client.Get<api::Lease>(kLeaseName, kLeaseNamespace);
  return std::string(json::StringAt(lease, {"spec", "holderIdentity"}));
}

}  // namespace berth::replica::testing
