#include "explain/phrases.h"

#include <algorithm>
#include <cctype>

#include "api/admission_constraint_rules.h"
#include "api/well_known.h"
#include "workload/constraint_message.h"
#include "workload/convert_admission.h"

namespace berth::explain {
namespace {

using engine::FlavorMode;
using engine::FlavorSearch;
using engine::FlavorStep;
using engine::Mismatch;
using engine::Obstacle;
using engine::Outcome;
using engine::ResourceFigures;
using engine::Turn;
using engine::WaitReason;

bool WouldDo(const engine::Explanation& e) {
  return e.outcome == Outcome::kAdmitted || e.outcome == Outcome::kPreempting;
}

std::string QueueText(const Account& account) {
  return "ClusterQueue " + account.ClusterQueueName();
}

std::string NodeText(const Account& account, engine::NodeId node) {
  return (account.IsClusterQueue(node) ? "ClusterQueue " : "Cohort ") + account.NodeName(node);
}

// "4 cpu".
std::string Quantified(const Account& account, engine::ResourceId resource, engine::Amount amount) {
  return account.AmountText(resource, amount) + " " + account.ResourceName(resource);
}

std::string Joined(const std::vector<std::string>& parts) { return Listed(parts, parts.size()); }

// --- Not in a queue -----------------------------------------------------------------------------

std::string AbsenceText(const Account& account) {
  const std::string local = "LocalQueue " + account.LocalQueueName();
  switch (account.absence) {
    case Absence::kNone:
      return "";
    case Absence::kFinished:
      return "It has finished.";
    case Absence::kDeactivated:
      return "It is deactivated: spec.active is false.";
    case Absence::kGated:
      return "The annotation " + std::string(api::kAdmissionGatedByAnnotation) +
             " keeps it out of the queue until it is removed.";
    case Absence::kOnHold:
      return "It is on hold: its QuotaReserved condition says so.";
    case Absence::kReplacementPods:
      return "Its pod group waits for pods to be replaced.";
    case Absence::kNoQueueName:
      return "It names no LocalQueue: spec.queueName is empty.";
    case Absence::kNoLocalQueue:
      return local + " does not exist.";
    case Absence::kLocalQueueStopped:
      return local + " is stopped: its stopPolicy is not None.";
    case Absence::kNoClusterQueue:
      return account.ClusterQueueName().empty() ? local + " names no ClusterQueue."
                                                : QueueText(account) + " does not exist.";
  }
  return "";
}

// --- Obstacles ----------------------------------------------------------------------------------

// Null unless the reason is that the queue disagrees with another.
const api::DeviceClassConflict* ConflictIn(const Account& account, std::string_view why) {
  return why == api::reason::kDeviceClassConflict
             ? account.feed->FindConflict(account.ClusterQueueName())
             : nullptr;
}

std::string InactiveText(const Account& account) {
  const std::string_view why = account.feed->WhyInactive(account.ClusterQueueName());
  const std::string queue = QueueText(account);
  if (why == api::reason::kStopped) return queue + " is stopped: its stopPolicy is not None.";
  const std::string text = queue + " is not active (" + std::string(why) + ")";
  const api::DeviceClassConflict* conflict = ConflictIn(account, why);
  return conflict == nullptr ? text + "." : text + ": " + ToString(*conflict) + ".";
}

std::string InvalidText(const Account& account) {
  if (account.pod_problems.empty()) return "One of its admission checks says Retry or Rejected.";
  std::string text = "The API server would refuse its pods:";
  for (const schema::Problem& problem : account.pod_problems)
    text += " " + problem.field + ": " + problem.message + ".";
  return text;
}

std::string MissingClaimText(const Account& account) {
  std::string text = "Its devices cannot be counted:";
  for (const schema::Problem& problem : account.claim_problems)
    text += " " + problem.field + ": " + problem.message + ".";
  return text;
}

std::string ObstacleText(const Account& account, Obstacle obstacle) {
  switch (obstacle) {
    case Obstacle::kReplaced:
      return "A newer slice of the same job took its place.";
    case Obstacle::kQueueInactive:
      return InactiveText(account);
    case Obstacle::kCohortCycle:
      return QueueText(account) + " is below cohorts that are each other's ancestors.";
    case Obstacle::kNamespaceMismatch:
      return "Namespace " + account.workload->metadata.namespace_ +
             " is not selected by the namespaceSelector of " + QueueText(account) + ".";
    case Obstacle::kClaimMissing:
      return MissingClaimText(account);
    case Obstacle::kInvalid:
      return InvalidText(account);
    case Obstacle::kHeld:
      return "It is held back: its Requeued condition is False.";
    case Obstacle::kBackingOff:
      return "It was evicted and waits for its back-off to end.";
    case Obstacle::kPreemptionGate:
      return "It would have to preempt, and its preemption gates are closed.";
  }
  return "";
}

// --- Quota --------------------------------------------------------------------------------------

bool IsShort(const FlavorStep& step) {
  return step.is_tried && !step.mismatch && step.mode != FlavorMode::kFit;
}

// The flavor worth talking about: the one that was chosen, else the one that fails the least.
const FlavorStep* StepToTell(const FlavorSearch& search) {
  const FlavorStep* best = nullptr;
  for (const FlavorStep& step : search.flavors) {
    if (step.is_chosen) return &step;
    if (IsShort(step) && (best == nullptr || step.mode > best->mode || step.reason < best->reason))
      best = &step;
  }
  return best;
}

// "Podset a and b: ", where there are several.
std::string PodSetPrefix(const Account& account, const FlavorSearch& search) {
  if (account.workload->spec.pod_sets.size() == 1) return "";
  std::vector<std::string> names;
  for (const uint32_t pod_set : search.pod_sets) names.push_back(account.PodSetName(pod_set));
  return "Podset " + Joined(names) + ": ";
}

std::string ShortageText(const Account& account, const FlavorStep& step) {
  const std::string flavor = " of flavor " + account.FlavorName(step.flavor);
  std::vector<std::string> beyond, missing;
  for (const ResourceFigures& f : step.resources) {
    if (f.mode == FlavorMode::kFit) continue;
    const engine::Amount total = f.requested + f.assumed;
    if (f.reason == WaitReason::kExceedsMaxQuota) {
      beyond.push_back(Quantified(account, f.resource, total) + " where " +
                       account.AmountText(f.resource, f.potential) + " is the most");
    } else if (f.shortfall > 0) {
      missing.push_back(Quantified(account, f.resource, f.shortfall));
    }
  }
  if (!beyond.empty())
    return "it asks for more" + flavor + " than " + QueueText(account) +
           " can ever have: " + Joined(beyond) + ".";
  if (!missing.empty())
    return "not enough" + flavor + " is free: " + Joined(missing) + " more would be needed.";
  return "flavor " + account.FlavorName(step.flavor) + " does not do.";
}

// Whether preemption cannot help there either.
bool IsHopeless(const FlavorStep& step) {
  return step.mode == FlavorMode::kNoFit || step.mode == FlavorMode::kNoCandidates;
}

std::string SearchText(const Account& account, const FlavorSearch& search, bool only_hopeless) {
  const bool suits_none = std::ranges::all_of(
      search.flavors, [](const FlavorStep& s) { return s.mismatch.has_value(); });
  if (suits_none) return "none of the flavors of " + QueueText(account) + " suits the pods.";
  const FlavorStep* step = StepToTell(search);
  const bool is_told =
      step != nullptr && step->mode != FlavorMode::kFit && (!only_hopeless || IsHopeless(*step));
  return is_told ? ShortageText(account, *step) : "";
}

std::vector<std::string> QuotaText(const Account& account) {
  std::vector<std::string> lines;
  for (const engine::UndeclaredRequest& u : account.explanation.undeclared)
    lines.push_back("It asks for " + Quantified(account, u.resource, engine::Amount(u.amount)) +
                    ", and " + QueueText(account) + " has no quota for " +
                    account.ResourceName(u.resource) + ".");
  // What preemption could free is worth a word only where that is all there is.
  for (const bool only_hopeless : {true, false}) {
    for (const FlavorSearch& search : account.explanation.searches) {
      const std::string text = SearchText(account, search, only_hopeless);
      if (text.empty()) continue;
      lines.push_back(PodSetPrefix(account, search) + text);
      lines.back()[0] =
          static_cast<char>(std::toupper(static_cast<unsigned char>(lines.back()[0])));
    }
    if (!lines.empty()) break;
  }
  if (account.explanation.outcome == Outcome::kSkipped)
    lines.push_back("What it may preempt would not free enough.");
  return lines;
}

std::string TurnText(const Account& account) {
  const engine::Line& line = account.explanation.line;
  switch (line.turn) {
    case Turn::kNext:
      return "It is the next of its queue.";
    case Turn::kAfterOthers:
      return Counted(line.ahead_count, "workload") + " of its queue " +
             (line.ahead_count == 1 ? "goes" : "go") + " first and will leave enough for it.";
    case Turn::kTooLate:
      return "It would fit now, but the workloads ahead of it take what it needs.";
    case Turn::kBlocked:
      return QueueText(account) + " is StrictFIFO: nothing is looked at behind " +
             account.WorkloadName(line.blocked_by) + ", which gets no quota now.";
    case Turn::kUnknown:
      return Counted(line.ahead_count, "workload") + " of its queue go first.";
  }
  return "";
}

// Fewer pods than it asks for.
std::string ShrunkText(const Account& account) {
  std::vector<std::string> parts;
  const auto& offered = account.explanation.offered;
  for (uint32_t i = 0; i < offered.size(); ++i) {
    const int32_t count = account.workload->spec.pod_sets[i].count.value_or(1);
    if (offered[i].count < count)
      parts.push_back(std::to_string(offered[i].count) + " of " + std::to_string(count) +
                      " pods of " + account.PodSetName(i));
  }
  return parts.empty() ? "" : "It gets " + Joined(parts) + ", which its minCount allows.";
}

std::string VictimsText(const Account& account) {
  std::vector<std::string> names;
  for (const engine::Victim& victim : account.explanation.victims)
    names.push_back(account.WorkloadName(victim.workload) + " (" +
                    std::string(workload::ReasonOf(victim.reason)) + ")");
  return "It gets quota by preempting " + Joined(names) + ".";
}

// --- Constraints --------------------------------------------------------------------------------

std::vector<std::string> NamesOf(engine::AdmissionConstraints constraints) {
  std::vector<std::string> names;
  for (const std::string_view name : workload::ConstraintNames(constraints))
    names.emplace_back(name);
  return names;
}

std::string ForbiddenText(const Account& account) {
  const engine::Explanation& e = account.explanation;
  return workload::ConstraintMessage(account.engine(), e.cluster_queue, e.forbidden_ways) + ".";
}

// --- Remedies -----------------------------------------------------------------------------------

std::string RaiseText(const Account& account, const engine::Remedy& remedy,
                      std::string_view field) {
  std::vector<std::string> parts;
  for (const engine::QuotaRaise& r : remedy.raises) {
    const engine::Amount by = r.to - r.from;
    parts.push_back(
        account.ResourceName(r.resource) + " in flavor " + account.FlavorName(r.flavor) + " from " +
        account.AmountText(r.resource, r.from) + " to " + account.AmountText(r.resource, r.to) +
        " (+" + account.AmountText(r.resource, by) + ")");
  }
  return "raise " + std::string(field) + " of " + NodeText(account, remedy.node) + ": " +
         Joined(parts);
}

std::string FlavorLabels(const Account& account, engine::FlavorId flavor) {
  const api::ResourceFlavor* object = account.feed->FindFlavor(account.FlavorName(flavor));
  if (object == nullptr || object->spec.node_labels.empty()) return "";
  std::vector<std::string> labels;
  for (const auto& [key, value] : object->spec.node_labels) labels.push_back(key + "=" + value);
  return " (" + Joined(labels) + ")";
}

std::string SuitText(const Account& account, const engine::Remedy& remedy) {
  const std::string flavor = "flavor " + account.FlavorName(remedy.flavor);
  switch (remedy.mismatch) {
    case Mismatch::kUntoleratedTaint:
      return "let the pods tolerate the taint " + account.TaintOf(remedy.flavor) + " of " + flavor;
    case Mismatch::kNodeAffinity:
      return "let the pods' node selector and affinity allow " + flavor +
             FlavorLabels(account, remedy.flavor);
    case Mismatch::kError:
      return "correct the pods' node affinity, so that it allows " + flavor +
             FlavorLabels(account, remedy.flavor);
    case Mismatch::kNotAllowed:
      return "allow " + flavor + " in the annotation " +
             std::string(api::kAllowedResourceFlavorsAnnotation);
  }
  return "";
}

std::string FinishText(const Account& account, const engine::Remedy& remedy) {
  const std::vector<std::string> names = account.WorkloadNames(remedy.workloads);
  const bool are_all = remedy.kind == engine::RemedyKind::kAllFinish;
  const std::string list = Listed(names, remedy.workload_count, are_all ? "and" : "or");
  return "wait until " + list + (are_all && names.size() > 1 ? " finish" : " finishes");
}

}  // namespace

// --- The whole ----------------------------------------------------------------------------------

std::string_view StatusOf(const Account& account) {
  const engine::Explanation& e = account.explanation;
  if (account.absence != Absence::kNone) return "NotQueued";
  if (e.is_reserved) return e.is_evicted ? "Evicted" : "HoldsQuota";
  if (!e.obstacles.empty() || !WouldDo(e) || e.line.turn == Turn::kBlocked ||
      e.line.turn == Turn::kTooLate)
    return "Waits";
  return e.outcome == Outcome::kAdmitted ? "Ready" : "Preempts";
}

std::string Headline(const Account& account) {
  const std::string_view status = StatusOf(account);
  const std::string name = "Workload " + account.Name();
  if (status == "NotQueued")
    return account.absence == Absence::kFinished ? name + " has finished"
                                                 : name + " is in no queue";
  if (status == "HoldsQuota") return name + " holds quota";
  if (status == "Evicted") return name + " is on its way out, and holds its quota until then";
  const bool is_next = account.explanation.line.turn == Turn::kNext;
  if (status == "Ready")
    return name + " is admitted " + (is_next ? "in the next cycle" : "when its turn comes");
  if (status == "Preempts")
    return name + " preempts others " + (is_next ? "in the next cycle" : "when its turn comes");
  return name + " waits: " + std::string(workload::ReasonOf(account.explanation.reason));
}

std::vector<std::string> WhyItWaits(const Account& account) {
  const engine::Explanation& e = account.explanation;
  std::vector<std::string> lines;
  if (account.absence != Absence::kNone) return {AbsenceText(account)};
  if (e.is_reserved) return lines;
  for (const Obstacle obstacle : e.obstacles) lines.push_back(ObstacleText(account, obstacle));
  const bool has_searched = !e.searches.empty() || !e.undeclared.empty();
  if (!WouldDo(e)) {
    if (e.forbidden_ways.empty()) {
      std::ranges::move(QuotaText(account), std::back_inserter(lines));
    } else {
      lines.push_back(ForbiddenText(account));
    }
    if (e.line.turn == Turn::kBlocked) lines.push_back(TurnText(account));
    return lines;
  }
  if (!has_searched) return lines;
  if (e.outcome == Outcome::kPreempting) lines.push_back(VictimsText(account));
  if (const std::string shrunk = ShrunkText(account); !shrunk.empty()) lines.push_back(shrunk);
  if (e.obstacles.empty()) {
    lines.push_back(TurnText(account));
  } else {
    lines.push_back(account.claim_problems.empty() ? "Quota is not the matter: it would fit."
                                                   : "What else it asks for would fit.");
  }
  return lines;
}

std::string ConstraintsText(const Account& account) {
  const std::optional<api::AdmissionConstraints> asked = api::ConstraintsOf(*account.workload);
  if (!asked) return "";
  const std::string names = Joined(NamesOf({.cannot_preempt = asked->preemption.has_value(),
                                            .cannot_borrow = asked->borrowing.has_value()}));
  return account.feed->rules().has_admission_constraints
             ? names
             : names + " (no effect: the feature gate WorkloadAdmissionConstraints is off)";
}

std::vector<std::string> DeviceLines(const Account& account) {
  std::vector<std::string> lines;
  const bool has_several = account.workload->spec.pod_sets.size() > 1;
  for (const workload::CountedDevices& d : account.counted.devices) {
    lines.push_back(d.resource + ": " + account.amounts.RequestText(d.resource, d.amount) +
                    " of class " + d.device_class + ", by " + d.claim +
                    (has_several ? " of podset " + d.pod_set : ""));
  }
  return lines;
}

std::vector<workload::SkippedResource> NotCounted(const Account& account) {
  std::vector<workload::SkippedResource> skipped = account.counted.skipped;
  std::erase_if(skipped, [&](const workload::SkippedResource& s) {
    return std::ranges::any_of(account.explanation.held, [&](const auto& pod_set) {
      return std::ranges::any_of(pod_set.resources, [&](const auto& held) {
        return account.ResourceName(held.resource) == s.resource;
      });
    });
  });
  return skipped;
}

std::string FitText(const ResourceFigures& figures) {
  if (figures.barred_by.cannot_borrow) return "fits only by borrowing, which it must not";
  if (figures.barred_by.cannot_preempt) return "not enough free, and it must not preempt";
  switch (figures.mode) {
    case FlavorMode::kFit:
      return figures.borrowing_height > 0 ? "fits by borrowing" : "fits";
    case FlavorMode::kReclaim:
      return "fits if others give back what they borrowed";
    case FlavorMode::kPreempt:
      return "fits with preemption";
    case FlavorMode::kNoCandidates:
      return "not enough free, nobody to preempt";
    case FlavorMode::kNoFit:
      break;
  }
  if (figures.reason == WaitReason::kExceedsMaxQuota) return "more than there is at most";
  if (figures.reason == WaitReason::kNoMatchingFlavor)
    return "another flavor than the replaced slice";
  return "not enough free";
}

std::string MismatchText(const Account& account, const FlavorStep& step) {
  switch (*step.mismatch) {
    case Mismatch::kUntoleratedTaint:
      return "taint " + account.TaintOf(step.flavor) + " is not tolerated";
    case Mismatch::kNodeAffinity:
      return "node selector or affinity does not match";
    case Mismatch::kError:
      return "the pods' node affinity cannot be understood";
    case Mismatch::kNotAllowed:
      return "not among the allowed flavors";
  }
  return "";
}

std::string NextStepText(const Account& account, const FlavorStep& step) {
  const std::string flavor = "flavor " + account.FlavorName(step.flavor);
  switch (step.next) {
    case engine::NextStep::kGoesOnToNotPreempt:
      return "After " + flavor +
             " the next one was tried, because whenCanPreempt is TryNextFlavor.";
    case engine::NextStep::kGoesOnToNotBorrow:
      return "After " + flavor + " the next one was tried, because whenCanBorrow is TryNextFlavor.";
    case engine::NextStep::kStopsAtBadAffinity:
      return "The search ended at " + flavor + ".";
    case engine::NextStep::kGoesOn:
    case engine::NextStep::kStops:
    case engine::NextStep::kEnds:
      break;
  }
  return "";
}

std::string StandingText(const Account& account, const engine::CandidateGroup& group) {
  const bool is_own = group.queue == account.explanation.cluster_queue;
  const std::string own = account.ClusterQueueName();
  switch (group.standing) {
    case engine::CandidateStanding::kVictim:
      return "to be preempted";
    case engine::CandidateStanding::kCandidate:
      return account.explanation.victims.empty() ? "may be preempted, but that is not enough"
                                                 : "may be preempted, but that is not needed";
    case engine::CandidateStanding::kOnlyWithinNominal:
      return "may be preempted only for what stays within the nominal quota of " + own;
    case engine::CandidateStanding::kPolicyNever:
      return std::string(is_own ? "withinClusterQueue" : "reclaimWithinCohort") + " of " + own +
             " is Never";
    case engine::CandidateStanding::kPriority:
      return "priority is not lower";
    case engine::CandidateStanding::kNotNewer:
      return "same priority, and not newer";
    case engine::CandidateStanding::kOtherFlavor:
      return "use nothing of what is missing";
    case engine::CandidateStanding::kQueueWithinQuota:
      return account.NodeName(group.queue) + " does not borrow what is missing";
    case engine::CandidateStanding::kCohortWithinQuota:
      return "the cohort of " + account.NodeName(group.queue) + " does not borrow what is missing";
    case engine::CandidateStanding::kQueueInactive:
      return account.NodeName(group.queue) + " is not active";
  }
  return "";
}

std::string ObstacleRemedyText(const Account& account, Obstacle obstacle) {
  const std::string queue = QueueText(account);
  switch (obstacle) {
    case Obstacle::kReplaced:
      return "nothing: the newer slice runs instead";
    case Obstacle::kQueueInactive: {
      const std::string_view why = account.feed->WhyInactive(account.ClusterQueueName());
      if (const api::DeviceClassConflict* conflict = ConflictIn(account, why))
        return "let " + queue + " and " + conflict->other + " list the same device classes for " +
               conflict->resource + ", or give the resource another name in one of them";
      return why == api::reason::kStopped
                 ? "set stopPolicy of " + queue + " to None"
                 : "make " + queue + " active: it says " + std::string(why);
    }
    case Obstacle::kCohortCycle:
      return "give one of the cohorts above " + queue + " another parent";
    case Obstacle::kNamespaceMismatch:
      return "label namespace " + account.workload->metadata.namespace_ +
             " as the namespaceSelector of " + queue + " wants it, or widen the selector";
    case Obstacle::kClaimMissing:
      return "create what its pods claim, or change the names in resourceClaims";
    case Obstacle::kInvalid:
      return account.pod_problems.empty() ? "let its admission checks become Ready"
                                          : "change its pods as said above";
    case Obstacle::kHeld:
      return "let its Requeued condition become True";
    case Obstacle::kBackingOff: {
      const auto& state = account.workload->status.requeue_state;
      return "wait until " + (state && state->requeue_at ? base::FormatTime(*state->requeue_at)
                                                         : std::string("its back-off is over"));
    }
    case Obstacle::kPreemptionGate:
      return "open its preemption gates";
  }
  return "";
}

std::string RemedyText(const Account& account, const engine::Remedy& remedy) {
  switch (remedy.kind) {
    case engine::RemedyKind::kNominalQuota:
      return RaiseText(account, remedy, "nominalQuota");
    case engine::RemedyKind::kBorrowingLimit:
      return RaiseText(account, remedy, "borrowingLimit");
    case engine::RemedyKind::kLendingLimit:
      return RaiseText(account, remedy, "lendingLimit");
    case engine::RemedyKind::kOneFinishes:
    case engine::RemedyKind::kAllFinish:
      return FinishText(account, remedy);
    case engine::RemedyKind::kFewerPods:
      return "ask for " + Counted(static_cast<size_t>(remedy.pod_count), "pod") + " instead of " +
             std::to_string(account.workload->spec.pod_sets[remedy.pod_set].count.value_or(1)) +
             " in podset " + account.PodSetName(remedy.pod_set);
    case engine::RemedyKind::kSuitFlavor:
      return SuitText(account, remedy);
    case engine::RemedyKind::kDropRequests: {
      std::vector<std::string> names;
      for (const engine::ResourceId r : remedy.resources) names.push_back(account.ResourceName(r));
      return "do not ask for " + Joined(names) + ", or give " + QueueText(account) +
             " quota for it";
    }
    case engine::RemedyKind::kDropConstraints:
      return "do without the constraint" +
             std::string(NamesOf(remedy.constraints).size() > 1 ? "s " : " ") +
             Joined(NamesOf(remedy.constraints));
    case engine::RemedyKind::kLeavesLine:
      return "take " + account.WorkloadName(remedy.workloads.front()) +
             " out of the line: delete it, deactivate it or lower its priority";
  }
  return "";
}

std::string Listed(const std::vector<std::string>& names, size_t count, std::string_view word) {
  const std::string last = " " + std::string(word) + " ";
  std::string text;
  for (size_t i = 0; i < names.size(); ++i) {
    const bool is_last = i + 1 == names.size() && count <= names.size();
    if (i > 0) text += is_last ? last : ", ";
    text += names[i];
  }
  if (count > names.size()) text += last + std::to_string(count - names.size()) + " more";
  return text;
}

std::string Counted(size_t count, std::string_view noun) {
  return std::to_string(count) + " " + std::string(noun) + (count == 1 ? "" : "s");
}

}  // namespace berth::explain
