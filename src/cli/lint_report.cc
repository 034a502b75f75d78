#include "cli/lint_report.h"

#include <string>
#include <string_view>

#include "cli/printable.h"
#include "schema/json/writer.h"

namespace berth::cli {
namespace {

using lint::Finding;
using lint::Severity;

// Terminal escape codes, or empty.
struct Palette {
  std::string_view place, error, warning, hint, good, off;

  static Palette For(bool has_colour) {
    if (!has_colour) return {};
    return {.place = "\033[1m",
            .error = "\033[1;31m",
            .warning = "\033[1;35m",
            .hint = "\033[36m",
            .good = "\033[32m",
            .off = "\033[0m"};
  }
};

std::string Plural(size_t count, std::string_view noun) {
  return std::to_string(count) + " " + std::string(noun) + (count == 1 ? "" : "s");
}

// Truncates a long path of deeply nested input.
std::string Shortened(const std::string& field) {
  constexpr size_t kLongest = 160;
  if (field.size() <= kLongest) return field;
  size_t end = kLongest;
  while (end > 0 && (static_cast<unsigned char>(field[end]) & 0xC0) == 0x80) --end;
  return field.substr(0, end) + "…";
}

void PrintFinding(const Finding& finding, const Palette& palette, Output& out) {
  const bool is_error = finding.severity == Severity::kError;
  out << palette.place << Printable(base::ToString(finding.place)) << ":" << palette.off << " "
      << (is_error ? palette.error : palette.warning) << lint::ToString(finding.severity) << ":"
      << palette.off << " ";
  if (!finding.field.empty()) out << Printable(Shortened(finding.field)) << ": ";
  out << Printable(finding.message) << " [" << finding.rule << "]\n";
  if (!finding.hint.empty())
    out << "    " << palette.hint << "hint:" << palette.off << " " << Printable(finding.hint)
        << "\n";
}

void PrintUnknownKinds(const base::FlatMap<size_t>& kinds, Output& out) {
  constexpr size_t kWidth = 100;
  if (kinds.empty()) return;
  size_t objects = 0;
  for (const auto& [kind, count] : kinds) objects += count;
  out << "not checked: " << Plural(objects, "object") << " of other kinds:";
  size_t column = kWidth;  // starts a new line
  for (const auto& [kind, count] : kinds) {
    std::string text = Printable(kind.substr(kind.find(", ") + 2));
    if (count > 1) text += " (" + std::to_string(count) + ")";
    if (column + text.size() + 2 > kWidth) {
      out << "\n    ";
      column = 4;
    }
    out << text << (&kind == &(kinds.end() - 1)->first ? "" : ", ");
    column += text.size() + 2;
  }
  out << "\n";
}

void WriteObject(const lint::ObjectName& object, schema::JsonWriter& w) {
  w.Key("object").BeginObject();
  w.Member("apiVersion", object.api_version).Member("kind", object.kind);
  w.Member("namespace", object.namespace_).Member("name", object.name);
  w.EndObject();
}

void WriteManaged(const lint::ManagedJob& job, schema::JsonWriter& w) {
  w.BeginObject();
  w.Member("file", job.place.file);
  w.Member("line", job.place.line).Member("column", job.place.column);
  WriteObject(job.object, w);
  w.Member("managed", job.is_managed).Member("reason", job.reason);
  w.EndObject();
}

void WriteFinding(const Finding& finding, schema::JsonWriter& w) {
  w.BeginObject();
  w.Member("severity", lint::ToString(finding.severity)).Member("rule", finding.rule);
  w.Member("file", finding.place.file);
  w.Member("line", finding.place.line).Member("column", finding.place.column);
  WriteObject(finding.object, w);
  w.Member("field", finding.field).Member("message", finding.message).Member("hint", finding.hint);
  w.EndObject();
}

}  // namespace

LintCounts Count(const lint::LintResult& result, size_t files) {
  LintCounts counts{.files = files, .objects = result.object_count};
  for (const Finding& finding : result.findings)
    ++(finding.severity == Severity::kError ? counts.errors : counts.warnings);
  return counts;
}

void PrintHuman(const lint::LintResult& result, const LintCounts& counts, bool has_colour,
                Output& out) {
  const Palette palette = Palette::For(has_colour);
  for (const Finding& finding : result.findings) PrintFinding(finding, palette, out);
  if (!result.findings.empty()) out << "\n";
  PrintUnknownKinds(result.unknown_kinds, out);
  const std::string_view colour = counts.errors > 0     ? palette.error
                                  : counts.warnings > 0 ? palette.warning
                                                        : palette.good;
  out << Plural(counts.files, "file") << ", " << Plural(counts.objects, "object") << ": " << colour
      << Plural(counts.errors, "error") << ", " << Plural(counts.warnings, "warning") << palette.off
      << "\n";
}

void PrintManaged(const std::vector<lint::ManagedJob>& jobs, bool has_colour, Output& out) {
  const Palette palette = Palette::For(has_colour);
  for (const lint::ManagedJob& job : jobs) {
    out << palette.place << Printable(base::ToString(job.place)) << ":" << palette.off << " "
        << Printable(lint::ToString(job.object)) << ": " << (job.is_managed ? palette.good : "")
        << Printable(job.reason) << palette.off << "\n";
  }
  if (!jobs.empty()) out << "\n";
}

void PrintJson(const lint::LintResult& result, const LintCounts& counts,
               const std::vector<lint::ManagedJob>* managed, Output& out) {
  schema::JsonWriter w;
  w.BeginObject();
  w.Member("files", counts.files).Member("objects", counts.objects);
  w.Member("errors", counts.errors).Member("warnings", counts.warnings);
  w.Key("unknownKinds").BeginObject();
  for (const auto& [kind, count] : result.unknown_kinds) w.Member(kind, count);
  w.EndObject();
  w.Key("findings").BeginArray();
  for (const Finding& finding : result.findings) WriteFinding(finding, w);
  w.EndArray();
  if (managed != nullptr) {
    w.Key("managedJobs").BeginArray();
    for (const lint::ManagedJob& job : *managed) WriteManaged(job, w);
    w.EndArray();
  }
  w.EndObject();
  out << w.text() << "\n";
}

}  // namespace berth::cli
