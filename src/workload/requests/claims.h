#pragma once

// Devices requested by pods (KEP-2941): counts by device class of ResourceClaimTemplates and
// ResourceClaims, and requests for the extended resources of DeviceClasses.

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/dra/device_class.h"
#include "api/dra/resource_claim.h"
#include "api/dra/resource_claim_template.h"
#include "api/kueue/pod_set.h"
#include "base/time.h"
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

// The extended resources that containers of the pod sets request.
std::set<std::string, std::less<>> ExtendedResourcesOf(std::span<const api::PodSet> pod_sets);

// DeviceClasses by their extended resource.
class ExtendedResources {
 public:
  // The extended resources that have another class now, or none.
  std::vector<std::string> Set(const api::DeviceClass& object);
  std::vector<std::string> Erase(std::string_view device_class);

  // The class whose devices the scheduler allocates: the one created last, then the first by name.
  // Null if there is none.
  const std::string* ClassOf(std::string_view resource) const;

 private:
  struct Candidate {
    base::Time created_at;
    std::string device_class;

    friend bool operator<(const Candidate& a, const Candidate& b) {
      return a.created_at != b.created_at ? b.created_at < a.created_at
                                          : a.device_class < b.device_class;
    }
  };

  std::map<std::string, std::set<Candidate>, std::less<>> classes_;  // by resource, best first
  std::map<std::string, std::pair<std::string, Candidate>, std::less<>> known_;  // by class
};

// The counts of existing templates and claims, and the extended resources of classes.
class ClaimStore {
 public:
  // False if the counts stay the same.
  bool Set(const api::ResourceClaimTemplate& object);
  bool Set(const api::ResourceClaim& object);
  bool Erase(const ClaimName& name) { return counts_.erase(name) > 0; }
  ExtendedResources& extended_resources() { return extended_resources_; }
  const ExtendedResources& extended_resources() const { return extended_resources_; }

  // Null if there is none.
  const std::vector<ClassCount>* Find(const ClaimName& name) const;

 private:
  bool Set(ClaimName name, std::vector<ClassCount> counts);

  std::map<ClaimName, std::vector<ClassCount>> counts_;
  ExtendedResources extended_resources_;
};

// Adds the devices of the pod sets to their demands, which are in the same order. Every entry of
// `resourceClaims` counts, whether or not a container uses it. A shared claim counts once, for the
// first pod set with pods that names it. Requests for the extended resource of a class are devices
// of that class. Returns the missing claims, by field of the Workload.
schema::Problems AddDevices(std::span<const api::PodSet> pod_sets, std::string_view namespace_name,
                            const ClaimStore& claims, std::span<PodSetDemand> demands);

// A claimed class that no resource of the ClusterQueue names.
schema::Problem UnmappedClass(std::string_view device_class, int64_t devices,
                              std::string_view cluster_queue);

}  // namespace berth::workload
