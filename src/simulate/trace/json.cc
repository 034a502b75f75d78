#include "api/meta/problem_report.h"
#include "schema/decode.h"
#include "simulate/trace/builder.h"
#include "simulate/trace/trace.h"

namespace berth::simulate {
namespace {

struct TraceLine {
  schema::Json arrival;
  std::string queue;
  schema::Json run_time;
  schema::Json count;
  schema::Json priority;
  std::string label;
  std::string name;
  base::FlatMap<schema::Json> requests;
  schema::Extra extra;

  static const schema::Struct& Description() {
    using schema::Member;
    static constexpr schema::Field kFields[] = {
        Member<&TraceLine::arrival>("arrival", "Arrival time."),
        Member<&TraceLine::queue>("queue", "LocalQueue of the job."),
        Member<&TraceLine::run_time>("runTime", "Run time."),
        Member<&TraceLine::count>("count", "Number of pods."),
        Member<&TraceLine::priority>("priority", "Priority."),
        Member<&TraceLine::label>("class", "Class of the job in summaries."),
        Member<&TraceLine::name>("name", "Name of the job."),
        Member<&TraceLine::requests>("requests", "Requests of one pod, by resource."),
    };
    static constexpr auto kStruct = schema::Describe<TraceLine>("Job", "A job.", kFields);
    return kStruct;
  }
};

// The text of a number or string. Other values are passed on as JSON and rejected later.
std::string_view PlainText(const schema::Json& json) {
  std::string_view text = json.text;
  if (text.size() >= 2 && text.front() == '"') text = text.substr(1, text.size() - 2);
  return text;
}

void AddLine(const TraceLine& line, int number, TraceJob& job, TraceBuilder& builder) {
  job.arrival = PlainText(line.arrival);
  job.queue = line.queue;
  job.run_time = PlainText(line.run_time);
  job.count = PlainText(line.count);
  job.priority = PlainText(line.priority);
  job.label = line.label;
  job.name = line.name;
  job.requests.clear();
  for (const auto& [resource, amount] : line.requests)
    job.requests.push_back({resource, PlainText(amount)});
  builder.Add(job, number);
}

}  // namespace

schema::Problems AddJsonTrace(std::string_view text, const TraceOptions& options, Input& input) {
  TraceBuilder builder(options, input);
  schema::Decoder decoder;
  LineReader lines(text);
  TraceJob job;
  while (const std::optional<std::string_view> line = lines.Next()) {
    if (builder.has_enough_problems()) break;
    if (line->find_first_not_of(" \t") == std::string_view::npos) continue;
    TraceLine read;
    const schema::Problems problems =
        decoder.Decode(*line, TraceLine::Description(), &read, {.is_strict = true});
    for (const schema::Problem& problem : problems)
      builder.Fail(lines.line(),
                   (problem.field.empty() ? "" : problem.field + ": ") + problem.message,
                   problem.hint);
    if (problems.empty()) AddLine(read, lines.line(), job, builder);
  }
  return std::move(builder).Finish();
}

}  // namespace berth::simulate
