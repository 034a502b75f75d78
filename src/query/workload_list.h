#pragma once

// Workloads by search and filters. O(workloads).

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "query/page.h"
#include "query/viewer.h"
#include "query/workload_row.h"

namespace berth::query {

struct WorkloadFilter {
  enum class Group : uint8_t { kAll, kPending, kAdmitted, kFinished, kInactive };
  enum class Order : uint8_t { kCreated, kName, kPriority };

  std::string text;  // part of the name, the namespace, the owner's name or a queue; in any case
  std::string namespace_;
  std::string cluster_queue;
  std::string local_queue;
  Group group = Group::kAll;  // kAdmitted: all with quota
  Order order = Order::kCreated;
  bool is_descending = true;
};

// "pending", "admitted", "finished", "inactive" or ""; nullopt for any other text.
std::optional<WorkloadFilter::Group> GroupNamed(std::string_view name);
// "created", "name" or "priority"; nullopt for any other text.
std::optional<WorkloadFilter::Order> OrderNamed(std::string_view name);

struct WorkloadList {
  size_t total = 0;  // that match
  std::vector<WorkloadRow> rows;
};

// Workloads of equal rank are ordered by their namespaced name.
WorkloadList ListWorkloads(const workload::ClusterState& cluster, const Viewer& viewer,
                           const WorkloadFilter& filter, const Page& page);
std::string ToJson(const WorkloadList& list, std::string_view revision);

}  // namespace berth::query
