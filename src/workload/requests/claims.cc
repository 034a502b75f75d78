#include "workload/requests/claims.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "api/meta/problem_report.h"
#include "quantity/amount.h"
#include "workload/convert/convert_workload.h"

namespace berth::workload {
namespace {

int64_t CountOf(std::string_view allocation_mode, int64_t count) {
  if (allocation_mode == api::kAllocateAll) return kMostDevicesOfClaim;
  return std::max<int64_t>(count, 1);
}

class Counter {
 public:
  void Add(std::string_view device_class, int64_t count, bool is_admin_access) {
    const auto same = std::ranges::find_if(counts_, [&](const ClassCount& c) {
      return c.device_class == device_class && c.is_admin_access == is_admin_access;
    });
    if (same == counts_.end()) {
      counts_.push_back({std::string(device_class), count, is_admin_access});
    } else {
      same->count = quantity::SaturatingAdd(same->count, count);
    }
  }

  std::vector<ClassCount> Take() && {
    std::ranges::sort(counts_);
    return std::move(counts_);
  }

 private:
  std::vector<ClassCount> counts_;
};

// Nullopt if the entry has no target.
std::optional<ClaimName> NameIn(const api::PodResourceClaim& entry,
                                std::string_view namespace_name) {
  if (entry.resource_claim_template_name)
    return ClaimName{ClaimKind::kTemplate,
                     NamespacedName(namespace_name, *entry.resource_claim_template_name)};
  if (entry.resource_claim_name)
    return ClaimName{ClaimKind::kClaim, NamespacedName(namespace_name, *entry.resource_claim_name)};
  return std::nullopt;
}

std::string_view KindText(ClaimKind kind) {
  return kind == ClaimKind::kTemplate ? "ResourceClaimTemplate" : "ResourceClaim";
}

std::string_view NameAlone(const ClaimName& claim) {
  return std::string_view(claim.name).substr(claim.name.find('/') + 1);
}

void ReportMissing(const ClaimName& claim, api::ProblemReport& report) {
  const std::string kind(KindText(claim.kind));
  report.Add(schema::ProblemType::kNotFound,
             claim.kind == ClaimKind::kTemplate ? "resourceClaimTemplateName" : "resourceClaimName",
             kind + " " + api::Quoted(NameAlone(claim)) + " not found in namespace " +
                 api::Quoted(claim.name.substr(0, claim.name.find('/'))),
             "create it, or name another");
}

DeviceDemand DemandFor(const ClaimName& claim, const ClassCount& count) {
  const bool is_shared = claim.kind == ClaimKind::kClaim;
  return {.claim = std::string(KindText(claim.kind)) + " " + std::string(NameAlone(claim)),
          .device_class = count.device_class,
          .per_pod = is_shared ? 0 : count.count,
          .shared = is_shared ? count.count : 0,
          .is_admin_access = count.is_admin_access};
}

void AddExtendedResources(const ExtendedResources& classes, PodSetDemand& demand) {
  for (const auto& [resource, quantity] : demand.per_pod) {
    const std::string* device_class = classes.ClassOf(resource);
    const int64_t devices = device_class == nullptr ? 0 : quantity.Value();
    if (devices > 0)
      demand.devices.push_back({.claim = "extended resource " + resource,
                                .device_class = *device_class,
                                .per_pod = devices,
                                .extended_resource = resource});
  }
}

}  // namespace

std::vector<ClassCount> CountDevices(const api::ResourceClaimSpec& claim) {
  Counter counter;
  for (const api::DeviceRequest& request : claim.devices.requests) {
    if (request.exactly) {
      const api::ExactDeviceRequest& exact = *request.exactly;
      counter.Add(exact.device_class_name, CountOf(exact.allocation_mode, exact.count),
                  exact.admin_access.value_or(false));
    }
    for (const api::DeviceSubRequest& alternative : request.first_available)
      counter.Add(alternative.device_class_name,
                  CountOf(alternative.allocation_mode, alternative.count), false);
  }
  return std::move(counter).Take();
}

std::set<ClaimName> ClaimsOf(std::span<const api::PodSet> pod_sets,
                             std::string_view namespace_name) {
  std::set<ClaimName> names;
  for (const api::PodSet& pod_set : pod_sets) {
    for (const api::PodResourceClaim& entry : pod_set.template_.spec.resource_claims) {
      if (auto name = NameIn(entry, namespace_name)) names.insert(*std::move(name));
    }
  }
  return names;
}

// Requests default to limits.
std::set<std::string, std::less<>> ExtendedResourcesOf(std::span<const api::PodSet> pod_sets) {
  std::set<std::string, std::less<>> names;
  for (const api::PodSet& pod_set : pod_sets)
    for (const auto* containers :
         {&pod_set.template_.spec.init_containers, &pod_set.template_.spec.containers})
      for (const api::Container& container : *containers)
        for (const api::ResourceList* list :
             {&container.resources.requests, &container.resources.limits})
          for (const auto& [resource, quantity] : *list)
            if (resource.find('/') != std::string::npos) names.insert(resource);
  return names;
}

std::vector<std::string> ExtendedResources::Set(const api::DeviceClass& object) {
  const std::string resource = object.spec.extended_resource_name.value_or("");
  const Candidate candidate{object.metadata.creation_timestamp.value_or(base::kZeroTime),
                            object.metadata.name};
  const auto known = known_.find(candidate.device_class);
  const bool is_same = known == known_.end()
                           ? resource.empty()
                           : known->second.first == resource &&
                                 known->second.second.created_at == candidate.created_at;
  if (is_same) return {};
  std::vector<std::string> changed = Erase(candidate.device_class);
  if (resource.empty()) return changed;
  classes_[resource].insert(candidate);
  known_[candidate.device_class] = {resource, candidate};
  changed.push_back(resource);
  return changed;
}

std::vector<std::string> ExtendedResources::Erase(std::string_view device_class) {
  const auto known = known_.find(device_class);
  if (known == known_.end()) return {};
  const auto [resource, candidate] = known->second;
  known_.erase(known);
  const auto classes = classes_.find(resource);
  classes->second.erase(candidate);
  if (classes->second.empty()) classes_.erase(classes);
  return {resource};
}

const std::string* ExtendedResources::ClassOf(std::string_view resource) const {
  const auto found = classes_.find(resource);
  return found == classes_.end() ? nullptr : &found->second.begin()->device_class;
}

bool ClaimStore::Set(ClaimName name, std::vector<ClassCount> counts) {
  const auto [known, is_new] = counts_.try_emplace(std::move(name), counts);
  if (is_new) return true;
  if (known->second == counts) return false;
  known->second = std::move(counts);
  return true;
}

bool ClaimStore::Set(const api::ResourceClaimTemplate& object) {
  const api::ObjectMeta& meta = object.metadata;
  return Set({ClaimKind::kTemplate, NamespacedName(meta.namespace_, meta.name)},
             CountDevices(object.spec.spec));
}

bool ClaimStore::Set(const api::ResourceClaim& object) {
  const api::ObjectMeta& meta = object.metadata;
  return Set({ClaimKind::kClaim, NamespacedName(meta.namespace_, meta.name)},
             CountDevices(object.spec));
}

const std::vector<ClassCount>* ClaimStore::Find(const ClaimName& name) const {
  const auto found = counts_.find(name);
  return found == counts_.end() ? nullptr : &found->second;
}

schema::Problems RejectedClaims(std::span<const api::PodSet> pod_sets) {
  api::ProblemReport report;
  for (size_t i = 0; i < pod_sets.size(); ++i) {
    const auto& entries = pod_sets[i].template_.spec.resource_claims;
    for (size_t j = 0; j < entries.size(); ++j)
      report.Invalid("spec.podSets[" + std::to_string(i) + "].template.spec.resourceClaims[" +
                         std::to_string(j) + "]",
                     "devices cannot be claimed: the feature gate KueueDRAIntegration is off",
                     "turn it on, or turn off KueueDRARejectWorkloadsWhenDRADisabled");
  }
  return std::move(report).Take();
}

schema::Problems AddDevices(std::span<const api::PodSet> pod_sets, std::string_view namespace_name,
                            const ClaimStore& claims, std::span<PodSetDemand> demands) {
  api::ProblemReport report;
  const auto in_spec = report.In("spec");
  std::set<ClaimName> shared;  // already counted
  for (size_t i = 0; i < pod_sets.size(); ++i) {
    const auto at_pod_set = report.In("podSets", i);
    const auto in_template = report.In("template");
    const auto in_pod = report.In("spec");
    AddExtendedResources(claims.extended_resources(), demands[i]);
    const auto& entries = pod_sets[i].template_.spec.resource_claims;
    for (size_t j = 0; j < entries.size(); ++j) {
      const auto at = report.In("resourceClaims", j);
      const std::optional<ClaimName> claim = NameIn(entries[j], namespace_name);
      if (!claim) continue;
      const std::vector<ClassCount>* counts = claims.Find(*claim);
      if (counts == nullptr) {
        ReportMissing(*claim, report);
        continue;
      }
      if (claim->kind == ClaimKind::kClaim &&
          (demands[i].count == 0 || !shared.insert(*claim).second))
        continue;
      for (const ClassCount& count : *counts)
        demands[i].devices.push_back(DemandFor(*claim, count));
    }
  }
  return std::move(report).Take();
}

schema::Problem UnmappedClass(std::string_view device_class, int64_t devices,
                              std::string_view cluster_queue) {
  return {
      .type = schema::ProblemType::kNotSupported,
      .field = "spec.podSets",
      .message = "DeviceClass " + api::Quoted(device_class) + " has no resource in ClusterQueue " +
                 api::Quoted(cluster_queue) + ", " + std::to_string(devices) + " requested",
      .hint = "add a resource with kind: DeviceClass and deviceClassNames: [" +
              std::string(device_class) + "] to the queue, or map the class in the Configuration",
      .place = {}};
}

}  // namespace berth::workload
