#include <algorithm>

#include "api/meta/problem_report.h"
#include "base/suggest.h"
#include "simulate/trace/builder.h"
#include "simulate/trace/trace.h"

namespace berth::simulate {
namespace {

constexpr std::string_view kColumns[] = {"arrival",  "queue", "runTime", "count",
                                         "priority", "class", "name"};
constexpr std::string_view TraceJob::* kMembers[] = {
    &TraceJob::arrival,  &TraceJob::queue, &TraceJob::run_time, &TraceJob::count,
    &TraceJob::priority, &TraceJob::label, &TraceJob::name};
constexpr std::string_view kCoreResources[] = {"cpu", "memory", "ephemeral-storage", "storage",
                                               "pods"};

bool IsResource(std::string_view column) {
  return column.find('/') != std::string_view::npos || column.starts_with("hugepages-") ||
         std::ranges::find(kCoreResources, column) != std::end(kCoreResources);
}

// Normalizes column names: `run_time`, `RunTime` and `runtime` are runTime.
std::string Simplified(std::string_view column) {
  std::string simple;
  for (const char c : column) {
    if (c != '_' && c != '-' && c != ' ')
      simple += static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c);
  }
  return simple;
}

std::string_view TrimmedCell(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

// Splits a line into cells. A quoted cell may contain commas and doubled quotes, but no line end.
class CsvRow {
 public:
  // False if a quote is not closed.
  bool Read(std::string_view line) {
    cells_.clear();
    unquoted_.clear();
    unquoted_.reserve(line.size());  // keeps views valid
    while (true) {
      const size_t first = std::min(line.find_first_not_of(" \t"), line.size());
      if (first < line.size() && line[first] == '"') {
        if (!ReadQuoted(line, first + 1)) return false;
      } else {
        const size_t comma = std::min(line.find(','), line.size());
        cells_.push_back(TrimmedCell(line.substr(0, comma)));
        line.remove_prefix(comma);
      }
      if (line.empty()) return true;
      line.remove_prefix(1);
    }
  }
  const std::vector<std::string_view>& cells() const { return cells_; }

 private:
  bool ReadQuoted(std::string_view& line, size_t from) {
    const size_t begin = unquoted_.size();
    for (size_t i = from; i < line.size(); ++i) {
      if (line[i] != '"') {
        unquoted_ += line[i];
      } else if (i + 1 < line.size() && line[i + 1] == '"') {
        unquoted_ += line[i++];
      } else {
        cells_.push_back(std::string_view(unquoted_).substr(begin));
        line.remove_prefix(std::min(line.find(',', i), line.size()));
        return true;
      }
    }
    return false;
  }

  std::vector<std::string_view> cells_;
  std::string unquoted_;
};

class CsvTrace {
 public:
  explicit CsvTrace(TraceBuilder& builder, bool has_queue)
      : builder_(builder), has_queue_(has_queue) {}

  void Read(std::string_view text) {
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
    LineReader lines(text);
    bool has_header = false;
    while (const std::optional<std::string_view> line = lines.Next()) {
      if (builder_.has_enough_problems()) return;
      if (TrimmedCell(*line).empty() || line->starts_with('#')) continue;
      if (!row_.Read(*line)) {
        builder_.Fail(lines.line(), "a quote is not closed on this line");
      } else if (has_header) {
        ReadRow(lines.line());
      } else {
        has_header = true;
        if (!ReadHeader(lines.line())) return;
      }
    }
    if (!has_header) builder_.Fail(1, "file is empty", kHeaderHint);
  }

 private:
  static constexpr const char* kHeaderHint =
      "the first line names the columns: arrival,queue,cpu,memory,count,runTime,priority";

  struct Column {
    std::string resource;  // "" for a member
    std::string_view TraceJob::* member = nullptr;
  };

  bool ReadHeader(int line) {
    for (const std::string_view cell : row_.cells()) {
      const auto known = std::ranges::find(kColumns, Simplified(cell), Simplified);
      if (known != std::end(kColumns)) {
        AddMember(kMembers[known - std::begin(kColumns)], cell, line);
      } else if (IsResource(cell)) {
        columns_.push_back({.resource = std::string(cell)});
      } else {
        builder_.Fail(line, "unknown column " + api::Quoted(cell),
                      base::DidYouMean(cell, kColumns));
        is_good_ = false;
      }
    }
    Require("arrival", &TraceJob::arrival, line);
    if (!has_queue_) Require("queue", &TraceJob::queue, line);
    return is_good_;
  }

  bool Has(std::string_view TraceJob::* member) const {
    return std::ranges::find(columns_, member, &Column::member) != columns_.end();
  }

  void AddMember(std::string_view TraceJob::* member, std::string_view cell, int line) {
    if (Has(member)) {
      builder_.Fail(line, "the column " + api::Quoted(cell) + " is listed twice");
      is_good_ = false;
    }
    columns_.push_back({.resource = {}, .member = member});
  }

  void Require(std::string_view name, std::string_view TraceJob::* member, int line) {
    if (Has(member)) return;
    builder_.Fail(line, "the column " + api::Quoted(name) + " is missing", kHeaderHint);
    is_good_ = false;
  }

  void ReadRow(int line) {
    const std::vector<std::string_view>& cells = row_.cells();
    if (cells.size() != columns_.size()) {
      builder_.Fail(line, "line has " + std::to_string(cells.size()) + " cells, the header " +
                              std::to_string(columns_.size()));
      return;
    }
    job_.requests.clear();
    for (size_t i = 0; i < cells.size(); ++i) {
      if (columns_[i].member != nullptr) {
        job_.*columns_[i].member = cells[i];
      } else if (!cells[i].empty()) {
        job_.requests.push_back({columns_[i].resource, cells[i]});
      }
    }
    builder_.Add(job_, line);
  }

  TraceBuilder& builder_;
  bool has_queue_;
  bool is_good_ = true;
  CsvRow row_;
  std::vector<Column> columns_;
  TraceJob job_;
};

}  // namespace

schema::Problems AddCsvTrace(std::string_view text, const TraceOptions& options, Input& input) {
  TraceBuilder builder(options, input);
  CsvTrace(builder, !options.queue.empty()).Read(text);
  return std::move(builder).Finish();
}

schema::Problems AddTrace(std::string_view text, const TraceOptions& options, Input& input) {
  const std::string_view file = options.file;
  if (file.ends_with(".csv")) return AddCsvTrace(text, options, input);
  if (file.ends_with(".jsonl") || file.ends_with(".ndjson"))
    return AddJsonTrace(text, options, input);
  if (file.ends_with(".swf")) return AddSwfTrace(text, options, input);
  return {{.type = schema::ProblemType::kNotSupported,
           .field = {},
           .message = "trace format is unknown",
           .hint = "its name must end in .csv, .jsonl, .ndjson or .swf",
           .place = {options.file, 0, 0}}};
}

}  // namespace berth::simulate
