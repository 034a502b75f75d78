#include "explain/sentences.h"

#include <algorithm>
#include <cctype>

#include "api/kueue/rules/admission_constraint_rules.h"
#include "api/kueue/well_known.h"
#include "base/list_text.h"
#include "explain/topology_sentences.h"
#include "workload/constraint_message.h"
#include "workload/convert/convert_admission.h"
#include "workload/topology/too_large_placement.h"

namespace berth::explain {
namespace {

using base::CountText;
using engine::FlavorMode;
using engine::FlavorSearch;
using engine::FlavorStep;
using engine::Mismatch;
using engine::Obstacle;
using engine::Outcome;
using engine::PositionStatus;
using engine::ResourceFigures;
using engine::WaitReason;

std::string QueueText(const Report& report) { return "ClusterQueue " + report.ClusterQueueName(); }

std::string NodeText(const Report& report, engine::NodeId node) {
  return (report.IsClusterQueue(node) ? "ClusterQueue " : "Cohort ") + report.NodeName(node);
}

// "4 cpu".
std::string Quantified(const Report& report, engine::ResourceId resource, engine::Amount amount) {
  return report.AmountText(resource, amount) + " " + report.ResourceName(resource);
}

std::string Joined(const std::vector<std::string>& parts) { return Listed(parts, parts.size()); }

// --- Not in a queue -----------------------------------------------------------------------------

std::string AbsenceText(const Report& report) {
  const std::string local = "LocalQueue " + report.LocalQueueName();
  switch (report.absence) {
    case Absence::kNone:
      return "";
    case Absence::kFinished:
      return "Workload has finished.";
    case Absence::kDeactivated:
      return "Workload is deactivated: spec.active is false.";
    case Absence::kGated:
      return "Admission is gated by the annotation " +
             std::string(api::kAdmissionGatedByAnnotation) + ".";
    case Absence::kOnHold:
      return "Workload is on hold: condition QuotaReserved has reason OnHold.";
    case Absence::kReplacementPods:
      return "Pod group is waiting for replacement pods.";
    case Absence::kNoQueueName:
      return "LocalQueue is not set: spec.queueName is empty.";
    case Absence::kNoLocalQueue:
      return local + " not found.";
    case Absence::kLocalQueueStopped:
      return local + " is stopped: stopPolicy is not None.";
    case Absence::kNoClusterQueue:
      return report.ClusterQueueName().empty() ? local + " has no ClusterQueue."
                                               : QueueText(report) + " not found.";
  }
  return "";
}

// --- Obstacles ----------------------------------------------------------------------------------

// Null unless the reason is a conflict with another queue.
const api::DeviceClassConflict* ConflictIn(const Report& report, std::string_view why) {
  return why == api::reason::kDeviceClassConflict
             ? report.cluster->FindConflict(report.ClusterQueueName())
             : nullptr;
}

std::string InactiveText(const Report& report) {
  const std::string_view why = report.cluster->InactiveReason(report.ClusterQueueName());
  const std::string queue = QueueText(report);
  if (why == api::reason::kStopped) return queue + " is stopped: stopPolicy is not None.";
  const std::string text = queue + " is inactive (" + std::string(why) + ")";
  const api::DeviceClassConflict* conflict = ConflictIn(report, why);
  return conflict == nullptr ? text + "." : text + ": " + ToString(*conflict) + ".";
}

std::string InvalidPodsText(const Report& report) {
  if (report.pod_problems.empty()) return "An AdmissionCheck is in state Retry or Rejected.";
  std::string text = "Pod resources invalid:";
  for (const schema::Problem& problem : report.pod_problems)
    text += " " + problem.field + ": " + problem.message + ".";
  return text;
}

std::string MissingClaimText(const Report& report) {
  std::string text = "Device claims not resolved:";
  for (const schema::Problem& problem : report.claim_problems)
    text += " " + problem.field + ": " + problem.message + ".";
  return text;
}

// The first missing claim, or else the first class without a resource.
std::string ClaimAdvice(const Report& report) {
  for (const schema::Problem& problem : report.claim_problems)
    if (problem.type == schema::ProblemType::kNotFound)
      return "create the missing claims, or correct the names in resourceClaims";
  return report.claim_problems.empty() ? "" : report.claim_problems.front().hint;
}

std::string ObstacleText(const Report& report, Obstacle obstacle) {
  switch (obstacle) {
    case Obstacle::kReplaced:
      return "Workload slice was replaced by a newer slice of the same job.";
    case Obstacle::kQueueInactive:
      return InactiveText(report);
    case Obstacle::kCohortCycle:
      return QueueText(report) + " is below a cycle of cohorts.";
    case Obstacle::kNamespaceMismatch:
      return "Namespace " + report.workload->metadata.namespace_ +
             " is not selected by the namespaceSelector of " + QueueText(report) + ".";
    case Obstacle::kClaimMissing:
      return MissingClaimText(report);
    case Obstacle::kInvalid:
      return InvalidPodsText(report);
    case Obstacle::kNotRequeued:
      return "Requeuing is held: condition Requeued is False.";
    case Obstacle::kBackingOff:
      return "Requeuing back-off after eviction is not over.";
    case Obstacle::kPreemptionGate:
      return "Preemption is required, but the preemption gates are closed.";
  }
  return "";
}

// --- Quota --------------------------------------------------------------------------------------

bool IsShort(const FlavorStep& step) {
  return step.is_tried && !step.mismatch && step.mode != FlavorMode::kFit;
}

// The chosen flavor, else the one nearest to a fit.
const FlavorStep* RelevantStep(const FlavorSearch& search) {
  const FlavorStep* best = nullptr;
  for (const FlavorStep& step : search.flavors) {
    if (step.is_chosen) return &step;
    if (IsShort(step) && (best == nullptr || step.mode > best->mode || step.reason < best->reason))
      best = &step;
  }
  return best;
}

// "Podset a and b: "; "" if there is one podset.
std::string PodSetPrefix(const Report& report, const FlavorSearch& search) {
  if (report.workload->spec.pod_sets.size() == 1) return "";
  std::vector<std::string> names;
  for (const uint32_t pod_set : search.pod_sets) names.push_back(report.PodSetName(pod_set));
  return "Podset " + Joined(names) + ": ";
}

std::string ShortageText(const Report& report, const FlavorStep& step) {
  const std::string flavor = " of flavor " + report.FlavorName(step.flavor);
  std::vector<std::string> above, missing;
  for (const ResourceFigures& f : step.resources) {
    if (f.mode == FlavorMode::kFit) continue;
    const engine::Amount total = f.requested + f.assumed;
    if (f.reason == WaitReason::kExceedsMaxQuota) {
      above.push_back(Quantified(report, f.resource, total) + " requested, maximum " +
                      report.AmountText(f.resource, f.potential));
    } else if (f.shortfall > 0) {
      missing.push_back(Quantified(report, f.resource, f.shortfall));
    }
  }
  const std::string quota = "quota" + flavor + " in " + QueueText(report);
  if (!above.empty()) return "request exceeds the maximum " + quota + ": " + Joined(above) + ".";
  if (!missing.empty()) return "insufficient " + quota + ": " + Joined(missing) + " short.";
  return "flavor " + report.FlavorName(step.flavor) + " does not fit.";
}

// Whether preemption cannot help either.
bool CannotPreempt(const FlavorStep& step) {
  return step.mode == FlavorMode::kNoFit || step.mode == FlavorMode::kNoCandidates;
}

std::string SearchText(const Report& report, const FlavorSearch& search,
                       bool only_without_preemption) {
  const bool matches_none = std::ranges::all_of(
      search.flavors, [](const FlavorStep& s) { return s.mismatch.has_value(); });
  if (matches_none) return "no flavor of " + QueueText(report) + " matches the pods.";
  const FlavorStep* step = RelevantStep(search);
  const bool is_shown = step != nullptr && step->mode != FlavorMode::kFit &&
                        (!only_without_preemption || CannotPreempt(*step));
  return is_shown ? ShortageText(report, *step) : "";
}

std::string UndeclaredText(const Report& report, const engine::UndeclaredRequest& request) {
  const engine::Amount amount(request.amount);
  if (const auto device_class = workload::UnmappedClassOf(report.ResourceName(request.resource)))
    return report.AmountText(request.resource, amount) + " devices of class " +
           std::string(*device_class) + " requested, but no resource of " + QueueText(report) +
           " has this class.";
  return Quantified(report, request.resource, amount) + " requested, but " + QueueText(report) +
         " has no quota for " + report.ResourceName(request.resource) + ".";
}

std::vector<std::string> QuotaText(const Report& report) {
  std::vector<std::string> lines;
  for (const engine::UndeclaredRequest& u : report.explanation.undeclared)
    lines.push_back(UndeclaredText(report, u));
  // Quota that preemption could free matters only if nothing else is missing.
  for (const bool only_without_preemption : {true, false}) {
    for (const FlavorSearch& search : report.explanation.searches) {
      const std::string text = SearchText(report, search, only_without_preemption);
      if (text.empty()) continue;
      lines.push_back(PodSetPrefix(report, search) + text);
      lines.back()[0] =
          static_cast<char>(std::toupper(static_cast<unsigned char>(lines.back()[0])));
    }
    if (!lines.empty()) break;
  }
  return lines;
}

std::vector<std::string> ShortageLines(const Report& report) {
  std::vector<std::string> lines = QuotaText(report);
  const size_t quota_lines = lines.size();
  for (const engine::TopologySearch& search : report.explanation.topologies) {
    if (std::string text = NoRoomText(report, search); !text.empty())
      lines.push_back(std::move(text));
  }
  if (report.explanation.is_placement_too_large)
    lines.push_back(workload::TooLargePlacementMessage() + ".");
  const bool has_topology_reason = lines.size() > quota_lines;
  if (report.explanation.outcome == Outcome::kSkipped && !has_topology_reason)
    lines.push_back("Preemption candidates would not free enough quota.");
  return lines;
}

// Of a workload that fits now.
std::string_view FreeText(const Report& report) {
  return report.explanation.topologies.empty() ? "Quota is available"
                                               : "Quota and nodes are available";
}

std::string PositionText(const Report& report) {
  const engine::QueuePosition& position = report.explanation.position;
  switch (position.status) {
    case PositionStatus::kHead:
      return "Workload is at the head of its queue.";
    case PositionStatus::kBehindOthers:
      return CountText(position.ahead_count, "workload") + " ahead in the queue, which " +
             (position.ahead_count == 1 ? "leaves" : "leave") + " enough quota.";
    case PositionStatus::kQuotaTaken:
      return std::string(FreeText(report)) + " now, but the workloads ahead in the queue need " +
             (report.explanation.topologies.empty() ? "it." : "them.");
    case PositionStatus::kBlocked:
      return QueueText(report) + " is StrictFIFO: blocked by Workload " +
             report.WorkloadName(position.blocked_by) + ", which is not admissible now.";
    case PositionStatus::kUnknown:
      return CountText(position.ahead_count, "workload") + " ahead in the queue.";
  }
  return "";
}

// Partial admission.
std::string PartialAdmissionText(const Report& report) {
  std::vector<std::string> parts;
  const auto& offered = report.explanation.offered;
  for (uint32_t i = 0; i < offered.size(); ++i) {
    const int32_t count = report.workload->spec.pod_sets[i].count.value_or(1);
    if (offered[i].count < count)
      parts.push_back(std::to_string(offered[i].count) + " of " + std::to_string(count) +
                      " pods of " + report.PodSetName(i));
  }
  return parts.empty() ? "" : "Partial admission: " + Joined(parts) + " (minCount).";
}

std::string TargetsText(const Report& report) {
  std::vector<std::string> names;
  for (const engine::PreemptionTarget& target : report.explanation.targets)
    names.push_back(report.WorkloadName(target.workload) + " (" +
                    std::string(workload::ReasonOf(target.reason)) + ")");
  return "Preemption targets: " + Joined(names) + ".";
}

// --- Constraints --------------------------------------------------------------------------------

std::vector<std::string> NamesOf(engine::AdmissionConstraints constraints) {
  std::vector<std::string> names;
  for (const std::string_view name : workload::ConstraintNames(constraints))
    names.emplace_back(name);
  return names;
}

std::string BlockedText(const Report& report) {
  const engine::Explanation& e = report.explanation;
  return workload::ConstraintMessage(report.engine(), e.cluster_queue, e.blocked_options) + ".";
}

// --- Remedies -----------------------------------------------------------------------------------

std::string RaiseText(const Report& report, const engine::Remedy& remedy, std::string_view field) {
  std::vector<std::string> parts;
  for (const engine::QuotaRaise& r : remedy.raises) {
    const engine::Amount by = r.to - r.from;
    parts.push_back(report.ResourceName(r.resource) + " in flavor " + report.FlavorName(r.flavor) +
                    " from " + report.AmountText(r.resource, r.from) + " to " +
                    report.AmountText(r.resource, r.to) + " (+" +
                    report.AmountText(r.resource, by) + ")");
  }
  return "raise " + std::string(field) + " of " + NodeText(report, remedy.node) + ": " +
         Joined(parts);
}

std::string FlavorLabels(const Report& report, engine::FlavorId flavor) {
  const api::ResourceFlavor* object = report.cluster->FindFlavor(report.FlavorName(flavor));
  if (object == nullptr || object->spec.node_labels.empty()) return "";
  std::vector<std::string> labels;
  for (const auto& [key, value] : object->spec.node_labels) labels.push_back(key + "=" + value);
  return " (" + Joined(labels) + ")";
}

std::string MatchFlavorText(const Report& report, const engine::Remedy& remedy) {
  const std::string flavor = "flavor " + report.FlavorName(remedy.flavor);
  switch (remedy.mismatch) {
    case Mismatch::kUntoleratedTaint:
      return "add a toleration of taint " + report.TaintOf(remedy.flavor) + " of " + flavor +
             " to the pods";
    case Mismatch::kNodeAffinity:
      return "change the node selector and affinity of the pods to match " + flavor +
             FlavorLabels(report, remedy.flavor);
    case Mismatch::kError:
      return "correct the node affinity of the pods to match " + flavor +
             FlavorLabels(report, remedy.flavor);
    case Mismatch::kNotAllowed:
      return "allow " + flavor + " in the annotation " +
             std::string(api::kAllowedResourceFlavorsAnnotation);
    case Mismatch::kTopology: {
      const std::vector<std::string> levels = report.engine().TopologyLevels(remedy.flavor);
      return levels.empty() ? "request no topology for the pods, to use " + flavor
                            : "request a level of " + flavor +
                                  " for the pods: " + Listed(levels, levels.size(), "or");
    }
  }
  return "";
}

std::string DropText(const Report& report, const engine::Remedy& remedy) {
  std::vector<std::string> names;
  for (const engine::ResourceId r : remedy.resources) {
    const auto device_class = workload::UnmappedClassOf(report.ResourceName(r));
    names.push_back(device_class ? "devices of class " + std::string(*device_class)
                                 : report.ResourceName(r));
  }
  return "do not request " + Joined(names);
}

std::string DeclareText(const Report& report, const engine::Remedy& remedy) {
  std::vector<std::string> parts;
  for (const engine::ResourceId r : remedy.resources) {
    int64_t amount = 0;
    for (const engine::UndeclaredRequest& u : report.explanation.undeclared)
      if (u.resource == r) amount = quantity::SaturatingAdd(amount, u.amount);
    const auto device_class = workload::UnmappedClassOf(report.ResourceName(r));
    parts.push_back((device_class ? "a resource of device class " + std::string(*device_class)
                                  : report.ResourceName(r)) +
                    " with a nominalQuota of at least " +
                    report.AmountText(r, engine::Amount(amount)));
  }
  return "declare " + Joined(parts) + " in " + QueueText(report);
}

std::string ExcludeText(const Report& report, const engine::Remedy& remedy) {
  std::vector<std::string> names;
  for (const engine::ResourceId r : remedy.resources) names.push_back(report.ResourceName(r));
  const bool by_queue = report.cluster->rules().resources->has_queue_exclusion;
  return "exclude " + Joined(names) + " from quota: list " + (names.size() == 1 ? "it" : "them") +
         " in excludeResourcePrefixes of " + (by_queue ? QueueText(report) : "the Configuration");
}

std::string FinishText(const Report& report, const engine::Remedy& remedy) {
  const std::vector<std::string> names = report.WorkloadNames(remedy.workloads);
  const bool are_all = remedy.kind == engine::RemedyKind::kAllFinish;
  const std::string list = Listed(names, remedy.workload_count, are_all ? "and" : "or");
  return "wait until " + list + (are_all && names.size() > 1 ? " finish" : " finishes");
}

}  // namespace

// --- The whole ----------------------------------------------------------------------------------

std::string_view StatusOf(const Report& report) {
  const engine::Explanation& e = report.explanation;
  if (report.absence != Absence::kNone) return "NotQueued";
  if (e.is_reserved) return e.is_evicted ? "Evicted" : "HoldsQuota";
  if (!e.obstacles.empty() || !e.is_admissible() || e.position.status == PositionStatus::kBlocked ||
      e.position.status == PositionStatus::kQuotaTaken)
    return "Waits";
  return e.outcome == Outcome::kAdmitted ? "Ready" : "Preempts";
}

std::string Headline(const Report& report) {
  const std::string_view status = StatusOf(report);
  const std::string name = "Workload " + report.Name();
  if (status == "NotQueued")
    return report.absence == Absence::kFinished ? name + " has finished" : name + " is not queued";
  if (status == "HoldsQuota") return name + " holds quota";
  if (status == "Evicted") return name + " is evicted and holds quota until its pods stop";
  const bool is_next = report.explanation.position.status == PositionStatus::kHead;
  if (status == "Ready")
    return name + " is admissible: admitted " +
           (is_next ? "in the next cycle" : "after the workloads ahead");
  if (status == "Preempts")
    return name + " is admissible: preempts " +
           (is_next ? "in the next cycle" : "after the workloads ahead");
  return name + " is pending: " + std::string(workload::ReasonOf(report.explanation.reason));
}

namespace {

std::vector<std::string> ReasonLines(const Report& report) {
  const engine::Explanation& e = report.explanation;
  std::vector<std::string> lines;
  if (report.absence != Absence::kNone) return {AbsenceText(report)};
  if (e.is_reserved) return lines;
  for (const Obstacle obstacle : e.obstacles) lines.push_back(ObstacleText(report, obstacle));
  const bool has_searched = !e.searches.empty() || !e.undeclared.empty();
  if (!e.is_admissible()) {
    if (e.blocked_options.empty()) {
      std::ranges::move(ShortageLines(report), std::back_inserter(lines));
    } else {
      lines.push_back(BlockedText(report));
    }
    if (e.position.status == PositionStatus::kBlocked) lines.push_back(PositionText(report));
    return lines;
  }
  if (!has_searched) return lines;
  if (e.outcome == Outcome::kPreempting) lines.push_back(TargetsText(report));
  if (const std::string partial = PartialAdmissionText(report); !partial.empty())
    lines.push_back(partial);
  if (e.obstacles.empty()) {
    lines.push_back(PositionText(report));
  } else {
    lines.push_back(report.claim_problems.empty() ? "Quota is available."
                                                  : "Quota for all other requests is available.");
  }
  return lines;
}

}  // namespace

std::vector<std::string> PendingReasons(const Report& report) {
  std::vector<std::string> lines = ReasonLines(report);
  if (std::string text = UncheckedTopologyText(report); !text.empty())
    lines.push_back(std::move(text));
  return lines;
}

std::string ConstraintsText(const Report& report) {
  const std::optional<api::AdmissionConstraints> asked = api::ConstraintsOf(*report.workload);
  if (!asked) return "";
  const std::string names = Joined(NamesOf({.cannot_preempt = asked->preemption.has_value(),
                                            .cannot_borrow = asked->borrowing.has_value()}));
  return report.cluster->rules().has_admission_constraints
             ? names
             : names + " (no effect: the feature gate WorkloadAdmissionConstraints is off)";
}

std::vector<std::string> DeviceLines(const Report& report) {
  std::vector<std::string> lines;
  const bool has_several = report.workload->spec.pod_sets.size() > 1;
  for (const workload::CountedDevices& d : report.counted.devices) {
    lines.push_back(d.resource + ": " + report.amounts.RequestText(d.resource, d.amount) +
                    " of class " + d.device_class + ", by " + d.claim +
                    (has_several ? " of podset " + d.pod_set : ""));
  }
  return lines;
}

std::vector<workload::SkippedResource> NotCounted(const Report& report) {
  std::vector<workload::SkippedResource> skipped = report.counted.skipped;
  std::erase_if(skipped, [&](const workload::SkippedResource& s) {
    return std::ranges::any_of(report.explanation.held, [&](const auto& pod_set) {
      return std::ranges::any_of(pod_set.resources, [&](const auto& held) {
        return report.ResourceName(held.resource) == s.resource;
      });
    });
  });
  return skipped;
}

std::string FitText(const ResourceFigures& figures) {
  if (figures.blocked_by.cannot_borrow) return "fits only by borrowing, blocked by cannot-borrow";
  if (figures.blocked_by.cannot_preempt)
    return "not enough free, preemption blocked by cannot-preempt";
  switch (figures.mode) {
    case FlavorMode::kFit:
      return figures.borrowing_height > 0 ? "fits by borrowing" : "fits";
    case FlavorMode::kReclaim:
      return "fits by reclaiming borrowed quota";
    case FlavorMode::kPreempt:
      return "fits with preemption";
    case FlavorMode::kNoCandidates:
      return "not enough free, no preemption candidates";
    case FlavorMode::kNoFit:
      break;
  }
  if (figures.reason == WaitReason::kExceedsMaxQuota) return "above the maximum";
  if (figures.reason == WaitReason::kNoMatchingFlavor)
    return "flavor differs from the replaced slice";
  return "not enough free";
}

std::string MismatchText(const Report& report, const FlavorStep& step) {
  switch (*step.mismatch) {
    case Mismatch::kUntoleratedTaint:
      return "taint " + report.TaintOf(step.flavor) + " is not tolerated";
    case Mismatch::kNodeAffinity:
      return "node selector or affinity does not match";
    case Mismatch::kError:
      return "node affinity is invalid";
    case Mismatch::kNotAllowed:
      return "not among the allowed flavors";
    case Mismatch::kTopology:
      return TopologyMismatchText(report, step.flavor);
  }
  return "";
}

std::string NextStepText(const Report& report, const FlavorStep& step) {
  const std::string flavor = "flavor " + report.FlavorName(step.flavor);
  switch (step.next) {
    case engine::NextStep::kTryNextToAvoidPreemption:
      return "Next flavor tried after " + flavor + ": whenCanPreempt is TryNextFlavor.";
    case engine::NextStep::kTryNextToAvoidBorrowing:
      return "Next flavor tried after " + flavor + ": whenCanBorrow is TryNextFlavor.";
    case engine::NextStep::kStopAtInvalidAffinity:
      return "Search ended at " + flavor + ".";
    case engine::NextStep::kTryNext:
    case engine::NextStep::kStop:
    case engine::NextStep::kLast:
      break;
  }
  return "";
}

std::string CandidateStatusText(const Report& report, const engine::CandidateGroup& group) {
  const bool is_own = group.queue == report.explanation.cluster_queue;
  const std::string own = report.ClusterQueueName();
  switch (group.status) {
    case engine::CandidateStatus::kTarget:
      return "preemption targets";
    case engine::CandidateStatus::kCandidate:
      return report.explanation.targets.empty() ? "candidates, not sufficient"
                                                : "candidates, not needed";
    case engine::CandidateStatus::kOnlyWithinNominal:
      return "candidates only for requests within the nominal quota of " + own;
    case engine::CandidateStatus::kPolicyNever:
      return std::string(is_own ? "withinClusterQueue" : "reclaimWithinCohort") + " of " + own +
             " is Never";
    case engine::CandidateStatus::kPriority:
      return "priority not lower";
    case engine::CandidateStatus::kNotNewer:
      return "same priority, not newer";
    case engine::CandidateStatus::kOtherFlavor:
      return "no usage of the missing flavor resources";
    case engine::CandidateStatus::kQueueWithinQuota:
      return report.NodeName(group.queue) + " does not borrow the missing resources";
    case engine::CandidateStatus::kCohortWithinQuota:
      return "the cohort of " + report.NodeName(group.queue) +
             " does not borrow the missing resources";
    case engine::CandidateStatus::kQueueInactive:
      return report.NodeName(group.queue) + " is inactive";
  }
  return "";
}

std::string ObstacleRemedyText(const Report& report, Obstacle obstacle) {
  const std::string queue = QueueText(report);
  switch (obstacle) {
    case Obstacle::kReplaced:
      return "nothing: the newer slice runs";
    case Obstacle::kQueueInactive: {
      const std::string_view why = report.cluster->InactiveReason(report.ClusterQueueName());
      if (const api::DeviceClassConflict* conflict = ConflictIn(report, why))
        return "list the same device classes for " + conflict->resource + " in " + queue + " and " +
               conflict->other + ", or give the resource another name in one of them";
      return why == api::reason::kStopped ? "set stopPolicy of " + queue + " to None"
                                          : "make " + queue + " active: reason " + std::string(why);
    }
    case Obstacle::kCohortCycle:
      return "give one of the cohorts above " + queue + " another parent";
    case Obstacle::kNamespaceMismatch:
      return "label namespace " + report.workload->metadata.namespace_ +
             " to match the namespaceSelector of " + queue + ", or widen the selector";
    case Obstacle::kClaimMissing:
      return ClaimAdvice(report);
    case Obstacle::kInvalid:
      return report.pod_problems.empty() ? "wait until its AdmissionChecks are Ready"
                                         : "correct the pods as listed above";
    case Obstacle::kNotRequeued:
      return "wait until condition Requeued is True";
    case Obstacle::kBackingOff: {
      const auto& state = report.workload->status.requeue_state;
      return "wait until " + (state && state->requeue_at ? base::FormatTime(*state->requeue_at)
                                                         : std::string("the back-off is over"));
    }
    case Obstacle::kPreemptionGate:
      return "open its preemption gates";
  }
  return "";
}

std::string RemedyText(const Report& report, const engine::Remedy& remedy) {
  switch (remedy.kind) {
    case engine::RemedyKind::kNominalQuota:
      return RaiseText(report, remedy, "nominalQuota");
    case engine::RemedyKind::kBorrowingLimit:
      return RaiseText(report, remedy, "borrowingLimit");
    case engine::RemedyKind::kLendingLimit:
      return RaiseText(report, remedy, "lendingLimit");
    case engine::RemedyKind::kOneFinishes:
    case engine::RemedyKind::kAllFinish:
      return FinishText(report, remedy);
    case engine::RemedyKind::kFewerPods:
      return "request " + CountText(static_cast<size_t>(remedy.pod_count), "pod") + " instead of " +
             std::to_string(report.workload->spec.pod_sets[remedy.pod_set].count.value_or(1)) +
             " in podset " + report.PodSetName(remedy.pod_set);
    case engine::RemedyKind::kMatchFlavor:
      return MatchFlavorText(report, remedy);
    case engine::RemedyKind::kDropRequests:
      return DropText(report, remedy);
    case engine::RemedyKind::kDeclareRequests:
      return DeclareText(report, remedy);
    case engine::RemedyKind::kExcludeRequests:
      return ExcludeText(report, remedy);
    case engine::RemedyKind::kDropConstraints:
      return "remove the constraint" +
             std::string(NamesOf(remedy.constraints).size() > 1 ? "s " : " ") +
             Joined(NamesOf(remedy.constraints));
    case engine::RemedyKind::kRemoveBlocker:
      return "remove " + report.WorkloadName(remedy.workloads.front()) +
             " from the queue: delete it, deactivate it or lower its priority";
    case engine::RemedyKind::kWiderLevel:
    case engine::RemedyKind::kPreferLevel:
    case engine::RemedyKind::kWiderSliceLevel:
    case engine::RemedyKind::kSmallerSlices:
    case engine::RemedyKind::kFreeRoom:
    case engine::RemedyKind::kAddNodes:
      return TopologyRemedyText(report, remedy);
  }
  return "";
}

std::string Listed(const std::vector<std::string>& names, size_t count, std::string_view word) {
  const std::string last = " " + std::string(word) + " ";
  return base::ListText(names, {.last = last, .total = count});
}

}  // namespace berth::explain
