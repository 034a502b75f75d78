#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "base/text_table.h"
#include "cli/command.h"
#include "cli/journal/journal_input.h"
#include "cli/printable.h"
#include "journal/history.h"
#include "journal/past.h"
#include "journal/player.h"
#include "journal/usage.h"
#include "quantity/quantity.h"
#include "schema/json/writer.h"

namespace berth::cli {
namespace {

constexpr const char* kHistoryFooter = R"(Examples:
  berth history team-a/train                the life of a workload
  berth history --queue team-a              of all workloads of a ClusterQueue
  berth history --queue team-a --at 2026-03-02T03:14:00Z
                                            who held its quota then, and who waited
  berth history --queue team-a --usage      what it used, whenever that changed
  berth history --from 2026-03-02T03:00:00Z --to 2026-03-02T04:00:00Z -o json)";

struct HistoryArguments {
  std::string workload;
  std::string journal;
  std::string queue;
  std::string at;
  std::string from;
  std::string to;
  std::string output;
  bool is_usage = false;
};

void PrintEvents(const std::vector<journal::LifeEvent>& events, bool is_json, Output& out) {
  if (is_json) {
    schema::JsonWriter w;
    w.BeginArray();
    for (const journal::LifeEvent& event : events) journal::WriteJson(w, event);
    out << w.EndArray().text() << "\n";
    return;
  }
  for (const journal::LifeEvent& event : events)
    out << base::FormatTime(event.time) << "  " << Printable(event.workload) << "  " << event.what
        << (event.detail.empty() ? "" : "  " + Printable(event.detail)) << "\n";
}

// A LocalQueue may lead to the ClusterQueue: the last one that it named.
class QueueFilter {
 public:
  QueueFilter(std::string workload, std::string queue)
      : workload_(std::move(workload)), queue_(std::move(queue)) {}

  void FollowQueuesOf(const workload::ClusterState* cluster) { cluster_ = cluster; }

  bool Passes(const journal::LifeEvent& event) const {
    if (!workload_.empty()) return event.workload == workload_;
    if (queue_.empty()) return true;
    if (!event.cluster_queue.empty()) return event.cluster_queue == queue_;
    const api::LocalQueue* local =
        cluster_ == nullptr ? nullptr : cluster_->FindLocalQueue(event.local_queue);
    return local != nullptr && local->spec.cluster_queue == queue_;
  }

 private:
  std::string workload_, queue_;
  const workload::ClusterState* cluster_ = nullptr;
};

int PrintLives(const HistoryArguments& arguments, journal::Reader& reader, base::Time from,
               base::Time to, Output& out, Output& err) {
  journal::LifeEvents lives;
  journal::Player player;  // knows which LocalQueue leads where
  QueueFilter filter(arguments.workload, arguments.queue);
  std::vector<journal::LifeEvent> events;
  while (const auto record = reader.Next()) {
    if (!arguments.queue.empty()) {
      static_cast<void>(player.Play(*record));
      filter.FollowQueuesOf(player.cluster());
    }
    for (journal::LifeEvent& event : lives.Add(*record))
      if (from <= event.time && event.time <= to && filter.Passes(event))
        events.push_back(std::move(event));
  }
  ReportDamage(reader, err);
  if (events.empty()) {
    err << "berth: nothing of this in the journal\n";
    return kExitFound;
  }
  PrintEvents(events, arguments.output == "json", out);
  return kExitOk;
}

void PrintUsage(const std::vector<journal::UsageStep>& steps, bool is_json, Output& out) {
  const auto amount = [](const journal::UsageStep& step) {
    return quantity::Quantity::FromMilli(step.milli).ToString();
  };
  if (is_json) {
    schema::JsonWriter w;
    w.BeginArray();
    for (const journal::UsageStep& step : steps) {
      w.BeginObject().Member("time", base::FormatMicroTime(step.time));
      w.Member("flavor", step.flavor).Member("resource", step.resource);
      w.Member("used", amount(step)).EndObject();
    }
    out << w.EndArray().text() << "\n";
    return;
  }
  for (const journal::UsageStep& step : steps)
    out << base::FormatTime(step.time) << "  " << Printable(step.flavor) << "  "
        << Printable(step.resource) << "  " << amount(step) << "\n";
}

int PrintUsageOverTime(const HistoryArguments& arguments, journal::Reader& reader, base::Time from,
                       base::Time to, Output& out, Output& err) {
  journal::UsageAccount account({.from = from, .to = to});
  while (const auto record = reader.Next()) account.Add(*record);
  account.Close();
  ReportDamage(reader, err);
  PrintUsage(StepsOf(account.spans(), arguments.queue), arguments.output == "json", out);
  return kExitOk;
}

void PrintMoment(const journal::QueueMoment& moment, base::Time at, Output& out) {
  out << "ClusterQueue " << Printable(moment.name) << " at " << base::FormatTime(at) << "\n";
  if (!moment.inactive_reason.empty())
    out << "Inactive: " << Printable(moment.inactive_reason) << "\n";
  base::TextTable quota({"flavor", "resource", "used", "nominal"});
  for (const auto& q : moment.quota) quota.Add({q.flavor, q.resource, q.used, q.nominal});
  out << "\n" << quota.ToString() << "\nHold quota:\n";
  for (const auto& holder : moment.holders)
    out << "  " << Printable(holder.workload) << "  since " << base::FormatTime(holder.since)
        << "  " << Printable(holder.flavors) << "\n";
  out << "\nWait, in this order:\n";
  for (const auto& waiter : moment.waiters)
    out << "  " << Printable(waiter.workload) << "  priority " << std::to_string(waiter.priority)
        << "  since " << base::FormatTime(waiter.since)
        << (waiter.is_inadmissible ? "  inadmissible" : "")
        << (waiter.reason.empty() ? "" : "  " + Printable(waiter.reason)) << "\n";
}

int PrintMomentAt(const HistoryArguments& arguments, journal::Reader& reader, base::Time at,
                  Output& out, Output& err) {
  const journal::PastQueue past = journal::QueueAt(reader, arguments.queue, at);
  ReportDamage(reader, err);
  if (!past.moment) {
    const std::string none = "no ClusterQueue " + Printable(arguments.queue) + " at that time";
    err << "berth: " << (past.has_state ? none : "the journal begins later") << "\n";
    return kExitFound;
  }
  if (arguments.output == "json") {
    out << journal::ToJson(*past.moment, at, [](std::string_view) { return true; }) << "\n";
  } else {
    PrintMoment(*past.moment, at, out);
  }
  return kExitOk;
}

int History(const HistoryArguments& arguments, Output& out, Output& err) {
  const auto from = ReadTimeOption("--from", arguments.from, base::kZeroTime, err);
  const auto to = ReadTimeOption("--to", arguments.to, base::Time{INT64_MAX}, err);
  const auto at = ReadTimeOption("--at", arguments.at, base::kZeroTime, err);
  if (!from || !to || !at) return kExitTrouble;
  auto reader = OpenJournal(arguments.journal, err);
  if (!reader) return kExitTrouble;
  if (arguments.is_usage) return PrintUsageOverTime(arguments, *reader, *from, *to, out, err);
  if (arguments.at.empty()) return PrintLives(arguments, *reader, *from, *to, out, err);
  return PrintMomentAt(arguments, *reader, *at, out, err);
}

}  // namespace

void AddHistory(CLI::App& berth, Action& action) {
  auto arguments = std::make_shared<HistoryArguments>();
  CLI::App* command = berth.add_subcommand(
      "history", "What a journal says about a workload, or a queue at a past moment");
  CLI::Option* workload =
      command->add_option("WORKLOAD", arguments->workload, "Workload, as NAMESPACE/NAME")
          ->option_text(" ");
  AddJournalOption(*command, arguments->journal);
  CLI::Option* queue = command->add_option("--queue", arguments->queue, "ClusterQueue")
                           ->excludes(workload)
                           ->option_text("NAME");
  CLI::Option* at = command->add_option("--at", arguments->at, "The queue at this moment")
                        ->needs(queue)
                        ->option_text("TIME");
  command->add_option("--from", arguments->from, "Begin (default: of the journal)")
      ->excludes(at)
      ->option_text("TIME");
  command->add_option("--to", arguments->to, "End (default: of the journal)")
      ->excludes(at)
      ->option_text("TIME");
  command->add_flag("--usage", arguments->is_usage, "What the queue used, whenever it changes")
      ->needs(queue)
      ->excludes(at);
  AddOutputOption(*command, arguments->output, "table");
  command->footer(kHistoryFooter);
  command->callback([arguments, &action] {
    action = [arguments](Output& out, Output& err) { return History(*arguments, out, err); };
  });
}

}  // namespace berth::cli
