#pragma once

// Devices claimed by pods (KEP-2941): counts by device class of ResourceClaimTemplates and
// ResourceClaims.

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/dra/resource_claim.h"
#include "api/dra/resource_claim_template.h"
#include "api/kueue/pod_set.h"
#include "schema/problem.h"
#include "workload/requests/resource_filter.h"

namespace berth::workload {

// The maximum number of devices of one claim, and the count of a request for all devices.
inline constexpr int64_t kMostDevicesOfClaim = 32;

// The request of a claim for one device class.
struct ClassCount {
  std::string device_class;
  int64_t count = 0;
  bool is_admin_access = false;

  friend auto operator<=>(const ClassCount&, const ClassCount&) = default;
};

// By class, with requests for admin access separate:
//   - `count` devices of the class, 1 by default;
//   - allocationMode All: kMostDevicesOfClaim;
//   - of alternatives (firstAvailable), every one;
//   - requests of one class are summed, saturated to int64.
std::vector<ClassCount> CountDevices(const api::ResourceClaimSpec& claim);

enum class ClaimKind : uint8_t {
  kTemplate,  // one claim per pod
  kClaim,     // one claim shared by the pods
};

// The target of an entry of `resourceClaims`.
struct ClaimName {
  ClaimKind kind = ClaimKind::kTemplate;
  std::string name;  // "namespace/name"

  friend auto operator<=>(const ClaimName&, const ClaimName&) = default;
};

// The distinct claims of the pod sets.
std::set<ClaimName> ClaimsOf(std::span<const api::PodSet> pod_sets,
                             std::string_view namespace_name);

// All entries of `resourceClaims` as problems, by field of the Workload, for options that reject
// devices.
schema::Problems RejectedClaims(std::span<const api::PodSet> pod_sets);

// The counts of existing templates and claims.
class ClaimStore {
 public:
  // False if the counts stay the same.
  bool Set(const api::ResourceClaimTemplate& object);
  bool Set(const api::ResourceClaim& object);
  bool Erase(const ClaimName& name) { return counts_.erase(name) > 0; }

  // Null if there is none.
  const std::vector<ClassCount>* Find(const ClaimName& name) const;

 private:
  bool Set(ClaimName name, std::vector<ClassCount> counts);

  std::map<ClaimName, std::vector<ClassCount>> counts_;
};

// Adds the devices of the pod sets to their demands, which are in the same order. Every entry of
// `resourceClaims` counts, whether or not a container uses it. A shared claim counts once, for the
// first pod set with pods that names it. Returns the missing claims, by field of the Workload.
schema::Problems AddDevices(std::span<const api::PodSet> pod_sets, std::string_view namespace_name,
                            const ClaimStore& claims, std::span<PodSetDemand> demands);

}  // namespace berth::workload
