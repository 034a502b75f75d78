#pragma once

// The table of queues and jobs shown by `berth up`.

#include <string>
#include <vector>

#include "json/json.h"

namespace berth::cli {

struct ClusterPicture {
  std::vector<json::value> cluster_queues;
  std::vector<json::value> jobs;
  std::vector<json::value> workloads;
};

// The number of finished jobs.
size_t CountFinished(const ClusterPicture& picture);

std::string DrawCluster(const ClusterPicture& picture, bool with_colour);

}  // namespace berth::cli
