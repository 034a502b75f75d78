#include "cli/test_report.h"

#include <cstdio>
#include <string_view>

#include "cli/printable.h"
#include "schema/json/writer.h"
#include "schema/problem.h"

namespace berth::cli {
namespace {

// All failures of a file, one per line.
std::vector<std::string> LinesOf(const TestedFile& tested) {
  std::vector<std::string> lines;
  for (const schema::Problem& problem : tested.report.problems)
    lines.push_back(schema::ToString(problem));
  lines.insert(lines.end(), tested.report.differences.begin(), tested.report.differences.end());
  return lines;
}

// Possible causes of a failure, shown in any case.
void PrintWarnings(const TestedFile& tested, Output& out) {
  for (const schema::Problem& warning : tested.report.warnings)
    out << "    warning: " << Printable(schema::ToString(warning))
        << "; rejected by an API server\n";
}

std::string_view ResultOf(const TestedFile& tested) {
  if (tested.is_updated) return "updated";
  if (!tested.report.is_readable()) return "unreadable";
  return tested.has_passed() ? "passed" : "failed";
}

std::string Seconds(double seconds) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3f", seconds);
  return text;
}

std::string Summary(const TestCounts& counts) {
  return std::to_string(counts.passed) + " passed, " + std::to_string(counts.failed) + " failed";
}

// The path, and the name unless the path contains it.
std::string Title(const TestedFile& tested) {
  const std::string& name = tested.report.name;
  const bool is_redundant = name.empty() || tested.file.find(name) != std::string::npos;
  return Printable(tested.file) + (is_redundant ? "" : " (" + Printable(name) + ")");
}

// Escapes for XML 1.0, which cannot represent control characters.
std::string Xml(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\n':
        out += "&#10;";
        break;
      default:
        out += static_cast<unsigned char>(c) < 0x20 ? Printable({&c, 1}) : std::string(1, c);
    }
  }
  return out;
}

void WriteCase(const TestedFile& tested, Output& out) {
  out << "  <testcase name=\"" << Xml(tested.name()) << "\" classname=\"berth test\" file=\""
      << Xml(tested.file) << "\" time=\"" << Seconds(tested.seconds) << "\"";
  if (tested.has_passed()) {
    out << "/>\n";
    return;
  }
  const std::string_view element = tested.report.is_readable() ? "failure" : "error";
  const std::vector<std::string> lines = LinesOf(tested);
  out << ">\n    <" << element << " message=\"" << Xml(lines.front()) << "\">";
  for (const std::string& line : lines) out << Xml(line) << "\n";
  out << "</" << element << ">\n  </testcase>\n";
}

}  // namespace

TestCounts Count(const std::vector<TestedFile>& files) {
  TestCounts counts;
  for (const TestedFile& tested : files) {
    ++(tested.has_passed() ? counts.passed : counts.failed);
    counts.unreadable += tested.report.is_readable() ? 0 : 1;
    counts.updated += tested.is_updated ? 1 : 0;
  }
  return counts;
}

void PrintHuman(const std::vector<TestedFile>& files, bool lists_passes, Output& out) {
  for (const TestedFile& tested : files) {
    if (tested.is_updated) {
      out << "updated " << Title(tested) << "\n";
    } else if (tested.has_passed()) {
      if (!lists_passes) continue;
      out << "passed " << Title(tested) << "\n";
      PrintWarnings(tested, out);
    } else {
      out << ResultOf(tested) << " " << Title(tested) << "\n";
      for (const std::string& line : LinesOf(tested)) out << "    " << Printable(line) << "\n";
      PrintWarnings(tested, out);
    }
  }
  out << Summary(Count(files)) << "\n";
}

void PrintJson(const std::vector<TestedFile>& files, Output& out) {
  const TestCounts counts = Count(files);
  schema::JsonWriter w;
  w.BeginObject();
  w.Member("passed", counts.passed).Member("failed", counts.failed);
  w.Member("unreadable", counts.unreadable).Member("updated", counts.updated);
  w.Key("scenarios").BeginArray();
  for (const TestedFile& tested : files) {
    w.BeginObject();
    w.Member("file", tested.file).Member("name", tested.name());
    w.Member("result", ResultOf(tested)).Key("seconds").Raw(Seconds(tested.seconds));
    w.Key("messages").BeginArray();
    for (const std::string& line : LinesOf(tested)) w.Value(line);
    w.EndArray().Key("warnings").BeginArray();
    for (const schema::Problem& warning : tested.report.warnings)
      w.Value(schema::ToString(warning));
    w.EndArray().EndObject();
  }
  w.EndArray().EndObject();
  out << w.text() << "\n";
}

void PrintJunit(const std::vector<TestedFile>& files, Output& out) {
  const TestCounts counts = Count(files);
  double seconds = 0;
  for (const TestedFile& tested : files) seconds += tested.seconds;
  out << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"
      << "<testsuite name=\"berth test\" tests=\"" << std::to_string(files.size())
      << "\" failures=\"" << std::to_string(counts.failed - counts.unreadable) << "\" errors=\""
      << std::to_string(counts.unreadable) << "\" time=\"" << Seconds(seconds) << "\">\n";
  for (const TestedFile& tested : files) WriteCase(tested, out);
  out << "</testsuite>\n</testsuites>\n";
}

}  // namespace berth::cli
