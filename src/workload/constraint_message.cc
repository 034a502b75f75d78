#include "workload/constraint_message.h"

#include <algorithm>

#include "base/list_text.h"
#include "engine/state.h"
#include "quantity/resource_amount.h"

namespace berth::workload {
namespace {

// A message is "NAMES: admission would …; or NAMES: admission would …".
constexpr std::string_view kAdmissionWould = ": admission would ";
constexpr std::string_view kOr = "; or ";
constexpr std::string_view kCannotPreempt = "cannot-preempt";
constexpr std::string_view kCannotBorrow = "cannot-borrow";

std::string Joined(const std::vector<std::string>& parts) {
  return base::ListText(parts, {.last = " and "});
}

class ConstraintSentences {
 public:
  ConstraintSentences(const engine::Engine& engine, engine::NodeId queue)
      : engine_(engine), queue_(queue) {}

  std::string TextOf(const engine::BlockedOption& option) const {
    std::vector<std::string> needs;
    if (option.blocked_by.cannot_preempt) needs.push_back("preempt " + TargetsText(option));
    if (option.blocked_by.cannot_borrow) needs.push_back("borrow " + BorrowedText(option));
    std::string text = NamesText(option.blocked_by);
    text.append(kAdmissionWould).append(Joined(needs));
    if (!option.borrowed.empty()) text += ", above the nominal quota of " + QueueText();
    if (!option.is_available) text += " (that quota is in use as well)";
    return text;
  }

  std::string BlockingText() const {
    return QueueText() + " is StrictFIFO: workloads behind this one wait until it is admitted";
  }
  bool IsStrict() const {
    return engine_.state().queue(queue_).spec.strategy == engine::QueueingStrategy::kStrictFIFO;
  }

 private:
  static std::string NamesText(engine::AdmissionConstraints constraints) {
    std::vector<std::string> names;
    for (const std::string_view name : ConstraintNames(constraints)) names.emplace_back(name);
    return Joined(names);
  }

  std::string QueueText() const { return "ClusterQueue " + engine_.ClusterQueueName(queue_); }

  std::string BorrowedText(const engine::BlockedOption& option) const {
    if (option.borrowed.empty()) return "quota";
    std::vector<std::string> parts;
    for (const engine::BorrowedAmount& b : option.borrowed) {
      const std::string& resource = engine_.ResourceName(b.resource);
      parts.push_back(amounts_.QuotaText(resource, b.amount) + " " + resource + " of flavor " +
                      engine_.FlavorName(b.flavor));
    }
    return Joined(parts);
  }

  // Workloads per queue, by name.
  std::string TargetsText(const engine::BlockedOption& option) const {
    if (option.targets.empty()) return "other workloads";
    std::vector<std::string> queues;
    for (const engine::PreemptionTarget& target : option.targets)
      queues.push_back(engine_.ClusterQueueName(engine_.ClusterQueueOf(target.workload)));
    std::ranges::sort(queues);
    queues.erase(std::ranges::unique(queues).begin(), queues.end());
    const size_t count = option.targets.size();
    return base::CountText(count, "workload") + " of " +
           (queues.size() == 1 ? "ClusterQueue " : "ClusterQueues ") + Joined(queues);
  }

  const engine::Engine& engine_;
  engine::NodeId queue_;
  quantity::AmountFormatter amounts_;
};

}  // namespace

std::vector<std::string_view> ConstraintNames(engine::AdmissionConstraints constraints) {
  std::vector<std::string_view> names;
  if (constraints.cannot_preempt) names.push_back(kCannotPreempt);
  if (constraints.cannot_borrow) names.push_back(kCannotBorrow);
  return names;
}

std::vector<std::string_view> ConstraintsIn(std::string_view message) {
  engine::AdmissionConstraints named;
  for (size_t end = message.find(kAdmissionWould); end != message.npos;
       end = message.find(kAdmissionWould)) {
    std::string_view names = message.substr(0, end);
    if (const size_t last = names.rfind(kOr); last != names.npos)
      names.remove_prefix(last + kOr.size());
    named.cannot_preempt |= names.contains(kCannotPreempt);
    named.cannot_borrow |= names.contains(kCannotBorrow);
    message.remove_prefix(end + kAdmissionWould.size());
  }
  return ConstraintNames(named);
}

engine::AdmissionConstraints BlockingConstraints(std::span<const engine::BlockedOption> options) {
  engine::AdmissionConstraints all;
  for (const engine::BlockedOption& option : options) {
    all.cannot_preempt = all.cannot_preempt || option.blocked_by.cannot_preempt;
    all.cannot_borrow = all.cannot_borrow || option.blocked_by.cannot_borrow;
  }
  return all;
}

std::string ConstraintMessage(const engine::Engine& engine, engine::NodeId queue,
                              std::span<const engine::BlockedOption> options) {
  const ConstraintSentences sentences(engine, queue);
  std::string text;
  for (const engine::BlockedOption& option : options)
    text.append(text.empty() ? "" : kOr).append(sentences.TextOf(option));
  if (sentences.IsStrict()) text += ". " + sentences.BlockingText();
  return text;
}

}  // namespace berth::workload
