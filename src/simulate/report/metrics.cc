#include <functional>

#include "simulate/report/format.h"
#include "simulate/report/report.h"

namespace berth::simulate {
namespace {

std::string LabelText(std::string_view name, std::string_view value) {
  std::string text = std::string(name) + "=\"";
  for (const char c : value) {
    if (c == '\\' || c == '"') text += '\\';
    text += c == '\n' ? 'n' : c;
  }
  return text + '"';
}

void AddFamily(std::string& text, std::string_view name, std::string_view help) {
  text += "# HELP " + std::string(name) + " " + std::string(help) + "\n# TYPE " +
          std::string(name) + " gauge\n";
}

void AddSample(std::string& text, std::string_view name, const std::string& labels, double value) {
  text += std::string(name) + "{" + labels + "} " + JsonNumber(value) + "\n";
}

struct QueueFamily {
  std::string_view name;
  std::string_view help;
  std::function<double(const GroupFigures&)> value;
};

void AddQueueFamilies(std::string& text, const Summary& summary) {
  const QueueFamily families[] = {
      {"berth_simulated_jobs", "Jobs that arrived.",
       [](const GroupFigures& g) { return static_cast<double>(g.arrived); }},
      {"berth_simulated_finished_jobs", "Jobs that were done.",
       [](const GroupFigures& g) { return static_cast<double>(g.finished); }},
      {"berth_simulated_unstarted_jobs", "Jobs that never started.",
       [](const GroupFigures& g) { return static_cast<double>(g.waiting); }},
      {"berth_simulated_preemptions", "Preemptions of jobs of the queue.",
       [](const GroupFigures& g) { return static_cast<double>(g.preemptions); }},
      {"berth_simulated_evictions", "Other evictions of jobs of the queue.",
       [](const GroupFigures& g) { return static_cast<double>(g.evictions); }},
      {"berth_simulated_above_nominal_ratio", "Share of time above nominal quota.",
       [](const GroupFigures& g) { return g.share_above_nominal; }},
  };
  for (const QueueFamily& family : families) {
    AddFamily(text, family.name, family.help);
    for (const GroupFigures& queue : summary.cluster_queues)
      AddSample(text, family.name, LabelText("cluster_queue", queue.name), family.value(queue));
  }
}

void AddWaits(std::string& text, const Summary& summary) {
  constexpr std::string_view kName = "berth_simulated_wait_seconds";
  AddFamily(text, kName, "Time from arrival to first start.");
  for (const GroupFigures& queue : summary.cluster_queues) {
    const std::string label = LabelText("cluster_queue", queue.name) + ",quantile=";
    AddSample(text, kName, label + "\"0.5\"", queue.wait.p50);
    AddSample(text, kName, label + "\"0.9\"", queue.wait.p90);
    AddSample(text, kName, label + "\"0.99\"", queue.wait.p99);
    AddSample(text, kName, label + "\"1\"", queue.wait.max);
  }
}

void AddUsage(std::string& text, const Result& result) {
  static constexpr struct {
    std::string_view name;
    std::string_view help;
    double UsageOutcome::* member;
  } kFamilies[] = {
      {"berth_simulated_used", "Usage, mean over time.", &UsageOutcome::used},
      {"berth_simulated_borrowed", "Usage above nominal quota, mean.", &UsageOutcome::borrowed},
      {"berth_simulated_lent", "Quota that others used, mean.", &UsageOutcome::lent},
      {"berth_simulated_peak", "Highest usage.", &UsageOutcome::peak},
  };
  const auto labels = [](const QueueOutcome& queue, const UsageOutcome& usage) {
    return LabelText("cluster_queue", queue.name) + "," + LabelText("flavor", usage.flavor) + "," +
           LabelText("resource", usage.resource);
  };
  for (const auto& family : kFamilies) {
    AddFamily(text, family.name, family.help);
    for (const QueueOutcome& queue : result.queues) {
      for (const UsageOutcome& usage : queue.usage)
        AddSample(text, family.name, labels(queue, usage), usage.*family.member);
    }
  }
  AddFamily(text, "berth_simulated_utilisation_ratio", "Usage of nominal quota, mean.");
  for (const QueueOutcome& queue : result.queues) {
    for (const UsageOutcome& usage : queue.usage)
      AddSample(text, "berth_simulated_utilisation_ratio", labels(queue, usage),
                usage.utilisation());
  }
}

void AddNodes(std::string& text, const Result& result) {
  if (result.nodes.empty()) return;
  static constexpr struct {
    std::string_view name;
    std::string_view help;
    double NodesOutcome::Resource::* member;
  } kFamilies[] = {
      {"berth_simulated_node_capacity", "Capacity of the nodes of a flavor, mean over time.",
       &NodesOutcome::Resource::capacity},
      {"berth_simulated_node_used", "Usage of the nodes of a flavor, mean.",
       &NodesOutcome::Resource::used},
  };
  for (const auto& family : kFamilies) {
    AddFamily(text, family.name, family.help);
    for (const NodesOutcome& nodes : result.nodes)
      for (const NodesOutcome::Resource& resource : nodes.resources)
        AddSample(text, family.name,
                  LabelText("flavor", nodes.flavor) + "," + LabelText("resource", resource.name),
                  resource.*family.member);
  }
  static constexpr struct {
    std::string_view name;
    std::string_view help;
    double NodesOutcome::Level::* member;
  } kLevels[] = {
      {"berth_simulated_domains", "Domains of a level, mean.", &NodesOutcome::Level::domains},
      {"berth_simulated_busy_domains", "Domains with pods, mean.", &NodesOutcome::Level::busy},
  };
  for (const auto& family : kLevels) {
    AddFamily(text, family.name, family.help);
    for (const NodesOutcome& nodes : result.nodes)
      for (const NodesOutcome::Level& level : nodes.levels)
        AddSample(text, family.name,
                  LabelText("flavor", nodes.flavor) + "," + LabelText("level", level.label),
                  level.*family.member);
  }
}

void AddPendingTimes(std::string& text, const Result& result) {
  constexpr std::string_view kName = "berth_simulated_pending_seconds";
  AddFamily(text, kName, "Time that jobs were pending, by reason.");
  for (const PendingTime& pending : result.pending_times)
    AddSample(text, kName,
              LabelText("cluster_queue", result.queues[pending.queue].name) + "," +
                  LabelText("reason", pending.reason),
              pending.seconds);
}

}  // namespace

std::string ToMetrics(const Report& report) {
  std::string text;
  AddFamily(text, "berth_simulated_seconds", "Virtual time from the start to the last event.");
  text += "berth_simulated_seconds " + JsonNumber(report.summary.seconds) + "\n";
  AddQueueFamilies(text, report.summary);
  AddWaits(text, report.summary);
  AddUsage(text, *report.result);
  AddNodes(text, *report.result);
  AddPendingTimes(text, *report.result);
  return text;
}

}  // namespace berth::simulate
