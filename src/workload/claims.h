#pragma once

// Devices that pods claim (KEP-2941): from ResourceClaimTemplates and ResourceClaims to counts by
// device class.

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/pod_set.h"
#include "api/resource_claim.h"
#include "api/resource_claim_template.h"
#include "schema/problem.h"
#include "workload/resource_filter.h"

namespace berth::workload {

// The most devices that one claim can hold, and so what a request for all of them counts.
inline constexpr int64_t kMostDevicesOfClaim = 32;

// What a claim asks for of one class.
struct ClassCount {
  std::string device_class;
  int64_t count = 0;
  bool is_admin_access = false;

  friend auto operator<=>(const ClassCount&, const ClassCount&) = default;
};

// By class, those for administration apart:
//   - `count` devices of the class, 1 if nothing is said;
//   - allocationMode All: kMostDevicesOfClaim;
//   - of alternatives (firstAvailable), every one;
//   - requests of one class add up, to the limit of int64.
std::vector<ClassCount> CountDevices(const api::ResourceClaimSpec& claim);

enum class ClaimKind : uint8_t {
  kTemplate,  // a claim of its own for each pod
  kClaim,     // one that the pods share
};

// Something that an entry of `resourceClaims` names, "namespace/name".
struct ClaimName {
  ClaimKind kind = ClaimKind::kTemplate;
  std::string name;

  friend auto operator<=>(const ClaimName&, const ClaimName&) = default;
};

// All that the pod sets name, each once.
std::set<ClaimName> ClaimsOf(std::span<const api::PodSet> pod_sets,
                             std::string_view namespace_name);

// The templates and claims that there are, as counts.
class ClaimStore {
 public:
  // Whether that changed what is known: edits that leave the counts as they are do not.
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
// `resourceClaims` counts, whether or not a container names it. A claim that pods share is counted
// once, for the first pod set that names it and has pods. The answer is what is not there, by field
// of the Workload.
schema::Problems AddDevices(std::span<const api::PodSet> pod_sets, std::string_view namespace_name,
                            const ClaimStore& claims, std::span<PodSetDemand> demands);

}  // namespace berth::workload
