#include "api/kueue/rules/quota_rules.h"

#include <algorithm>
#include <set>

#include "api/meta/label_rules.h"
#include "api/meta/names.h"

namespace berth::api {
namespace {

using quantity::Quantity;

class QuotaRules {
 public:
  QuotaRules(const QuotaOwner& owner, ProblemReport& report) : owner_(owner), report_(report) {}

  void Check(const ResourceGroup& group) {
    for (size_t i = 0; i < group.covered_resources.size(); ++i) {
      const auto at = report_.In("coveredResources", i);
      CheckCovered(group.covered_resources[i]);
    }
    for (size_t i = 0; i < group.flavors.size(); ++i) {
      const auto at = report_.In("flavors", i);
      CheckFlavor(group.flavors[i], group.covered_resources);
    }
  }

 private:
  void CheckCovered(const std::string& name) {
    ReportFaults(name, QualifiedNameProblems(name), "", report_);
    if (!resources_.insert(name).second) {
      report_.Duplicate("", Quoted(name) + " is covered already",
                        "a resource belongs to one resource group; remove one of the two");
    }
  }

  void CheckFlavor(const FlavorQuotas& flavor, const std::vector<std::string>& covered) {
    for (size_t i = 0; i < std::min(flavor.resources.size(), covered.size()); ++i) {
      const auto at = report_.In("resources", i);
      CheckQuota(flavor.resources[i], covered[i]);
    }
    for (size_t i = covered.size(); i < flavor.resources.size(); ++i) {
      const auto at = report_.In("resources", i);
      CheckDevicesAreCovered(flavor.resources[i]);
    }
    if (!flavors_.insert(flavor.name).second) {
      report_.Duplicate("name", "flavor " + Quoted(flavor.name) + " is used already",
                        "a flavor occurs once in all resource groups; remove one of the two");
    }
  }

  // The CRD only reports that the numbers differ; this message adds the remedy.
  void CheckDevicesAreCovered(const ResourceQuota& quota) {
    if (quota.kind != kDeviceClass || resources_.contains(quota.name)) return;
    report_.Invalid("name", Quoted(quota.name) + " is not among coveredResources",
                    "add " + Quoted(quota.name) + " there, behind the others");
  }

  void CheckQuota(const ResourceQuota& quota, const std::string& covered) {
    if (quota.name != covered) ReportMisplaced(quota, covered);
    CheckNotNegative(quota.nominal_quota, "nominalQuota");
    if (quota.borrowing_limit) CheckLimit(*quota.borrowing_limit, "borrowingLimit");
    if (!quota.lending_limit) return;
    CheckLimit(*quota.lending_limit, "lendingLimit");
    if (owner_.lends_nominal_only && *quota.lending_limit > quota.nominal_quota) {
      report_.Invalid("lendingLimit",
                      quota.lending_limit->ToString() + " is more than the nominalQuota of " +
                          quota.nominal_quota.ToString(),
                      "write at most " + quota.nominal_quota.ToString());
    }
  }

  void ReportMisplaced(const ResourceQuota& quota, const std::string& covered) {
    const auto& classes = quota.device_class_names;
    const bool covers_class = classes && std::ranges::find(*classes, covered) != classes->end();
    std::string hint = "list the resources in the order of coveredResources";
    if (covers_class) {
      hint = "coveredResources lists resources, not device classes: write " + Quoted(quota.name) +
             " there";
    } else if (!resources_.contains(quota.name)) {
      hint = "write the same name in both; coveredResources does not have " + Quoted(quota.name);
    }
    report_.Invalid(
        "name", Quoted(quota.name) + " is at the position of coveredResources " + Quoted(covered),
        std::move(hint));
  }

  void CheckNotNegative(const Quantity& quantity, std::string_view field) {
    if (quantity.Sign() >= 0) return;
    report_.Invalid(field, quantity.ToString() + " is negative", "write 0 or more");
  }

  void CheckLimit(const Quantity& limit, std::string_view field) {
    CheckNotNegative(limit, field);
    if (owner_.has_parent) return;
    report_.Invalid(field, "has no effect without " + std::string(owner_.parent_field),
                    "remove it or set " + std::string(owner_.parent_field));
  }

  const QuotaOwner& owner_;
  ProblemReport& report_;
  std::set<std::string_view> resources_;
  std::set<std::string_view> flavors_;
};

}  // namespace

void ValidateResourceGroups(const std::vector<ResourceGroup>& groups, const QuotaOwner& owner,
                            ProblemReport& report) {
  QuotaRules rules(owner, report);
  for (size_t i = 0; i < groups.size(); ++i) {
    const auto at = report.In("resourceGroups", i);
    rules.Check(groups[i]);
  }
  ValidateDeviceClasses(groups, report);
}

void ValidateFairSharing(const std::optional<FairSharing>& fair_sharing, ProblemReport& report) {
  if (!fair_sharing || !fair_sharing->weight) return;
  static const Quantity kTooSmall = Quantity::Parse("1n").value();
  const Quantity& weight = *fair_sharing->weight;
  if (weight.Sign() < 0) {
    report.Invalid("fairSharing", "weight " + weight.ToString() + " is negative",
                   "write 0 or more");
  } else if (weight.Sign() > 0 && weight <= kTooSmall) {
    report.Invalid("fairSharing", "weight " + weight.ToString() + " rounds to 0",
                   "write 0 or more than 1n");
  }
}

}  // namespace berth::api
