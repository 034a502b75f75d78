#include "explain/text.h"

#include <algorithm>
#include <vector>

#include "explain/phrases.h"

namespace berth::explain {
namespace {

using engine::FlavorSearch;
using engine::FlavorStep;
using engine::ResourceFigures;

// Lines of cells, each column as wide as its widest cell.
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
  explicit TextWriter(const Account& account) : account_(account), e_(account.explanation) {}

  std::string Write() {
    out_ = Headline(account_) + "\n";
    WriteFacts();
    Section(StatusOf(account_) == "Waits" ? "Why it waits" : "Why", WhyItWaits(account_));
    if (account_.absence == Absence::kNone) {
      WriteRequests();
      if (e_.is_reserved) {
        WriteHeld();
      } else {
        WriteSearches();
        WritePreemption();
        WriteLine();
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
    if (account_.workload->spec.queue_name) table.Add({"LocalQueue", account_.LocalQueueName()});
    if (const api::ClusterQueue* queue = account_.ClusterQueue()) {
      std::string text = queue->metadata.name;
      if (!queue->spec.cohort_name.value_or("").empty())
        text += ", cohort " + *queue->spec.cohort_name;
      if (queue->spec.queueing_strategy) text += ", " + *queue->spec.queueing_strategy;
      table.Add({"ClusterQueue", text});
    }
    table.Add({"Priority", std::to_string(account_.workload->spec.priority.value_or(0))});
    if (const std::string text = ConstraintsText(account_); !text.empty())
      table.Add({"Constraints", text});
    out_ += table.ToString("  ");
  }

  // What it asks for, as far as that is not plain from the figures.
  void WriteRequests() {
    if (!e_.is_reserved) Section("Devices it claims", DeviceLines(account_));
    std::vector<std::string> lines;
    for (const workload::SkippedResource& skipped : NotCounted(account_))
      lines.push_back(ToString(skipped, account_.ClusterQueueName()));
    Section("Does not count", lines);
  }

  // --- Flavors -----------------------------------------------------------------------------------

  std::string PodSetText(const FlavorSearch& search) const {
    std::vector<std::string> parts;
    for (const uint32_t i : search.pod_sets) {
      const int32_t count = account_.workload->spec.pod_sets[i].count.value_or(1);
      parts.push_back(account_.PodSetName(i) + " (" +
                      Counted(static_cast<size_t>(std::max(count, 0)), "pod") + ")");
    }
    return Listed(parts, parts.size());
  }

  void WriteSearches() {
    for (const FlavorSearch& search : e_.searches) {
      out_ += "\nFlavors tried for podset " + PodSetText(search) + "\n";
      WriteTable(search);
      for (const FlavorStep& step : search.flavors) {
        if (!step.is_tried) continue;
        if (const std::string text = NextStepText(account_, step); !text.empty())
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
    const std::string& flavor = account_.FlavorName(step.flavor);
    if (step.resources.empty()) {
      std::vector<std::string> row(width, "-");
      row.front() = flavor;
      row.back() = step.mismatch    ? MismatchText(account_, step)
                   : !step.is_tried ? "not tried: the one before is good enough"
                                    : "";
      table.Add(std::move(row));
      return;
    }
    for (size_t i = 0; i < step.resources.size(); ++i)
      table.Add(Row(i == 0 ? flavor : "", step, step.resources[i], has_assumed));
  }

  std::vector<std::string> Row(const std::string& flavor, const FlavorStep& step,
                               const ResourceFigures& f, bool has_assumed) const {
    const auto text = [&](engine::Amount amount) {
      return account_.AmountText(f.resource, amount);
    };
    std::vector<std::string> row = {flavor, account_.ResourceName(f.resource), text(f.requested)};
    if (has_assumed) row.push_back(text(f.assumed));
    for (const engine::Amount amount :
         {f.available, f.shortfall, f.nominal, f.used, f.borrowable, f.potential})
      row.push_back(text(amount));
    const bool is_taken = step.is_chosen && step.mode > engine::FlavorMode::kNoCandidates;
    row.push_back(FitText(f) + (is_taken ? " (chosen)" : ""));
    return row;
  }

  // --- The rest ----------------------------------------------------------------------------------

  void WritePreemption() {
    std::vector<std::string> lines;
    switch (e_.preemption.attempt) {
      case engine::PreemptionAttempt::kNotNeeded:
      case engine::PreemptionAttempt::kPointless:
        return;
      case engine::PreemptionAttempt::kNotWhileBorrowing:
        lines.push_back("Not tried: it would need more than the nominal quota of ClusterQueue " +
                        account_.ClusterQueueName() +
                        ", which may not preempt for that (borrowWithinCohort).");
        break;
      case engine::PreemptionAttempt::kForbidden:
        lines.push_back("Not tried: the workload must not preempt (cannot-preempt).");
        AddForbiddenVictims(lines);
        break;
      case engine::PreemptionAttempt::kTried:
        for (const engine::CandidateGroup& group : e_.preemption.groups)
          lines.push_back(CandidateText(group));
        if (lines.empty()) lines.push_back("Nobody holds quota that could be taken.");
        break;
    }
    Section("Preemption", lines);
  }

  void AddForbiddenVictims(std::vector<std::string>& lines) const {
    for (const engine::ForbiddenWay& way : e_.forbidden_ways) {
      std::vector<std::string> names;
      for (const engine::Victim& victim : way.victims)
        names.push_back(account_.WorkloadName(victim.workload));
      if (!names.empty())
        lines.push_back("Without that constraint it would preempt " + Listed(names, names.size()) +
                        ".");
    }
  }

  std::string CandidateText(const engine::CandidateGroup& group) const {
    return Counted(group.count, "workload") + " of " + account_.NodeName(group.queue) + ": " +
           StandingText(account_, group) + " (" +
           Listed(account_.WorkloadNames(group.first), group.count) + ")";
  }

  void WriteLine() {
    const engine::Line& line = e_.line;
    if (line.ahead_count == 0) return;
    Section("Ahead of it",
            {std::to_string(line.ahead_count) + " of the " + std::to_string(line.length) +
             " that wait in ClusterQueue " + account_.ClusterQueueName() + ": " +
             Listed(account_.WorkloadNames(line.ahead), line.ahead_count)});
  }

  void WriteRemedies() {
    std::vector<std::string> lines;
    for (const engine::Obstacle obstacle : e_.obstacles)
      lines.push_back("- " + ObstacleRemedyText(account_, obstacle));
    const bool has_both = !lines.empty() && !e_.remedies.empty();
    const size_t obstacles = lines.size();
    for (const engine::Remedy& remedy : e_.remedies)
      lines.push_back("- " + RemedyText(account_, remedy));
    if (!e_.are_remedies_complete)
      lines.push_back("There is too much here to try everything; there may be other ways.");
    if (lines.empty() && StatusOf(account_) == "Waits")
      lines.push_back("No single change that was tried would do.");
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
        table.Add({account_.HeldPodSetName(i), std::to_string(e_.held[i].count),
                   account_.ResourceName(r.resource), account_.FlavorName(r.flavor),
                   account_.AmountText(r.resource, engine::Amount(r.amount))});
    }
    out_ += "\nQuota it holds\n" + table.ToString("  ");
  }

  const Account& account_;
  const engine::Explanation& e_;
  std::string out_;
};

}  // namespace

std::string ToText(const Account& account) { return TextWriter(account).Write(); }

}  // namespace berth::explain
