#pragma once

#include <string>
#include <vector>

#include "api/kueue/resource_group.h"
#include "base/error.h"

namespace berth::ctl {

// Values of the flags of these names: "FLAVOR:RESOURCE=QUANTITY;RESOURCE=QUANTITY".
struct QuotaFlags {
  std::vector<std::string> nominal_quota;
  std::vector<std::string> borrowing_limit;
  std::vector<std::string> lending_limit;
};

// The resource groups that the flags describe. Flavors with the same resources form a group, in the
// order of the flags. All flags of a flavor must name the same resources, and a resource belongs to
// one group.
base::Result<std::vector<api::ResourceGroup>> ReadQuotaFlags(const QuotaFlags& flags);

}  // namespace berth::ctl
