#include "explain/text.h"

#include <algorithm>
#include <vector>

#include "base/list_text.h"
#include "explain/sentences.h"
#include "explain/topology_sentences.h"

namespace berth::explain {
namespace {

using base::CountText;
using engine::FlavorSearch;
using engine::FlavorStep;
using engine::ResourceFigures;

// A text table. Columns are as wide as their widest cell.
class Table {
 public:
  void Add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }

  std::string ToString(std::string_view indent) const {
    std::string out;
    for (const auto& row : rows_) {
      std::string line(indent);
      for (size_t i = 0; i < row.size(); ++i) {
        line += row[i];
        if (i + 1 < row.size()) line.append(WidthOf(i) + 2 - row[i].size(), ' ');
      }
      line.erase(line.find_last_not_of(' ') + 1);
      out += line + "\n";
    }
    return out;
  }

 private:
  size_t WidthOf(size_t column) const {
    size_t width = 0;
    for (const auto& row : rows_) {
      if (column + 1 < row.size()) width = std::max(width, row[column].size());
    }
    return width;
  }

  std::vector<std::vector<std::string>> rows_;
};

class TextWriter {
 public:
  explicit TextWriter(const Report& report) : report_(report), e_(report.explanation) {}

  std::string Write() {
    out_ = Headline(report_) + "\n";
    WriteFacts();
    Section(StatusOf(report_) == "Waits" ? "Why it is pending" : "Why", PendingReasons(report_));
    if (report_.absence == Absence::kNone) {
      WriteRequests();
      if (e_.is_reserved) {
        WriteHeld();
        WritePlacement(e_.held, true);
      } else {
        WriteSearches();
        WriteTopologies();
        WritePreemption();
        WritePosition();
        WritePlacement(e_.offered, false);
        WriteRemedies();
      }
    }
    return std::move(out_);
  }

 private:
  void Section(std::string_view title, const std::vector<std::string>& lines) {
    if (lines.empty()) return;
    out_ += "\n" + std::string(title) + "\n";
    for (const std::string& line : lines) out_ += "  " + line + "\n";
  }

  void WriteFacts() {
    Table table;
    if (report_.workload->spec.queue_name) table.Add({"LocalQueue", report_.LocalQueueName()});
    if (const api::ClusterQueue* queue = report_.ClusterQueue()) {
      std::string text = queue->metadata.name;
      if (!queue->spec.cohort_name.value_or("").empty())
        text += ", cohort " + *queue->spec.cohort_name;
      if (queue->spec.queueing_strategy) text += ", " + *queue->spec.queueing_strategy;
      table.Add({"ClusterQueue", text});
    }
    table.Add({"Priority", std::to_string(report_.workload->spec.priority.value_or(0))});
    if (const std::string text = ConstraintsText(report_); !text.empty())
      table.Add({"Constraints", text});
    out_ += table.ToString("  ");
  }

  // Requests, where the table of flavors does not show them.
  void WriteRequests() {
    if (!e_.is_reserved) Section("Claimed devices", DeviceLines(report_));
    std::vector<std::string> lines;
    for (const workload::SkippedResource& skipped : NotCounted(report_))
      lines.push_back(ToString(skipped, report_.ClusterQueueName()));
    Section("Not counted", lines);
  }

  // --- Flavors -----------------------------------------------------------------------------------

  std::string PodSetText(const FlavorSearch& search) const {
    std::vector<std::string> parts;
    for (const uint32_t i : search.pod_sets) {
      const int32_t count = report_.workload->spec.pod_sets[i].count.value_or(1);
      parts.push_back(report_.PodSetName(i) + " (" +
                      CountText(static_cast<size_t>(std::max(count, 0)), "pod") + ")");
    }
    return Listed(parts, parts.size());
  }

  void WriteSearches() {
    for (const FlavorSearch& search : e_.searches) {
      out_ += "\nFlavors tried for podset " + PodSetText(search) + "\n";
      WriteTable(search);
      for (const FlavorStep& step : search.flavors) {
        if (!step.is_tried) continue;
        if (const std::string text = NextStepText(report_, step); !text.empty())
          out_ += "  " + text + "\n";
      }
    }
  }

  static bool HasAssumed(const FlavorSearch& search) {
    return std::ranges::any_of(search.flavors, [](const FlavorStep& step) {
      return std::ranges::any_of(step.resources,
                                 [](const ResourceFigures& f) { return f.assumed > 0; });
    });
  }

  void WriteTable(const FlavorSearch& search) {
    const bool has_assumed = HasAssumed(search);
    Table table;
    std::vector<std::string> head = {"FLAVOR", "RESOURCE", "REQUESTED"};
    if (has_assumed) head.push_back("EARLIER PODSETS");
    for (const char* column :
         {"AVAILABLE", "SHORT", "NOMINAL", "USED", "BORROWABLE", "AT MOST", "RESULT"})
      head.push_back(column);
    const size_t width = head.size();
    table.Add(std::move(head));
    for (const FlavorStep& step : search.flavors) AddStep(table, step, has_assumed, width);
    out_ += table.ToString("  ");
  }

  void AddStep(Table& table, const FlavorStep& step, bool has_assumed, size_t width) const {
    const std::string& flavor = report_.FlavorName(step.flavor);
    if (step.resources.empty()) {
      std::vector<std::string> row(width, "-");
      row.front() = flavor;
      row.back() = step.mismatch    ? MismatchText(report_, step)
                   : !step.is_tried ? "not tried: an earlier flavor fits"
                                    : "";
      table.Add(std::move(row));
      return;
    }
    for (size_t i = 0; i < step.resources.size(); ++i)
      table.Add(Row(i == 0 ? flavor : "", step, step.resources[i], has_assumed));
  }

  std::vector<std::string> Row(const std::string& flavor, const FlavorStep& step,
                               const ResourceFigures& f, bool has_assumed) const {
    const auto text = [&](engine::Amount amount) { return report_.AmountText(f.resource, amount); };
    std::vector<std::string> row = {flavor, report_.ResourceName(f.resource), text(f.requested)};
    if (has_assumed) row.push_back(text(f.assumed));
    for (const engine::Amount amount :
         {f.available, f.shortfall, f.nominal, f.used, f.borrowable, f.potential})
      row.push_back(text(amount));
    const bool is_taken = step.is_chosen && step.mode > engine::FlavorMode::kNoCandidates;
    row.push_back(FitText(f) + (is_taken ? " (chosen)" : ""));
    return row;
  }

  // --- Topologies --------------------------------------------------------------------------------

  void WriteTopologies() {
    for (const engine::TopologySearch& search : e_.topologies) {
      out_ += "\nTopology of " + TopologyTitle(report_, search) + "\n";
      Table table;
      for (std::vector<std::string>& row : RoomTable(report_, search)) table.Add(std::move(row));
      out_ += table.ToString("  ");
      for (const std::string& line : NodeLines(report_, search)) out_ += "  " + line + "\n";
    }
  }

  void WritePlacement(const std::vector<engine::PodSetAssignment>& pod_sets, bool is_held) {
    constexpr size_t kMostRows = 10;
    Table table;
    bool is_placed = false;
    table.Add({"PODSET", "DOMAIN", "PODS"});
    for (uint32_t i = 0; i < pod_sets.size(); ++i) {
      const std::string& name = is_held ? report_.HeldPodSetName(i) : report_.PodSetName(i);
      const std::vector<engine::DomainPods>& domains = pod_sets[i].domains;
      is_placed = is_placed || !domains.empty() || pod_sets[i].has_delayed_topology;
      if (pod_sets[i].has_delayed_topology)
        table.Add({name, "after the admission checks are ready"});
      for (size_t d = 0; d < std::min(domains.size(), kMostRows); ++d)
        table.Add({d == 0 ? name : "", DomainText(report_.engine().DomainValues(domains[d].path)),
                   std::to_string(domains[d].count)});
      if (domains.size() > kMostRows)
        table.Add({"", std::to_string(domains.size() - kMostRows) + " more"});
    }
    if (is_placed) out_ += "\nPlacement\n" + table.ToString("  ");
  }

  // --- The rest ----------------------------------------------------------------------------------

  void WritePreemption() {
    std::vector<std::string> lines;
    switch (e_.preemption.attempt) {
      case engine::PreemptionAttempt::kNotNeeded:
      case engine::PreemptionAttempt::kCannotHelp:
        return;
      case engine::PreemptionAttempt::kNotWhileBorrowing:
        lines.push_back("Preemption not tried: request exceeds the nominal quota of ClusterQueue " +
                        report_.ClusterQueueName() + ", and borrowWithinCohort does not allow it.");
        break;
      case engine::PreemptionAttempt::kBlocked:
        lines.push_back("Preemption not tried: constraint cannot-preempt.");
        AddProtectedTargets(lines);
        break;
      case engine::PreemptionAttempt::kTried:
        for (const engine::CandidateGroup& group : e_.preemption.groups)
          lines.push_back(CandidateText(group));
        if (lines.empty()) lines.push_back("No workload holds quota that could be preempted.");
        break;
    }
    Section("Preemption", lines);
  }

  void AddProtectedTargets(std::vector<std::string>& lines) const {
    for (const engine::BlockedOption& option : e_.blocked_options) {
      std::vector<std::string> names;
      for (const engine::PreemptionTarget& target : option.targets)
        names.push_back(report_.WorkloadName(target.workload));
      if (!names.empty())
        lines.push_back("Targets without the constraint: " + Listed(names, names.size()) + ".");
    }
  }

  std::string CandidateText(const engine::CandidateGroup& group) const {
    return CountText(group.count, "workload") + " of " + report_.NodeName(group.queue) + ": " +
           CandidateStatusText(report_, group) + " (" +
           Listed(report_.WorkloadNames(group.first), group.count) + ")";
  }

  void WritePosition() {
    const engine::QueuePosition& position = e_.position;
    if (position.ahead_count == 0) return;
    Section("Ahead in the queue",
            {std::to_string(position.ahead_count) + " of " + std::to_string(position.length) +
             " pending workloads in ClusterQueue " + report_.ClusterQueueName() + ": " +
             Listed(report_.WorkloadNames(position.ahead), position.ahead_count)});
  }

  // Device classes without a resource are among the undeclared requests.
  bool IsAmongRemedies(engine::Obstacle obstacle) const {
    return obstacle == engine::Obstacle::kClaimMissing &&
           std::ranges::none_of(report_.claim_problems,
                                [](const schema::Problem& problem) {
                                  return problem.type == schema::ProblemType::kNotFound;
                                }) &&
           std::ranges::any_of(e_.remedies, [](const engine::Remedy& remedy) {
             return remedy.kind == engine::RemedyKind::kDeclareRequests;
           });
  }

  void WriteRemedies() {
    std::vector<std::string> lines;
    for (const engine::Obstacle obstacle : e_.obstacles)
      if (!IsAmongRemedies(obstacle)) lines.push_back("- " + ObstacleRemedyText(report_, obstacle));
    const bool has_both = !lines.empty() && !e_.remedies.empty();
    const size_t obstacles = lines.size();
    for (const engine::Remedy& remedy : e_.remedies)
      lines.push_back("- " + RemedyText(report_, remedy));
    if (!e_.are_remedies_complete)
      lines.push_back("Search limit reached: other changes may exist.");
    if (lines.empty() && StatusOf(report_) == "Waits")
      lines.push_back("No single change tried would admit it.");
    const bool are_all_needed = obstacles > 1 && e_.remedies.empty();
    if (has_both)
      lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(obstacles), "and one of");
    Section(are_all_needed                  ? "What would admit it (all of these)"
            : lines.size() > 1 && !has_both ? "What would admit it (any one of these)"
                                            : "What would admit it",
            lines);
  }

  void WriteHeld() {
    Table table;
    table.Add({"PODSET", "PODS", "RESOURCE", "FLAVOR", "AMOUNT"});
    for (uint32_t i = 0; i < e_.held.size(); ++i) {
      for (const engine::ResourceAssignment& r : e_.held[i].resources)
        table.Add({report_.HeldPodSetName(i), std::to_string(e_.held[i].count),
                   report_.ResourceName(r.resource), report_.FlavorName(r.flavor),
                   report_.AmountText(r.resource, engine::Amount(r.amount))});
    }
    out_ += "\nQuota held\n" + table.ToString("  ");
  }

  const Report& report_;
  const engine::Explanation& e_;
  std::string out_;
};

}  // namespace

std::string ToText(const Report& report) { return TextWriter(report).Write(); }

}  // namespace berth::explain
