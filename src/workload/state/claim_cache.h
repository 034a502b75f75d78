#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "api/kueue/workload.h"
#include "workload/requests/claims.h"

namespace berth::workload {

// Device claims and device classes, and the Workloads whose pods name or request them.
class ClaimCache {
 public:
  // Without devices, claims do not count and nothing is kept. Neither do device classes without
  // extended resources.
  explicit ClaimCache(const ResourceOptions& options)
      : counts_devices_(options.counts_devices),
        counts_extended_resources_(options.counts_extended_resources) {}

  // False if the counts stay the same.
  bool Upsert(const api::ResourceClaimTemplate& object);
  bool Upsert(const api::ResourceClaim& object);
  bool Erase(const ClaimName& name) { return claims_.Erase(name); }
  // The extended resources with another class than before.
  std::vector<std::string> Upsert(const api::DeviceClass& object);
  std::vector<std::string> EraseClass(std::string_view name);

  // A Workload is unlinked with the spec with which it was linked.
  void Link(const api::Workload& workload);
  void Unlink(const api::Workload& workload);
  // Namespaced names of Workloads.
  const std::set<std::string>& UsersOf(const ClaimName& name) const;
  const std::set<std::string>& UsersOf(const std::string& extended_resource) const;

  bool counts_devices() const { return counts_devices_; }
  // Null if devices do not count.
  const ClaimStore* claims() const { return counts_devices_ ? &claims_ : nullptr; }
  // Adds devices to demands, see AddDevices. Nothing if devices do not count.
  schema::Problems AddDevicesOf(const api::Workload& workload,
                                std::span<const api::PodSet> pod_sets,
                                std::span<PodSetDemand> demands) const;

 private:
  bool counts_devices_;
  bool counts_extended_resources_;
  ClaimStore claims_;
  std::map<ClaimName, std::set<std::string>> users_;
  std::map<std::string, std::set<std::string>> requesters_;  // by extended resource
};

}  // namespace berth::workload
