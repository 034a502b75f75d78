#include "workload/quota_change.h"

#include <algorithm>
#include <optional>
#include <vector>

namespace berth::workload {
namespace {

using Limit = std::optional<quantity::Quantity>;

bool IsNoLess(const Limit& after, const Limit& before) {
  return !after || (before && *after >= *before);
}

bool HasNoLess(const api::ResourceQuota& after, const api::ResourceQuota& before) {
  return after.nominal_quota >= before.nominal_quota &&
         IsNoLess(after.borrowing_limit, before.borrowing_limit) &&
         IsNoLess(after.lending_limit, before.lending_limit);
}

std::vector<api::ResourceQuota*> QuotasOf(api::ClusterQueueSpec& spec) {
  std::vector<api::ResourceQuota*> quotas;
  for (api::ResourceGroup& group : spec.resource_groups)
    for (api::FlavorQuotas& flavor : group.flavors)
      for (api::ResourceQuota& quota : flavor.resources) quotas.push_back(&quota);
  return quotas;
}

}  // namespace

bool OnlyRaisesQuota(const api::ClusterQueueSpec& before, const api::ClusterQueueSpec& after) {
  api::ClusterQueueSpec raised = after;
  api::ClusterQueueSpec old = before;
  const std::vector<api::ResourceQuota*> larger = QuotasOf(raised);
  const std::vector<api::ResourceQuota*> smaller = QuotasOf(old);
  if (larger.size() != smaller.size()) return false;
  for (size_t i = 0; i < larger.size(); ++i) {
    if (!HasNoLess(*larger[i], *smaller[i])) return false;
    larger[i]->nominal_quota = smaller[i]->nominal_quota;
    larger[i]->borrowing_limit = smaller[i]->borrowing_limit;
    larger[i]->lending_limit = smaller[i]->lending_limit;
  }
  return raised == before && after != before;
}

}  // namespace berth::workload
