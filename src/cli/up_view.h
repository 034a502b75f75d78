#pragma once

// What `berth up` shows of a cluster: its queues and jobs as a table.

#include <string>
#include <vector>

#include "store/json.h"

namespace berth::cli {

struct ClusterPicture {
  std::vector<store::json::value> cluster_queues;
  std::vector<store::json::value> jobs;
  std::vector<store::json::value> workloads;
};

// How many of the jobs have come to an end.
size_t CountEnded(const ClusterPicture& picture);

std::string DrawCluster(const ClusterPicture& picture, bool with_colour);

}  // namespace berth::cli
