#include "control/report/pending_message.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "lifecycle/messages.h"
#include "quantity/resource_amount.h"
#include "workload/constraint_message.h"

namespace berth::control {
namespace {

// Longer lists are cut: the rest repeats the same for other flavors.
constexpr size_t kMostParts = 8;

class MessageBuilder {
 public:
  MessageBuilder(const engine::Decision& decision, const workload::ClusterState& cluster)
      : decision_(decision), cluster_(cluster), workload_(cluster.WorkloadOf(decision.workload)) {}

  std::string Build() const {
    switch (decision_.outcome) {
      case engine::Outcome::kAdmitted:
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
        return lifecycle::messages::InvalidPods();
      case engine::Outcome::kNamespaceMismatch:
        return lifecycle::messages::NamespaceMismatch(workload_.metadata.namespace_, QueueName());
      case engine::Outcome::kClaimMissing:
        return lifecycle::messages::ClaimsNotFound({});
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

  static std::string Join(const std::vector<std::string>& parts, std::string_view between) {
    std::string text;
    for (size_t i = 0; i < parts.size() && i < kMostParts; ++i)
      text.append(i == 0 ? "" : between).append(parts[i]);
    if (parts.size() > kMostParts)
      text += " and " + std::to_string(parts.size() - kMostParts) + " more";
    return text;
  }

  // " of ClusterQueue team-a for pod set main": where every part of the message looks.
  std::string Place(const engine::FlavorAttempt& request) const {
    const auto& pod_sets = workload_.spec.pod_sets;
    return " of ClusterQueue " + QueueName() + " for pod set " +
           (request.pod_set < pod_sets.size() ? pod_sets[request.pod_set].name : "");
  }

  static std::string_view Mismatch(engine::Mismatch mismatch) {
    switch (mismatch) {
      case engine::Mismatch::kUntoleratedTaint:
        return "taint not tolerated";
      case engine::Mismatch::kNodeAffinity:
        return "node selector or affinity not matched";
      case engine::Mismatch::kNotAllowed:
        return "not among the allowed flavors";
      case engine::Mismatch::kError:
        return "ResourceFlavor not found";
    }
    return "";
  }

  std::string Numbers(const engine::FlavorAttempt& request) const {
    const quantity::AmountFormatter formatter;
    const std::string& resource = cluster_.engine().ResourceName(request.resource);
    const auto text = [&](engine::Amount amount) { return formatter.QuotaText(resource, amount); };
    if (request.flavor.is_none())
      return resource + " not covered by any resource group" + Place(request);
    const std::string place =
        " in flavor " + cluster_.engine().FlavorName(request.flavor) + Place(request) + ": ";
    const engine::Amount wanted = request.requested + request.assumed;
    std::string requested = text(request.requested) + " requested";
    if (request.assumed > engine::Amount(0))
      requested += " after " + text(request.assumed) + " for other pod sets";
    if (request.reason == engine::WaitReason::kExceedsMaxQuota)
      return resource + " quota exceeded" + place + requested + ", " + text(request.potential) +
             " at most";
    const engine::Amount available = quantity::Max(request.available, engine::Amount(0));
    std::string part =
        (request.available < wanted ? text(wanted - request.available) + " " + resource + " missing"
                                    : resource + " not assignable") +
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
    std::string shortages = Shortages();
    return shortages.empty() ? "No flavor of ClusterQueue " + QueueName() + " fits" : shortages;
  }

  // "" if no attempt failed.
  std::string Shortages() const {
    std::vector<std::string> parts;
    if (decision_.assignment != nullptr) {
      for (const engine::FlavorAttempt& request : decision_.assignment->attempts) {
        if (request.mode == engine::FlavorMode::kFit && !request.resource.is_none()) continue;
        std::string part = request.resource.is_none()
                               ? "flavor " + cluster_.engine().FlavorName(request.flavor) +
                                     Place(request) + ": " + std::string(Mismatch(request.mismatch))
                               : Numbers(request);
        if (std::ranges::find(parts, part) == parts.end()) parts.push_back(std::move(part));
      }
    }
    std::ranges::sort(parts);
    return Join(parts, "; ");
  }

  const engine::Decision& decision_;
  const workload::ClusterState& cluster_;
  const api::Workload& workload_;
};

}  // namespace

std::string PendingMessage(const engine::Decision& decision,
                           const workload::ClusterState& cluster) {
  return MessageBuilder(decision, cluster).Build();
}

}  // namespace berth::control
