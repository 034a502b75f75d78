#include "control/wait_message.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "quantity/resource_amount.h"
#include "workload/constraint_message.h"

namespace berth::control {
namespace {

// Of a long list the first few are enough: the rest says the same of other flavors.
constexpr size_t kMostParts = 8;

class Words {
 public:
  Words(const engine::Decision& decision, const workload::EngineFeed& feed)
      : decision_(decision), feed_(feed), workload_(feed.WorkloadOf(decision.workload)) {}

  std::string Say() const {
    switch (decision_.outcome) {
      case engine::Outcome::kAdmitted:
        return "";
      case engine::Outcome::kPreempting:
        return "It waits for the workloads to stop that were preempted for it: " + Victims();
      case engine::Outcome::kDeferred:
        return "It fits as soon as workloads that were preempted for others have stopped";
      case engine::Outcome::kSkipped:
        return "Another workload took the quota, or the workloads to preempt, in the same cycle";
      case engine::Outcome::kPreemptionGated:
        return "It would have to preempt, and its preemption gate is closed";
      case engine::Outcome::kInvalid:
        return "Its pods could not be created; see its admission checks, requests and limits";
      case engine::Outcome::kNamespaceMismatch:
        return "ClusterQueue " + feed_.engine().ClusterQueueName(decision_.cluster_queue) +
               " does not take workloads of namespace " + workload_.metadata.namespace_;
      case engine::Outcome::kClaimMissing:
        return "A resource claim or claim template that its pods name does not exist";
      case engine::Outcome::kNoFit:
      case engine::Outcome::kNoCandidates:
        if (decision_.forbidden_ways.empty()) return Shortage();
        return workload::ConstraintMessage(feed_.engine(), decision_.cluster_queue,
                                           decision_.forbidden_ways);
    }
    return "";
  }

 private:
  std::string NameOf(engine::WorkloadId id) const {
    return workload::NamespacedName(feed_.WorkloadOf(id).metadata);
  }

  std::string Victims() const {
    std::vector<std::string> names;
    for (const engine::Victim& victim : decision_.victims) names.push_back(NameOf(victim.workload));
    return names.empty() ? "those marked before" : Join(names, ", ");
  }

  static std::string Join(const std::vector<std::string>& parts, std::string_view between) {
    std::string text;
    for (size_t i = 0; i < parts.size() && i < kMostParts; ++i)
      text.append(i == 0 ? "" : between).append(parts[i]);
    if (parts.size() > kMostParts)
      text += " and " + std::to_string(parts.size() - kMostParts) + " more";
    return text;
  }

  std::string PodSetOf(const engine::FlavorAttempt& attempt) const {
    const auto& pod_sets = workload_.spec.pod_sets;
    return attempt.pod_set < pod_sets.size() ? pod_sets[attempt.pod_set].name : "";
  }

  std::string Mismatch(const engine::FlavorAttempt& attempt) const {
    std::string flavor = "flavor " + feed_.engine().FlavorName(attempt.flavor);
    switch (attempt.mismatch) {
      case engine::Mismatch::kUntoleratedTaint:
        return flavor + " has a taint that the pods do not tolerate";
      case engine::Mismatch::kNodeAffinity:
        return flavor + " does not have the node labels that the pods ask for";
      case engine::Mismatch::kNotAllowed:
        return flavor + " is not among those that it allows";
      case engine::Mismatch::kError:
        return flavor + " is missing";
    }
    return flavor;
  }

  std::string Numbers(const engine::FlavorAttempt& attempt) const {
    const quantity::AmountFormatter formatter;
    const std::string& resource = feed_.engine().ResourceName(attempt.resource);
    const auto text = [&](engine::Amount amount) { return formatter.QuotaText(resource, amount); };
    if (attempt.flavor.is_none()) return resource + " is in no resource group of the queue";
    const engine::Amount wanted = attempt.requested + attempt.assumed;
    std::string part = resource + " in flavor " + feed_.engine().FlavorName(attempt.flavor) +
                       ": asks for " + text(attempt.requested);
    if (attempt.reason == engine::WaitReason::kExceedsMaxQuota)
      return part + ", at most " + text(attempt.potential) + " can ever be had";
    part += ", " + text(quantity::Max(attempt.available, engine::Amount(0))) + " available";
    if (attempt.available < wanted) part += ", " + text(wanted - attempt.available) + " missing";
    if (attempt.mode == engine::FlavorMode::kNoCandidates) part += ", nobody may be preempted";
    return part;
  }

  std::string Shortage() const {
    std::vector<std::string> parts;
    if (decision_.assignment != nullptr) {
      for (const engine::FlavorAttempt& attempt : decision_.assignment->attempts) {
        if (attempt.mode == engine::FlavorMode::kFit && !attempt.resource.is_none()) continue;
        const std::string what = attempt.resource.is_none() ? Mismatch(attempt) : Numbers(attempt);
        std::string part = "pod set " + PodSetOf(attempt) + ": " + what;
        if (std::ranges::find(parts, part) == parts.end()) parts.push_back(std::move(part));
      }
    }
    std::ranges::sort(parts);
    return parts.empty() ? "No flavor fits" : Join(parts, "; ");
  }

  const engine::Decision& decision_;
  const workload::EngineFeed& feed_;
  const api::Workload& workload_;
};

}  // namespace

std::string WaitMessage(const engine::Decision& decision, const workload::EngineFeed& feed) {
  return Words(decision, feed).Say();
}

}  // namespace berth::control
