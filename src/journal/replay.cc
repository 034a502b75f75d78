#include "journal/replay.h"

#include <algorithm>

namespace berth::journal {
namespace {

constexpr size_t kMostProblems = 10;

std::optional<Decision> At(const std::vector<Decision>& decisions, size_t i) {
  return i < decisions.size() ? std::optional(decisions[i]) : std::nullopt;
}

std::string WithReason(std::string_view what, const Decision& decision) {
  std::string text(what);
  if (!decision.reason.empty()) text += " (" + decision.reason + ")";
  return text + ": " + decision.message;
}

}  // namespace

std::optional<Difference> FirstDifference(const Cycle& recorded, const Cycle& replayed) {
  const size_t size = std::max(recorded.decisions.size(), replayed.decisions.size());
  for (size_t i = 0; i < size; ++i) {
    Difference difference{.time = recorded.now,
                          .recorded = At(recorded.decisions, i),
                          .replayed = At(replayed.decisions, i)};
    if (difference.recorded != difference.replayed) return difference;
  }
  return std::nullopt;
}

void Replay::Add(const Record& record) {
  const auto* header = std::get_if<Header>(&record);
  result_.begins_in_the_middle |= result_.records == 0 && header != nullptr && header->is_continued;
  ++result_.records;
  const auto played = player_.Play(record);
  if (result_.records == 1) result_.begin = player_.now();
  result_.end = std::max(result_.end, player_.now());
  if (!played) {
    if (++result_.problem_count <= kMostProblems)
      result_.problems.push_back(base::ToString(played.error()));
    return;
  }
  if (*played) Compare(std::get<Cycle>(record), **played);
}

void Replay::Compare(const Cycle& recorded, const Cycle& replayed) {
  ++result_.cycles;
  result_.decisions += recorded.decisions.size();
  auto difference = FirstDifference(recorded, replayed);
  if (!difference) return;
  ++result_.differing_cycles;
  if (result_.first) return;
  difference->cycle = result_.cycles;
  result_.first = std::move(difference);
}

std::string Describe(const Decision& decision) {
  switch (decision.kind) {
    case Decision::Kind::kReserve:
      return "quota reserved: " + decision.admission;
    case Decision::Kind::kPreempt:
      return WithReason("preempted", decision);
    case Decision::Kind::kWait:
      return WithReason("pending", decision);
    case Decision::Kind::kReplace:
      return WithReason("replaced", decision);
    case Decision::Kind::kPlace:
      return "pods placed: " + decision.admission;
    case Decision::Kind::kEvict:
      return WithReason("evicted", decision);
    case Decision::Kind::kNoPlace:
      return WithReason("no place for its pods", decision);
  }
  return {};
}

}  // namespace berth::journal
