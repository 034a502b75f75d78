#include "api/meta/registry.h"

#include <algorithm>

#include "api/admissionregistration/validating_admission_policy.h"
#include "api/admissionregistration/validating_admission_policy_binding.h"
#include "api/apps/deployment.h"
#include "api/apps/replica_set.h"
#include "api/apps/stateful_set.h"
#include "api/batch/cron_job.h"
#include "api/batch/job.h"
#include "api/config/configuration.h"
#include "api/core/admission_review.h"
#include "api/core/config_map.h"
#include "api/core/event.h"
#include "api/core/events_v1_event.h"
#include "api/core/lease.h"
#include "api/core/limit_range.h"
#include "api/core/namespace.h"
#include "api/core/namespace_quota.h"
#include "api/core/node.h"
#include "api/core/pod.h"
#include "api/core/priority_class.h"
#include "api/core/runtime_class.h"
#include "api/core/secret.h"
#include "api/core/service.h"
#include "api/core/service_account.h"
#include "api/dra/device_class.h"
#include "api/dra/resource_claim.h"
#include "api/dra/resource_claim_template.h"
#include "api/dra/resource_slice.h"
#include "api/kueue/admission_check.h"
#include "api/kueue/cluster_queue.h"
#include "api/kueue/cohort.h"
#include "api/kueue/local_queue.h"
#include "api/kueue/multi_kueue.h"
#include "api/kueue/provisioning_request_config.h"
#include "api/kueue/resource_flavor.h"
#include "api/kueue/topology.h"
#include "api/kueue/workload.h"
#include "api/kueue/workload_priority_class.h"
#include "api/meta/list.h"
#include "api/meta/status.h"
#include "api/meta/table.h"

namespace berth::api {
namespace {

FoundKind Match(const schema::Kind& kind, std::string_view version) {
  if (kind.version == version) return {.kind = &kind};
  if (std::ranges::find(kind.previous_versions, version) == kind.previous_versions.end()) return {};
  return {.kind = &kind, .is_previous = true};
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
      // admissionregistration.k8s.io
      &ValidatingAdmissionPolicy::KindInfo(),
      &ValidatingAdmissionPolicyBinding::KindInfo(),
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
