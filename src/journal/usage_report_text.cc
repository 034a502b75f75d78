#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/text_table.h"
#include "journal/usage_report.h"
#include "schema/json/writer.h"

namespace berth::journal {
namespace {

using Cells = std::vector<std::string>;

constexpr base::Int128 kMilliMicrosAnHour = base::Int128{1000} * 3'600'000'000;

std::string HoursOrNothing(const std::optional<base::Int128>& sum) {
  return sum ? HoursText(*sum) : "";
}

// An unnamed group: of workloads without a user.
std::string NamedGroup(const std::string& group) { return group.empty() ? "(none)" : group; }

std::string SecondsText(base::Duration duration) {
  const int64_t millis = duration.nanos / 1'000'000;
  std::string fraction = std::to_string(millis % 1000);
  fraction.insert(0, 3 - fraction.size(), '0');
  return std::to_string(millis / 1000) + "." + fraction;
}

std::string DigitsOf(base::Int128 value) {
  std::string digits;
  for (base::Int128 rest = value; rest > 0 || digits.empty(); rest /= 10)
    digits.push_back(static_cast<char>('0' + static_cast<int>(rest % 10)));
  std::ranges::reverse(digits);
  return digits;
}

std::string TitleOf(const UsageReport& report) {
  return std::string(kUsageGroupNames[static_cast<size_t>(report.by)]);
}

Cells UsageHeadings(const UsageReport& report) {
  return {TitleOf(report), "resource", "admitted", "borrowed", "lent", "wasted"};
}

Cells CellsOf(const UsageRow& row) {
  return {NamedGroup(row.group),    row.resource,
          HoursText(row.admitted),  HoursOrNothing(row.borrowed),
          HoursOrNothing(row.lent), HoursText(row.wasted)};
}

Cells WaitHeadings(const UsageReport& report) {
  return {TitleOf(report), "admissions", "wait p50", "wait p90"};
}

Cells CellsOf(const WaitRow& row) {
  return {NamedGroup(row.group), std::to_string(row.count), SecondsText(row.p50) + "s",
          SecondsText(row.p90) + "s"};
}

// --- CSV -----------------------------------------------------------------------------------------

// A cell that a spreadsheet would take for a formula begins with a quote.
std::string CsvCell(const std::string& text) {
  const bool is_formula = !text.empty() && std::string_view("=+-@\t\r").contains(text.front());
  std::string plain = is_formula ? "'" + text : text;
  if (plain.find_first_of(",\"\n\r") == std::string::npos) return plain;
  std::string quoted = "\"";
  for (const char c : plain) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

void AddCsvLine(std::string& csv, const Cells& cells) {
  for (size_t i = 0; i < cells.size(); ++i) csv += (i == 0 ? "" : ",") + CsvCell(cells[i]);
  csv += "\n";
}

// --- HTML ----------------------------------------------------------------------------------------

constexpr std::string_view kReportStyle = R"css(
:root { color-scheme: light dark; --line: #8885; --soft: #8883; }
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 72rem; padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2rem; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .15rem .7rem; text-align: right; border-bottom: 1px solid var(--soft); }
th:first-child, td:first-child { text-align: left; }
.scroll { overflow-x: auto; }
)css";

std::string HtmlText(std::string_view text) {
  std::string html;
  for (const char c : text) {
    switch (c) {
      case '<':
        html += "&lt;";
        break;
      case '>':
        html += "&gt;";
        break;
      case '&':
        html += "&amp;";
        break;
      case '"':
        html += "&quot;";
        break;
      default:
        html += c;
    }
  }
  return html;
}

void AddHtmlRow(std::string& html, const Cells& cells, const std::string& tag) {
  html += "<tr>";
  for (const std::string& cell : cells) html += "<" + tag + ">" + HtmlText(cell) + "</" + tag + ">";
  html += "</tr>\n";
}

template <class Row>
std::string HtmlTable(const Cells& headings, const std::vector<Row>& rows) {
  std::string html = "<div class=\"scroll\"><table>\n";
  AddHtmlRow(html, headings, "th");
  for (const Row& row : rows) AddHtmlRow(html, CellsOf(row), "td");
  return html + "</table></div>\n";
}

}  // namespace

std::string HoursText(base::Int128 milli_micros) {
  const base::Int128 thousandths = milli_micros * 1000 / kMilliMicrosAnHour;
  std::string digits = DigitsOf(thousandths);
  if (digits.size() < 4) digits.insert(0, 4 - digits.size(), '0');
  digits.insert(digits.size() - 3, ".");
  return digits;
}

std::string ToTable(const UsageReport& report) {
  base::TextTable usage(UsageHeadings(report)), waits(WaitHeadings(report));
  for (const UsageRow& row : report.usage) usage.Add(CellsOf(row));
  for (const WaitRow& row : report.waits) waits.Add(CellsOf(row));
  return "Unit-hours from " + base::FormatTime(report.from) + " to " + base::FormatTime(report.to) +
         "\n\n" + usage.ToString() + "\n" + waits.ToString();
}

std::string ToCsv(const UsageReport& report) {
  std::map<std::string, const WaitRow*> waits;
  for (const WaitRow& row : report.waits) waits[row.group] = &row;
  std::string csv;
  AddCsvLine(csv, {TitleOf(report), "resource", "admitted_hours", "borrowed_hours", "lent_hours",
                   "wasted_hours", "admissions", "wait_p50_seconds", "wait_p90_seconds"});
  for (const UsageRow& row : report.usage) {
    Cells cells = CellsOf(row);
    cells.front() = row.group;
    const auto found = waits.find(row.group);
    if (found == waits.end()) {
      cells.insert(cells.end(), {"0", "", ""});
    } else {
      const WaitRow& wait = *found->second;
      cells.insert(cells.end(),
                   {std::to_string(wait.count), SecondsText(wait.p50), SecondsText(wait.p90)});
    }
    AddCsvLine(csv, cells);
  }
  return csv;
}

std::string ToJson(const UsageReport& report) {
  schema::JsonWriter w;
  const auto sum = [&](std::string_view key, base::Int128 value) {
    w.Member(std::string(key) + "Hours", HoursText(value));
    w.Member(std::string(key) + "MilliMicroseconds", DigitsOf(value));
  };
  w.BeginObject().Member("by", TitleOf(report));
  w.Member("from", base::FormatTime(report.from)).Member("to", base::FormatTime(report.to));
  w.Key("usage").BeginArray();
  for (const UsageRow& row : report.usage) {
    w.BeginObject().Member(TitleOf(report), row.group).Member("resource", row.resource);
    sum("admitted", row.admitted);
    if (row.borrowed) sum("borrowed", *row.borrowed);
    if (row.lent) sum("lent", *row.lent);
    sum("wasted", row.wasted);
    w.EndObject();
  }
  w.EndArray().Key("waits").BeginArray();
  for (const WaitRow& row : report.waits) {
    w.BeginObject().Member(TitleOf(report), row.group).Member("admissions", row.count);
    w.Member("p50Seconds", SecondsText(row.p50)).Member("p90Seconds", SecondsText(row.p90));
    w.EndObject();
  }
  w.EndArray().EndObject();
  return w.Take() + "\n";
}

std::string ToHtml(const UsageReport& report) {
  return "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
         "<meta name=\"viewport\" content=\"width=device-width\">\n"
         "<link rel=\"icon\" href=\"data:,\">\n<title>berth report</title>\n<style>" +
         std::string(kReportStyle) + "</style></head>\n<body>\n<h1>Usage by " + TitleOf(report) +
         "</h1>\n<p>Unit-hours from " + base::FormatTime(report.from) + " to " +
         base::FormatTime(report.to) + "</p>\n" + HtmlTable(UsageHeadings(report), report.usage) +
         "<h2>Waits</h2>\n" + HtmlTable(WaitHeadings(report), report.waits) + "</body></html>\n";
}

}  // namespace berth::journal
