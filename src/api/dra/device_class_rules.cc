// Device class rules of quota_rules.h.

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <set>

#include "api/kueue/rules/quota_rules.h"

namespace berth::api {
namespace {

using Classes = std::vector<std::string>;

Classes SortedClasses(const ResourceQuota& quota) {
  Classes classes = quota.device_class_names.value_or(Classes());
  std::ranges::sort(classes);
  classes.erase(std::ranges::unique(classes).begin(), classes.end());
  return classes;
}

std::string TextOf(const Classes& classes) {
  if (classes.empty()) return "no device classes";
  return QuotedList({classes.begin(), classes.end()});
}

class DeviceClassRules {
 public:
  explicit DeviceClassRules(ProblemReport& report) : report_(report) {}

  void Check(const ResourceQuota& quota) {
    CheckSameInEveryFlavor(quota);
    if (!quota.device_class_names) return;
    CheckWholeDevices(quota.nominal_quota, "nominalQuota");
    if (quota.borrowing_limit) CheckWholeDevices(*quota.borrowing_limit, "borrowingLimit");
    if (quota.lending_limit) CheckWholeDevices(*quota.lending_limit, "lendingLimit");
    std::set<std::string_view> seen;
    for (size_t i = 0; i < quota.device_class_names->size(); ++i) {
      const auto at = report_.In("deviceClassNames", i);
      CheckClass((*quota.device_class_names)[i], quota.name, seen);
    }
  }

 private:
  void CheckSameInEveryFlavor(const ResourceQuota& quota) {
    Classes classes = SortedClasses(quota);
    const auto [first, is_new] = classes_.try_emplace(quota.name, classes);
    if (is_new || first->second == classes) return;
    report_.Invalid("deviceClassNames",
                    Quoted(quota.name) + " counts " + TextOf(classes) + " here and " +
                        TextOf(first->second) + " in another flavor",
                    "list the same classes in every flavor, or give the resource another name");
  }

  // A claim allocates whole devices, so the rest would never be used. Negative amounts are reported
  // elsewhere.
  void CheckWholeDevices(const quantity::Quantity& amount, std::string_view field) {
    const int64_t rounded_up = amount.Value();
    const bool is_whole = rounded_up == std::numeric_limits<int64_t>::max() ||
                          amount == quantity::Quantity::FromInt(rounded_up);
    if (amount.Sign() <= 0 || is_whole) return;
    report_.Invalid(field, amount.ToString() + " is not a whole number of devices",
                    "write " + std::to_string(rounded_up - 1) + " or " +
                        std::to_string(rounded_up) + "; devices are counted as a whole");
  }

  void CheckClass(const std::string& name, const std::string& resource,
                  std::set<std::string_view>& seen) {
    if (!seen.insert(name).second) {
      report_.Duplicate("", "device class " + Quoted(name) + " is listed already", "remove it");
      return;
    }
    const auto [first, is_new] = resource_of_.try_emplace(name, resource);
    if (is_new || first->second == resource) return;
    report_.Invalid(
        "", "device class " + Quoted(name) + " counts as " + Quoted(first->second) + " already",
        "a class counts as one resource; remove it from one of the two");
  }

  ProblemReport& report_;
  std::map<std::string_view, Classes> classes_;               // by resource
  std::map<std::string_view, std::string_view> resource_of_;  // by class
};

}  // namespace

void ValidateDeviceClasses(const std::vector<ResourceGroup>& groups, ProblemReport& report) {
  DeviceClassRules rules(report);
  for (size_t g = 0; g < groups.size(); ++g) {
    const auto at_group = report.In("resourceGroups", g);
    for (size_t f = 0; f < groups[g].flavors.size(); ++f) {
      const auto at_flavor = report.In("flavors", f);
      for (size_t r = 0; r < groups[g].flavors[f].resources.size(); ++r) {
        const auto at_resource = report.In("resources", r);
        rules.Check(groups[g].flavors[f].resources[r]);
      }
    }
  }
}

void WarnAboutDeviceClasses(const std::vector<ResourceGroup>& groups, const FeatureGates& gates,
                            ProblemReport& report) {
  if (gates.IsOn(Gate::kKueueDynamicResourceAllocation) || DeviceClassesByResource(groups).empty())
    return;
  report.Invalid("resourceGroups", "quota of device classes has no effect",
                 "turn on the feature gate KueueDynamicResourceAllocation");
}

base::FlatMap<std::vector<std::string>> DeviceClassesByResource(
    const std::vector<ResourceGroup>& groups) {
  base::FlatMap<std::vector<std::string>> classes;
  for (const ResourceGroup& group : groups) {
    for (const FlavorQuotas& flavor : group.flavors) {
      for (const ResourceQuota& quota : flavor.resources) {
        if (quota.device_class_names) classes.Set(quota.name, SortedClasses(quota));
      }
    }
  }
  return classes;
}

}  // namespace berth::api
