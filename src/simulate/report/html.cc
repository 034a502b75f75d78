#include "simulate/report/html.h"

#include "simulate/report/format.h"
#include "simulate/report/page_files.h"
#include "simulate/report/plot.h"

namespace berth::simulate {
namespace {

using Cells = std::vector<std::string>;

void AddRow(std::string& html, const Cells& cells, std::string_view tag) {
  html += "<tr>";
  for (const std::string& cell : cells)
    html += "<" + std::string(tag) + ">" + Escaped(cell) + "</" + std::string(tag) + ">";
  html += "</tr>\n";
}

std::string TableOf(const Cells& heading, const std::vector<Cells>& rows) {
  if (rows.empty()) return {};
  std::string html = "<div class=\"scroll\" tabindex=\"0\"><table>\n";
  AddRow(html, heading, "th");
  for (const Cells& row : rows) AddRow(html, row, "td");
  return html + "</table></div>\n";
}

std::string WaitsTable(const std::string& name, const std::vector<GroupFigures>& groups) {
  constexpr size_t kMaxRows = 100;
  std::vector<Cells> rows;
  for (const GroupFigures& g : groups) {
    if (rows.size() == kMaxRows) break;
    rows.push_back({g.name, std::to_string(g.arrived), std::to_string(g.finished),
                    std::to_string(g.waiting), LengthText(g.wait.p50), LengthText(g.wait.p90),
                    LengthText(g.wait.p99), LengthText(g.wait.max), std::to_string(g.preemptions),
                    std::to_string(g.evictions)});
  }
  return TableOf({name, "jobs", "done", "never started", "wait p50", "p90", "p99", "max",
                  "preempted", "evicted"},
                 rows);
}

std::string UsageTableOf(const Report& report) {
  constexpr size_t kMaxRows = 100;
  std::vector<Cells> rows;
  for (const QueueOutcome& queue : report.result->queues) {
    for (const UsageOutcome& u : queue.usage) {
      if (rows.size() == kMaxRows) break;
      rows.push_back({queue.name, u.flavor, u.resource, AmountText(u.resource, u.nominal),
                      AmountText(u.resource, u.used), PercentText(u.utilisation()),
                      AmountText(u.resource, u.borrowed), AmountText(u.resource, u.lent),
                      AmountText(u.resource, u.peak)});
    }
  }
  return TableOf({"ClusterQueue", "flavor", "resource", "nominal", "used", "utilisation",
                  "borrowed", "lent", "peak"},
                 rows);
}

std::string NodeTablesOf(const Result& result) {
  std::vector<Cells> levels, resources;
  for (const NodesOutcome& nodes : result.nodes) {
    for (const NodesOutcome::Level& level : nodes.levels)
      levels.push_back({nodes.flavor, level.label, FixedText(level.domains, 1),
                        FixedText(level.busy, 1), PercentText(level.together)});
    for (const NodesOutcome::Resource& r : nodes.resources)
      resources.push_back({nodes.flavor, r.name, AmountText(r.name, r.capacity),
                           AmountText(r.name, r.used), PercentText(r.utilisation()),
                           AmountText(r.name, r.peak)});
  }
  return TableOf({"flavor", "level", "domains", "busy", "placed in one"}, levels) +
         TableOf({"flavor", "resource of nodes", "capacity", "used", "utilisation", "peak"},
                 resources);
}

std::string Plots(const Report& report, const PlotScale& scale) {
  std::string html;
  for (const PlotScale::Usage& usage : scale.usage) html += UsagePlot(report, usage);
  return html + QueuePlot(report, scale) + WaitPlot(report, scale) + GanttPlot(report, scale);
}

std::string WorldSection(const std::string& heading, const Report& report, const PlotScale& scale) {
  const Summary& s = report.summary;
  std::string html = "<section><h2>" + heading + "</h2>\n<p>" + std::to_string(s.all.arrived) +
                     " jobs in " + LengthText(s.seconds) +
                     " of virtual time: " + std::to_string(s.all.finished) + " done, " +
                     std::to_string(s.all.waiting) + " never started, " +
                     std::to_string(s.all.preemptions) + " preemptions.</p>\n";
  const std::string warnings = WarningText(report);
  if (!warnings.empty()) html += "<pre class=\"warnings\">" + Escaped(warnings) + "</pre>\n";
  html += Plots(report, scale);
  html += WaitsTable("ClusterQueue", s.cluster_queues);
  html += WaitsTable("LocalQueue", s.local_queues) + WaitsTable("class", s.classes);
  return html + UsageTableOf(report) + NodeTablesOf(*report.result) + "</section>\n";
}

std::string Page(const std::string& body) {
  return "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
         "<meta name=\"viewport\" content=\"width=device-width\">\n"
         "<link rel=\"icon\" href=\"data:,\">\n<title>berth simulate</title>\n<style>" +
         std::string(PageStyle()) + "</style></head>\n<body>\n<h1>berth simulate</h1>\n" + body +
         "<noscript>Plots over time need JavaScript.</noscript>\n<script>" +
         std::string(PageScript()) + "</script>\n</body></html>\n";
}

}  // namespace

std::string ToHtml(const Report& report) {
  PlotScale scale;
  scale.Include(report);
  return Page(WorldSection("The world", report, scale));
}

std::string ToHtml(const Comparison& comparison, const Report& base, const Report& changed) {
  PlotScale scale;
  scale.Include(base);
  scale.Include(changed);
  return Page("<section><h2>What the change does</h2>\n<pre class=\"difference\">" +
              Escaped(ToText(comparison, base, changed)) + "</pre></section>\n" +
              "<div class=\"worlds\">\n" + WorldSection("Before the change", base, scale) +
              WorldSection("With the change", changed, scale) + "</div>\n");
}

}  // namespace berth::simulate
