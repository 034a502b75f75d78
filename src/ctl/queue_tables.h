#pragma once

// The tables of `list clusterqueue`, `list localqueue` and `list resourceflavor`.

#include <span>

#include "api/kueue/cluster_queue.h"
#include "api/kueue/local_queue.h"
#include "api/kueue/resource_flavor.h"
#include "base/time.h"
#include "ctl/text_table.h"

namespace berth::ctl {

bool IsActive(const api::ClusterQueue& queue);

// "45s", "3m20s"; "<unknown>" of an object that was never stored.
std::string AgeOf(const api::ObjectMeta& metadata, base::Time now);

TextTable ClusterQueueTable(std::span<const api::ClusterQueue> queues, base::Time now);
TextTable LocalQueueTable(std::span<const api::LocalQueue> queues, bool has_namespace,
                          base::Time now);
TextTable ResourceFlavorTable(std::span<const api::ResourceFlavor> flavors, base::Time now);

}  // namespace berth::ctl
