#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <vector>

#include "cli/command.h"
#include "cli/journal/journal_input.h"
#include "cli/printable.h"
#include "journal/usage_report.h"

namespace berth::cli {
namespace {

constexpr const char* kReportFooter = R"(Examples:
  berth report --by queue
  berth report --by user --from 2026-03-01T00:00:00Z --to 2026-04-01T00:00:00Z -o csv
  berth report --by namespace -o html > march.html

Sums are unit-hours: core-hours of cpu, byte-hours of memory. Usage counts from the
reservation of quota to its release; wasted is the part of runs that were evicted.
The user of a workload is its label or annotation berth.dev/user.

Exit code 1: the journal is damaged, and sums may be too low.)";

struct ReportArguments {
  std::string journal;
  std::string from;
  std::string to;
  std::string by = "queue";
  std::string output = "table";
};

journal::UsageGroup GroupNamed(std::string_view name) {
  const auto found = std::ranges::find(journal::kUsageGroupNames, name);
  return static_cast<journal::UsageGroup>(found - std::begin(journal::kUsageGroupNames));
}

int ReportUsage(const ReportArguments& arguments, Output& out, Output& err) {
  journal::UsageAccount::Window window;
  const auto from = ReadTimeOption("--from", arguments.from, window.from, err);
  const auto to = ReadTimeOption("--to", arguments.to, window.to, err);
  if (!from || !to) return kExitTrouble;
  if (*to < *from) {
    err << "berth: --to is before --from\n  exchange them\n";
    return kExitTrouble;
  }
  auto reader = OpenJournal(arguments.journal, err);
  if (!reader) return kExitTrouble;
  journal::UsageAccount account({.from = *from, .to = *to});
  while (const auto record = reader->Next()) account.Add(*record);
  account.Close();
  ReportDamage(*reader, err);
  const journal::UsageReport report = ReportOn(account, GroupNamed(arguments.by));
  if (arguments.output == "csv") {
    out << ToCsv(report);
  } else if (arguments.output == "json") {
    out << ToJson(report);
  } else if (arguments.output == "html") {
    out << ToHtml(report);
  } else {
    out << ToTable(report);
  }
  return reader->damages().empty() ? kExitOk : kExitFound;
}

}  // namespace

void AddReport(CLI::App& berth, Action& action) {
  auto arguments = std::make_shared<ReportArguments>();
  CLI::App* command =
      berth.add_subcommand("report", "Usage and waits of a journal, for chargeback");
  AddJournalOption(*command, arguments->journal);
  command->add_option("--from", arguments->from, "Begin (default: of the journal)")
      ->option_text("TIME");
  command->add_option("--to", arguments->to, "End (default: of the journal)")->option_text("TIME");
  command->add_option("--by", arguments->by, "What to sum up by (default: queue)")
      ->check(CLI::IsMember({"queue", "namespace", "user", "flavor", "job"}))
      ->option_text("queue|namespace|user|flavor|job");
  command->add_option("-o,--output", arguments->output, "Format (default: table)")
      ->check(CLI::IsMember({"table", "csv", "json", "html"}))
      ->option_text("table|csv|json|html");
  command->footer(kReportFooter);
  command->callback([arguments, &action] {
    action = [arguments](Output& out, Output& err) { return ReportUsage(*arguments, out, err); };
  });
}

}  // namespace berth::cli
