#include "load/node_audit.h"

#include <algorithm>
#include <utility>

#include "api/core/node.h"
#include "api/kueue/topology_assignment.h"
#include "api/kueue/well_known.h"
#include "quantity/amount.h"
#include "workload/requests/pod_requests.h"
#include "workload/status_changes.h"

namespace berth::load {
namespace {

constexpr std::string_view kPods = "pods";

void AddTimes(const workload::Requests& requests, int64_t times, workload::Requests& sum) {
  for (const auto& [resource, amount] : requests)
    sum[resource] = quantity::SaturatingAdd(sum[resource], quantity::SaturatingMul(amount, times));
}

}  // namespace

NodeAudit::NodeAudit(const std::vector<api::Object>& objects) {
  for (const api::Object& object : objects) {
    const auto* node = object.As<api::Node>();
    if (node == nullptr) continue;
    const std::string* host = node->metadata.labels.Find(api::kHostnameLabel);
    nodes_[host == nullptr ? node->metadata.name : *host].allocatable =
        workload::ToRequests(node->status.allocatable);
  }
}

void NodeAudit::Observe(const std::string& name, const api::Workload* workload) {
  if (nodes_.empty()) return;
  if (const auto known = holdings_.find(name); known != holdings_.end()) {
    Add(known->second, -1);
    holdings_.erase(known);
  }
  if (workload == nullptr || !workload->status.admission || !workload::HasReservation(*workload) ||
      workload::IsFinished(*workload))
    return;
  Holding holding = HoldingOf(*workload);
  Add(holding, 1);
  holdings_.emplace(name, std::move(holding));
}

NodeAudit::Holding NodeAudit::HoldingOf(const api::Workload& workload) {
  Holding holding;
  for (const api::PodSetAssignment& assignment : workload.status.admission->pod_set_assignments) {
    const auto pods =
        std::ranges::find(workload.spec.pod_sets, assignment.name, &api::PodSet::name);
    if (!assignment.topology_assignment || pods == workload.spec.pod_sets.end()) continue;
    workload::Requests requests = workload::ToRequests(workload::PodRequests(pods->template_.spec));
    requests.Set(kPods, 1);
    for (const api::TopologyDomain& domain :
         api::UnpackTopologyAssignment(*assignment.topology_assignment))
      AddTimes(requests, domain.count, holding[domain.values.back()]);
  }
  return holding;
}

void NodeAudit::Add(const Holding& holding, int64_t times) {
  for (const auto& [host, requests] : holding) {
    Node& node = nodes_[host];
    AddTimes(requests, times, node.used);
    exceeded_.erase(host);
    for (const auto& [resource, amount] : node.used) {
      const int64_t allocatable = node.allocatable.ValueOrEmpty(resource);
      if (amount > allocatable)
        exceeded_[host] = "node " + host + ": " + std::to_string(amount) + " of " + resource +
                          " is placed on " + std::to_string(allocatable);
    }
  }
}

std::string NodeAudit::Exceeded() const {
  return exceeded_.empty() ? "" : exceeded_.begin()->second;
}

}  // namespace berth::load
