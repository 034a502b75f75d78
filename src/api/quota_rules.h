#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/fair_sharing.h"
#include "api/feature_gates.h"
#include "api/problem_report.h"
#include "api/resource_group.h"
#include "base/flat_map.h"

// Rules about quota that ClusterQueues and Cohorts share and that a CRD cannot say.
namespace berth::api {

struct QuotaOwner {
  std::string_view parent_field;   // "cohortName", "parentName"
  bool has_parent = false;         // without one, nothing can be borrowed or lent
  bool lends_nominal_only = true;  // lendingLimit must not exceed nominalQuota
};

// Reports on resourceGroups of what the report has entered:
//   - resource names that are none, resources and flavors that occur twice;
//   - quotas that do not stand in the order of coveredResources; more quotas than covered resources
//     are not looked at, that is for the CRD to find;
//   - negative quotas, limits without a parent, and lending more than there is;
//   - device classes, see ValidateDeviceClasses.
void ValidateResourceGroups(const std::vector<ResourceGroup>& groups, const QuotaOwner& owner,
                            ProblemReport& report);

// Reports on resourceGroups: a class that is named twice in one resource, that counts as two
// resources, and a resource whose classes differ between flavors, which would make quota of one
// hardware pass for another's.
void ValidateDeviceClasses(const std::vector<ResourceGroup>& groups, ProblemReport& report);

// Warns on resourceGroups of device classes while their gate is off.
void WarnAboutDeviceClasses(const std::vector<ResourceGroup>& groups, const FeatureGates& gates,
                            ProblemReport& report);

// The device classes of each resource that has any, sorted. Queues and cohorts of one tree must
// agree on them.
base::FlatMap<std::vector<std::string>> DeviceClassesByResource(
    const std::vector<ResourceGroup>& groups);

// Reports a weight on fairSharing itself: negative, or so small that shares would lose it.
void ValidateFairSharing(const std::optional<FairSharing>& fair_sharing, ProblemReport& report);

}  // namespace berth::api
