#pragma once

// The table of `list workload`, and its filters.

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/kueue/workload.h"
#include "base/error.h"
#include "base/time.h"
#include "ctl/kinds.h"
#include "ctl/text_table.h"
#include "store/object.h"

namespace berth::ctl {

// The stage of a Workload, as --status names it.
enum class WorkloadStatus : uint8_t { kPending, kQuotaReserved, kAdmitted, kFinished };
WorkloadStatus StatusOf(const api::Workload& workload);

// --status, repeated; "all" and no status select everything.
base::Result<std::set<WorkloadStatus>> ReadStatuses(std::span<const std::string> given);

// What the table says about Workloads beyond their own fields.
struct WorkloadFacts {
  // The ClusterQueues of LocalQueues.
  std::map<store::ObjectName, std::string> cluster_queues;
  // The positions of pending Workloads in their LocalQueues, from 0.
  std::map<store::ObjectName, int64_t> positions;
  // The kinds of owners, by apiVersion and kind.
  std::map<std::pair<std::string, std::string>, NamedKind> owner_kinds;

  // The ClusterQueue that the Workload is in, or would be; "" if unknown.
  std::string ClusterQueueOf(const api::Workload& workload) const;
};

store::ObjectName NameOf(const api::ObjectMeta& metadata);
store::ObjectName LocalQueueOf(const api::Workload& workload);

struct WorkloadFilter {
  std::string cluster_queue;
  std::string local_queue;
  std::set<WorkloadStatus> statuses;
  std::string owner_uid;  // one of the owners

  bool Passes(const api::Workload& workload, const WorkloadFacts& facts) const;
};

TextTable WorkloadTable(std::span<const api::Workload> workloads, const WorkloadFacts& facts,
                        bool has_namespace, base::Time now);

}  // namespace berth::ctl
