#include "api/registry.h"

#include <algorithm>

#include "api/admission_check.h"
#include "api/admission_review.h"
#include "api/cluster_queue.h"
#include "api/cohort.h"
#include "api/config_map.h"
#include "api/configuration.h"
#include "api/cron_job.h"
#include "api/deployment.h"
#include "api/device_class.h"
#include "api/event.h"
#include "api/events_v1_event.h"
#include "api/job.h"
#include "api/lease.h"
#include "api/limit_range.h"
#include "api/list.h"
#include "api/local_queue.h"
#include "api/multi_kueue.h"
#include "api/namespace.h"
#include "api/namespace_quota.h"
#include "api/node.h"
#include "api/pod.h"
#include "api/priority_class.h"
#include "api/provisioning_request_config.h"
#include "api/replica_set.h"
#include "api/resource_claim.h"
#include "api/resource_claim_template.h"
#include "api/resource_flavor.h"
#include "api/resource_slice.h"
#include "api/runtime_class.h"
#include "api/secret.h"
#include "api/service.h"
#include "api/service_account.h"
#include "api/stateful_set.h"
#include "api/status.h"
#include "api/table.h"
#include "api/topology.h"
#include "api/workload.h"
#include "api/workload_priority_class.h"

namespace berth::api {
namespace {

FoundKind Match(const schema::Kind& kind, std::string_view version) {
  if (kind.version == version) return {.kind = &kind};
  if (std::ranges::find(kind.former_versions, version) == kind.former_versions.end()) return {};
  return {.kind = &kind, .is_former = true};
}

template <class Predicate>
FoundKind Find(std::string_view version, Predicate is_wanted) {
  for (const schema::Kind* kind : AllKinds()) {
    if (!is_wanted(*kind)) continue;
    if (const FoundKind found = Match(*kind, version)) return found;
  }
  return {};
}

}  // namespace

std::span<const schema::Kind* const> AllKinds() {
  static const schema::Kind* const kKinds[] = {
      // v1
      &ConfigMap::KindInfo(),
      &Event::KindInfo(),
      &LimitRange::KindInfo(),
      &List::KindInfo(),
      &Namespace::KindInfo(),
      &Node::KindInfo(),
      &Pod::KindInfo(),
      &NamespaceQuota::KindInfo(),
      &Secret::KindInfo(),
      &Service::KindInfo(),
      &ServiceAccount::KindInfo(),
      &Status::KindInfo(),
      // admission.k8s.io
      &AdmissionReview::KindInfo(),
      // apps
      &Deployment::KindInfo(),
      &ReplicaSet::KindInfo(),
      &StatefulSet::KindInfo(),
      // batch
      &CronJob::KindInfo(),
      &Job::KindInfo(),
      // config.kueue.x-k8s.io
      &Configuration::KindInfo(),
      // coordination.k8s.io
      &Lease::KindInfo(),
      // events.k8s.io
      &EventsV1Event::KindInfo(),
      // kueue.x-k8s.io
      &AdmissionCheck::KindInfo(),
      &ClusterQueue::KindInfo(),
      &Cohort::KindInfo(),
      &LocalQueue::KindInfo(),
      &MultiKueueCluster::KindInfo(),
      &MultiKueueConfig::KindInfo(),
      &ProvisioningRequestConfig::KindInfo(),
      &ResourceFlavor::KindInfo(),
      &Topology::KindInfo(),
      &Workload::KindInfo(),
      &WorkloadPriorityClass::KindInfo(),
      // meta.k8s.io
      &Table::KindInfo(),
      // node.k8s.io
      &RuntimeClass::KindInfo(),
      // resource.k8s.io
      &DeviceClass::KindInfo(),
      &ResourceClaim::KindInfo(),
      &ResourceClaimTemplate::KindInfo(),
      &ResourceSlice::KindInfo(),
      // scheduling.k8s.io
      &PriorityClass::KindInfo(),
  };
  return kKinds;
}

FoundKind FindKind(std::string_view api_version, std::string_view kind) {
  const size_t slash = api_version.find('/');
  const bool is_core = slash == std::string_view::npos;
  const std::string_view group = is_core ? "" : api_version.substr(0, slash);
  const std::string_view version = is_core ? api_version : api_version.substr(slash + 1);
  return Find(version, [&](const schema::Kind& k) { return k.group == group && k.kind == kind; });
}

FoundKind FindResource(std::string_view group, std::string_view version, std::string_view plural) {
  if (plural.empty()) return {};
  return Find(version,
              [&](const schema::Kind& k) { return k.group == group && k.plural == plural; });
}

}  // namespace berth::api
