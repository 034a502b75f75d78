#include "control/report/pending_message.h"

#include <algorithm>
#include <span>
#include <string_view>
#include <vector>

#include "base/list_text.h"
#include "engine/explain/topology_room.h"
#include "engine/flavor/undeclared_request.h"
#include "engine/topology/topologies.h"
#include "lifecycle/messages.h"
#include "quantity/resource_amount.h"
#include "workload/constraint_message.h"
#include "workload/topology/too_large_placement.h"
#include "workload/topology/topology_mismatch.h"

namespace berth::control {
namespace {

// Longer lists are cut: the rest repeats the same for other flavors.
constexpr size_t kMostParts = 8;

class MessageBuilder {
 public:
  MessageBuilder(const engine::Decision& decision, workload::ClusterState& cluster)
      : decision_(decision), cluster_(cluster), workload_(cluster.WorkloadOf(decision.workload)) {}

  std::string Build() const {
    switch (decision_.outcome) {
      case engine::Outcome::kAdmitted:
      case engine::Outcome::kPlaced:
      case engine::Outcome::kEvicted:
        return "";
      case engine::Outcome::kPreempting:
        return lifecycle::messages::WaitingForPreempted(Targets(), Shortages());
      case engine::Outcome::kDeferred:
        return lifecycle::messages::WaitingForPreemptedOfOthers();
      case engine::Outcome::kSkipped:
        return lifecycle::messages::SkippedInCycle();
      case engine::Outcome::kPreemptionGated:
        return lifecycle::messages::PreemptionGated();
      case engine::Outcome::kInvalid:
        return lifecycle::messages::InvalidPods(cluster_.PodProblems(workload_));
      case engine::Outcome::kNamespaceMismatch:
        return lifecycle::messages::NamespaceMismatch(workload_.metadata.namespace_, QueueName());
      case engine::Outcome::kClaimMissing:
        return ClaimMessage(workload_, cluster_);
      case engine::Outcome::kNoFit:
      case engine::Outcome::kNoCandidates:
        if (decision_.blocked_options.empty()) return Shortage();
        return Constraints();
    }
    return "";
  }

 private:
  std::string NameOf(engine::WorkloadId id) const {
    return workload::NamespacedName(cluster_.WorkloadOf(id).metadata);
  }

  const std::string& QueueName() const {
    return cluster_.engine().ClusterQueueName(decision_.cluster_queue);
  }

  std::vector<std::string> Targets() const {
    std::vector<std::string> names;
    for (const engine::PreemptionTarget& target : decision_.targets)
      names.push_back(NameOf(target.workload));
    return names;
  }

  static std::string Join(const std::vector<std::string>& parts) {
    return base::ListText(parts, {.separator = "; ", .last = "; ", .most = kMostParts});
  }

  std::string PodSetName(uint32_t index) const {
    const auto& pod_sets = workload_.spec.pod_sets;
    return index < pod_sets.size() ? pod_sets[index].name : "";
  }

  // " of ClusterQueue team-a for pod set main": the same in every part of the message.
  std::string Place(const engine::FlavorAttempt& request) const {
    return " of ClusterQueue " + QueueName() + " for pod set " + PodSetName(request.pod_set);
  }

  std::string Undeclared(const engine::UndeclaredRequest& request) const {
    const std::string& resource = cluster_.engine().ResourceName(request.resource);
    const std::string amount =
        quantity::AmountFormatter().QuotaText(resource, engine::Amount(request.amount));
    return lifecycle::messages::ResourceNotDeclared(resource, QueueName(), amount,
                                                    PodSetName(request.pod_set));
  }

  std::string Mismatch(const engine::FlavorAttempt& attempt) const {
    switch (attempt.mismatch) {
      case engine::Mismatch::kUntoleratedTaint:
        return "taint not tolerated";
      case engine::Mismatch::kNodeAffinity:
        return "node selector or affinity not matched";
      case engine::Mismatch::kNotAllowed:
        return "not among the allowed flavors";
      case engine::Mismatch::kError:
        return "ResourceFlavor not found";
      case engine::Mismatch::kTopology:
        return workload::TopologyMismatch(
            cluster_.engine().TopologyLevels(attempt.flavor),
            std::span(workload_.spec.pod_sets).subspan(attempt.pod_set, 1));
    }
    return "";
  }

  std::string Numbers(const engine::FlavorAttempt& request) const {
    const quantity::AmountFormatter formatter;
    const std::string& resource = cluster_.engine().ResourceName(request.resource);
    const auto text = [&](engine::Amount amount) { return formatter.QuotaText(resource, amount); };
    const std::string place =
        " in flavor " + cluster_.engine().FlavorName(request.flavor) + Place(request) + ": ";
    const engine::Amount wanted = request.requested + request.assumed;
    std::string requested = text(request.requested) + " requested";
    if (request.assumed > engine::Amount(0))
      requested += " in addition to " + text(request.assumed) + " for other pod sets";
    if (request.reason == engine::WaitReason::kExceedsMaxQuota)
      return resource + " quota exceeded" + place + requested + ", maximum " +
             text(request.potential);
    const engine::Amount available = quantity::Max(request.available, engine::Amount(0));
    std::string part =
        (request.available < wanted ? text(wanted - request.available) + " " + resource + " short"
                                    : resource + " does not fit") +
        place + requested + ", " + text(available) + " available";
    if (request.mode == engine::FlavorMode::kNoCandidates) part += ", no preemption candidates";
    return part;
  }

  // Preemption is counted in workloads; the quota that it is for follows.
  std::string Constraints() const {
    std::string text = workload::ConstraintMessage(cluster_.engine(), decision_.cluster_queue,
                                                   decision_.blocked_options);
    const std::string shortages = Shortages();
    const bool needs_preemption =
        workload::BlockingConstraints(decision_.blocked_options).cannot_preempt;
    return needs_preemption && !shortages.empty() ? text + "; " + shortages : text;
  }

  std::string Shortage() const {
    if (decision_.assignment != nullptr && decision_.assignment->is_placement_too_large)
      return workload::TooLargePlacementMessage();
    std::string shortages = Shortages();
    if (decision_.reason == engine::WaitReason::kTopologyPlacementFailed || shortages.empty()) {
      if (std::string room = MissingRoom(); !room.empty()) return room;
    }
    return shortages.empty() ? "No flavor of ClusterQueue " + QueueName() + " fits" : shortages;
  }

  // Of a pod set that has no place in its topology; "" if none lacks one.
  std::string MissingRoom() const {
    if (decision_.assignment == nullptr || !decision_.assignment->shortage) return "";
    const engine::PlacementShortage& shortage = *decision_.assignment->shortage;
    const std::string& flavor = cluster_.engine().FlavorName(shortage.flavor);
    const api::ResourceFlavor* object = cluster_.FindFlavor(flavor);
    if (object == nullptr || !object->spec.topology_name) return "";
    const std::string& topology = *object->spec.topology_name;
    return shortage.is_valid ? MissingRoom(topology, flavor, shortage)
                             : lifecycle::messages::SlicesNotSupported(
                                   topology, flavor, PodSetName(shortage.pod_set));
  }

  std::string MissingRoom(std::string_view topology, std::string_view flavor,
                          const engine::PlacementShortage& shortage) const {
    const engine::State& state = cluster_.engine().state();
    const engine::TopologyForest& forest = *state.topologies->Find(shortage.flavor);
    size_t nodes = 0;
    for (const engine::DomainIndex domain : forest.DomainsAt(0))
      nodes += forest.domain(domain).nodes;
    const engine::WorkloadTopology& requests = *state.workload(decision_.workload).topology();
    const engine::NodeExclusions excluded = engine::CountExclusions(
        *state.topologies, shortage.flavor, requests.pod_sets[shortage.pod_set].match);
    const auto& request = workload_.spec.pod_sets[shortage.pod_set].topology_request;
    return lifecycle::messages::TopologyHasNoRoom(
        {.topology = topology,
         .flavor = flavor,
         .pod_set = workload_.spec.pod_sets[shortage.pod_set].name,
         .level = request && request->required ? std::string_view(*request->required)
                                               : std::string_view(),
         .pods = decision_.assignment->pod_sets[shortage.pod_set].count,
         .fitting = shortage.fitting,
         .needed = shortage.needed,
         .slice_size = shortage.slice_size,
         .nodes = nodes,
         .tainted = excluded.tainted,
         .by_selector = excluded.by_selector,
         .by_affinity = excluded.by_affinity,
         .is_if_empty = decision_.reason == engine::WaitReason::kTopologyPlacementFailed});
  }

  // "" if no attempt failed. Undeclared requests come first: no quota that becomes free helps them.
  std::string Shortages() const {
    std::vector<std::string> undeclared, parts;
    for (const engine::UndeclaredRequest& request :
         engine::UndeclaredRequestsOf(cluster_.engine().state(), decision_.workload))
      undeclared.push_back(Undeclared(request));
    if (decision_.assignment != nullptr) {
      for (const engine::FlavorAttempt& request : decision_.assignment->attempts) {
        if (request.mode == engine::FlavorMode::kFit && !request.resource.is_none()) continue;
        std::string part = request.resource.is_none()
                               ? "Flavor " + cluster_.engine().FlavorName(request.flavor) +
                                     Place(request) + ": " + Mismatch(request)
                               : Numbers(request);
        if (std::ranges::find(parts, part) == parts.end()) parts.push_back(std::move(part));
      }
    }
    std::ranges::sort(parts);
    undeclared.insert(undeclared.end(), parts.begin(), parts.end());
    return Join(undeclared);
  }

  const engine::Decision& decision_;
  workload::ClusterState& cluster_;
  const api::Workload& workload_;
};

}  // namespace

std::string ClaimMessage(const api::Workload& workload, workload::ClusterState& cluster) {
  const schema::Problems problems = cluster.ClaimProblems(workload);
  return cluster.rules().resources->rejects_devices
             ? lifecycle::messages::ClaimsRejected(problems)
             : lifecycle::messages::ClaimsNotResolved(problems);
}

std::string PendingMessage(const engine::Decision& decision, workload::ClusterState& cluster) {
  return MessageBuilder(decision, cluster).Build();
}

}  // namespace berth::control
