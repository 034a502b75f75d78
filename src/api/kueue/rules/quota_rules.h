#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/config/feature_gates.h"
#include "api/kueue/fair_sharing.h"
#include "api/kueue/resource_group.h"
#include "api/meta/problem_report.h"
#include "base/flat_map.h"

// Rules of quota that ClusterQueues and Cohorts share and the CRD does not express.
namespace berth::api {

struct QuotaOwner {
  std::string_view parent_field;   // "cohortName", "parentName"
  bool has_parent = false;         // otherwise, no borrowing or lending
  bool lends_nominal_only = true;  // lendingLimit must not exceed nominalQuota
};

// Reports on resourceGroups of the current scope:
//   - invalid resource names, duplicate resources and flavors;
//   - quotas in another order than coveredResources (a surplus of quotas is left to the CRD);
//   - negative quotas, limits without a parent, lending more than the quota;
//   - device classes, see ValidateDeviceClasses.
void ValidateResourceGroups(const std::vector<ResourceGroup>& groups, const QuotaOwner& owner,
                            ProblemReport& report);

// Reports on resourceGroups: a class listed twice in one resource or counted as two resources, and
// a resource whose classes differ between flavors, which would mix quota of different hardware.
void ValidateDeviceClasses(const std::vector<ResourceGroup>& groups, ProblemReport& report);

// Warns of device classes in resourceGroups while their gate is off.
void WarnAboutDeviceClasses(const std::vector<ResourceGroup>& groups, const FeatureGates& gates,
                            ProblemReport& report);

// The device classes of each resource that has any, sorted. All nodes of a cohort tree must agree
// on them.
base::FlatMap<std::vector<std::string>> DeviceClassesByResource(
    const std::vector<ResourceGroup>& groups);

// Reports a negative weight, or one too small for shares, on fairSharing itself.
void ValidateFairSharing(const std::optional<FairSharing>& fair_sharing, ProblemReport& report);

}  // namespace berth::api
