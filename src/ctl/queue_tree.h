#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "api/kueue/cluster_queue.h"
#include "api/kueue/cohort.h"
#include "ctl/quota_use.h"
#include "ctl/text_table.h"

namespace berth::ctl {

// Cohorts and ClusterQueues as they borrow from each other. Siblings are ordered by name, Cohorts
// first. A Cohort's quota is its own and that of everything below it. Cohorts in a cycle are roots.
struct QueueTreeNode {
  std::string name;
  bool is_cohort = false;
  bool is_active = true;
  int64_t pending = 0;  // workloads
  int64_t admitted = 0;
  QuotaUses uses;
  std::vector<QueueTreeNode> children;
};

std::vector<QueueTreeNode> MakeQueueTree(std::span<const api::ClusterQueue> queues,
                                         std::span<const api::Cohort> cohorts);

// A row per node, flavor and resource, with lines that show the tree.
TextTable QueueTreeTable(std::span<const QueueTreeNode> roots);
std::string QueueTreeJson(std::span<const QueueTreeNode> roots);

}  // namespace berth::ctl
