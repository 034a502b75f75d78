#include <map>

#include "base/text_table.h"
#include "simulate/report/format.h"
#include "simulate/report/report.h"

namespace berth::simulate {
namespace {

using base::TextTable;

std::string LevelTable(const Result& result) {
  TextTable table({"FLAVOR", "level", "domains", "busy", "busy share", "placed in one"});
  for (const NodesOutcome& nodes : result.nodes)
    for (const NodesOutcome::Level& level : nodes.levels)
      table.Add({nodes.flavor, level.label, FixedText(level.domains, 1), FixedText(level.busy, 1),
                 PercentText(level.domains > 0 ? level.busy / level.domains : 0),
                 PercentText(level.together)});
  return table.empty() ? "" : "\n" + table.ToString();
}

std::string NodeUsageTable(const Result& result, const TextOptions& options) {
  TextTable table({"FLAVOR", "resource of nodes", "capacity", "used", "utilisation", "peak"});
  size_t rows = 0;
  for (const NodesOutcome& nodes : result.nodes) {
    for (const NodesOutcome::Resource& r : nodes.resources) {
      if (rows++ >= options.most_rows) continue;
      table.Add({nodes.flavor, r.name, AmountText(r.name, r.capacity), AmountText(r.name, r.used),
                 PercentText(r.utilisation()), AmountText(r.name, r.peak)});
    }
  }
  std::string text = table.empty() ? "" : "\n" + table.ToString();
  if (rows > options.most_rows)
    text += "… and " + std::to_string(rows - options.most_rows) + " more (--rows)\n";
  return text;
}

}  // namespace

std::string NodesText(const Result& result, const TextOptions& options) {
  return LevelTable(result) + NodeUsageTable(result, options);
}

std::string PendingText(const Result& result) {
  std::map<std::string, double> by_reason;
  double all = 0;
  for (const PendingTime& pending : result.pending_times) {
    by_reason[pending.reason] += pending.seconds;
    all += pending.seconds;
  }
  TextTable table({"PENDING REASON", "job time", "share"});
  for (const auto& [reason, seconds] : by_reason)
    table.Add({reason, LengthText(seconds), PercentText(seconds / all)});
  return table.empty() ? "" : "\n" + table.ToString();
}

}  // namespace berth::simulate
