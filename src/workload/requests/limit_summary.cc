#include "workload/requests/limit_summary.h"

#include "workload/requests/resource_list.h"

namespace berth::workload {
namespace {

void AddItem(LimitBounds& bounds, const api::LimitRangeItem& item) {
  KeepLower(bounds.max, item.max);
  KeepHigher(bounds.min, item.min);
  AddMissing(bounds.default_limit, item.default_);
  AddMissing(bounds.default_request, item.default_request);
}

}  // namespace

void LimitSummary::Add(const api::LimitRangeSpec& spec) {
  for (const api::LimitRangeItem& item : spec.limits) {
    const bool is_container = item.type == api::kLimitContainer;
    if (!is_container && item.type != api::kLimitPod) continue;
    std::optional<LimitBounds>& bounds = is_container ? container : pod;
    if (!bounds) bounds.emplace();
    AddItem(*bounds, item);
  }
}

}  // namespace berth::workload
