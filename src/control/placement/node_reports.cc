#include "control/placement/node_reports.h"

#include <algorithm>
#include <string_view>

namespace berth::control {
namespace {

bool ListContains(const NodeReports::List& list, std::string_view node) {
  return std::ranges::find(list, node, &api::UnhealthyNode::name) != list.end();
}

}  // namespace

void NodeReports::OnListed(const List& listed) {
  std::erase_if(recovered_, [&](const auto& node) { return !ListContains(listed, node); });
  for (const api::UnhealthyNode& node : listed)
    if (!recovered_.contains(node.name)) reported_.insert(node.name);
}

void NodeReports::OnPlan(const std::set<std::string>& failed, const List& listed,
                         const List& planned) {
  std::erase_if(reported_, [&](const auto& node) { return !failed.contains(node); });
  for (const api::UnhealthyNode& node : listed)
    if (!ListContains(planned, node.name)) recovered_.insert(node.name);
}

}  // namespace berth::control
