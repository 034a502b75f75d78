#pragma once

// Pods that the Job controller creates, the scheduler binds, and kwok runs.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "embedded/testing/live_cluster.h"
#include "json/json.h"

namespace berth::cluster {

// A cluster with these controllers.
embedded::testing::LiveCluster StartOnNodes(std::string_view configuration = "");

// A Node with 8 CPUs and its name as host name. `labels` are further labels, as JSON members.
struct NodeText {
  std::string_view name;
  std::string_view labels;
  std::string_view cpu = "8";
};
std::string Node(const NodeText& node);

bool HasCondition(embedded::testing::LiveCluster& cluster, std::string_view object,
                  std::string_view type);
void AwaitComplete(embedded::testing::LiveCluster& cluster, const std::string& job);

std::vector<json::value> PodsOf(const std::string& job);
// The node of each pod; "" for pods that are not bound.
std::vector<std::string> NodesOf(const std::string& job);
ptrdiff_t CountGated(const std::string& job);

}  // namespace berth::cluster
