#pragma once

#include <map>
#include <set>
#include <string>

#include "api/kueue/workload.h"
#include "workload/requests/claims.h"

namespace berth::workload {

// Device claims and the Workloads whose pods name them.
class ClaimCache {
 public:
  // Without devices, claims do not count and nothing is kept.
  explicit ClaimCache(bool counts_devices) : counts_devices_(counts_devices) {}

  // False if the counts stay the same.
  bool Upsert(const api::ResourceClaimTemplate& object);
  bool Upsert(const api::ResourceClaim& object);
  bool Erase(const ClaimName& name) { return claims_.Erase(name); }

  // A Workload is unlinked with the spec with which it was linked.
  void Link(const api::Workload& workload);
  void Unlink(const api::Workload& workload);
  // Namespaced names of Workloads.
  const std::set<std::string>& UsersOf(const ClaimName& name) const;

  bool counts_devices() const { return counts_devices_; }
  // Null if devices do not count.
  const ClaimStore* claims() const { return counts_devices_ ? &claims_ : nullptr; }
  // Adds devices to demands, see AddDevices. Nothing if devices do not count.
  schema::Problems AddDevicesOf(const api::Workload& workload,
                                std::span<const api::PodSet> pod_sets,
                                std::span<PodSetDemand> demands) const;

 private:
  bool counts_devices_;
  ClaimStore claims_;
  std::map<ClaimName, std::set<std::string>> users_;
};

}  // namespace berth::workload
