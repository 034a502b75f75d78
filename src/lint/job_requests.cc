#include "lint/job_requests.h"

#include <algorithm>
#include <set>
#include <utility>

#include "api/core/limit_range.h"
#include "api/core/runtime_class.h"
#include "api/dra/device_class.h"
#include "api/dra/resource_claim.h"
#include "api/dra/resource_claim_template.h"
#include "api/kueue/local_queue.h"
#include "api/kueue/workload.h"

namespace berth::lint {
namespace {

workload::RuntimeOverheads OverheadsOf(const Catalog& catalog) {
  workload::RuntimeOverheads overheads;
  catalog.ForEach<api::RuntimeClass>([&](const Entry&, const api::RuntimeClass& runtime) {
    if (runtime.overhead) overheads.Set(runtime.metadata.name, runtime.overhead->pod_fixed);
  });
  return overheads;
}

std::map<std::string, workload::LimitSummary> LimitsOf(const Catalog& catalog) {
  std::map<std::pair<std::string, std::string>, const api::LimitRange*> in_order;
  catalog.ForEach<api::LimitRange>([&](const Entry&, const api::LimitRange& range) {
    in_order[{range.metadata.namespace_, range.metadata.name}] = &range;
  });
  std::map<std::string, workload::LimitSummary> limits;
  for (const auto& [key, range] : in_order) limits[key.first].Add(range->spec);
  return limits;
}

std::set<std::string> NamespacesOf(const Catalog& catalog) {
  std::set<std::string> namespaces;
  for (const Entry& entry : catalog.entries()) namespaces.insert(entry.metadata().namespace_);
  return namespaces;
}

std::vector<api::PodSet> PodSetsOf(const QueuedJob& job) {
  std::vector<api::PodSet> pod_sets;
  for (const PodSetAt& at : job.pod_sets) pod_sets.push_back(at.pod_set);
  return pod_sets;
}

}  // namespace

bool HoldsQuota(const QueuedJob& job) {
  const auto* workload = job.entry->object ? job.entry->object->As<api::Workload>() : nullptr;
  return workload != nullptr && workload->status.admission;
}

std::string_view DeviceClassIn(std::string_view resource) {
  constexpr std::string_view kPrefix = "DeviceClass ";
  return resource.starts_with(kPrefix) ? resource.substr(kPrefix.size()) : std::string_view();
}

JobRequests::JobRequests(const Catalog& catalog)
    : catalog_(catalog),
      options_(std::make_shared<workload::ResourceOptions>(
          workload::ResourceOptions::From(catalog.configuration(), catalog.gates()))),
      overheads_(OverheadsOf(catalog)),
      limits_(LimitsOf(catalog)) {
  if (options_->counts_devices) AddClaims();
}

// An empty namespace matches any.
void JobRequests::AddClaims() {
  const std::set<std::string> namespaces = NamespacesOf(catalog_);
  const auto add = [&](const auto& object) {
    auto copy = object;
    for (const std::string& space : namespaces) {
      const std::string& own = object.metadata.namespace_;
      if (!own.empty() && !space.empty() && own != space) continue;
      copy.metadata.namespace_ = space;
      claims_.Set(copy);
    }
  };
  catalog_.ForEach<api::ResourceClaimTemplate>([&](const Entry&, const auto& t) { add(t); });
  catalog_.ForEach<api::ResourceClaim>([&](const Entry&, const auto& claim) { add(claim); });
  if (!options_->counts_extended_resources) return;
  catalog_.ForEach<api::DeviceClass>([&](const Entry&, const auto& device_class) {
    claims_.extended_resources().Set(device_class);
  });
}

const api::ClusterQueue* JobRequests::QueueOf(const QueuedJob& job) const {
  const Entry* local = FindLocalQueue(catalog_, job.namespace_(), job.queue);
  if (local == nullptr || !local->object) return nullptr;
  if (job.namespace_().empty() && CountNamed(api::LocalQueue::KindInfo(), job.queue) > 1)
    return nullptr;
  const std::string name = local->object->As<api::LocalQueue>()->spec.cluster_queue.value_or("");
  if (CountNamed(api::ClusterQueue::KindInfo(), name) != 1) return nullptr;
  return catalog_.Find<api::ClusterQueue>(name);
}

size_t JobRequests::CountNamed(const schema::Kind& kind, std::string_view name) const {
  return static_cast<size_t>(std::ranges::count_if(
      catalog_.All(kind), [&](const Entry* e) { return e->metadata().name == name; }));
}

std::vector<api::PodSet> JobRequests::AdjustedPodSets(const QueuedJob& job) const {
  static const workload::LimitSummary kNoLimits;
  const auto limits = limits_.find(job.namespace_());
  std::vector<api::PodSet> pod_sets = PodSetsOf(job);
  for (api::PodSet& pods : pod_sets) {
    AdjustPod(pods.template_.spec, limits == limits_.end() ? kNoLimits : limits->second,
              overheads_);
  }
  return pod_sets;
}

std::vector<workload::PodSetDemand> JobRequests::Demands(const QueuedJob& job) {
  const std::vector<api::PodSet> pod_sets = AdjustedPodSets(job);
  std::vector<workload::PodSetDemand> demands = workload::DemandOf(pod_sets, {}, *options_);
  if (options_->counts_devices) AddDevices(pod_sets, job.namespace_(), claims_, demands);
  return demands;
}

workload::CountedRequests JobRequests::Count(const QueuedJob& job, const api::ClusterQueue& queue) {
  return workload::ResourceFilter(options_, queue.spec, prefixes_).Count(Demands(job));
}

schema::Problems JobRequests::MissingClaims(const QueuedJob& job) const {
  if (!options_->counts_devices) return {};
  const std::vector<api::PodSet> pod_sets = PodSetsOf(job);
  std::vector<workload::PodSetDemand> demands = workload::DemandOf(pod_sets, {}, *options_);
  return AddDevices(pod_sets, job.namespace_(), claims_, demands);
}

}  // namespace berth::lint
