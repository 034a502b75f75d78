#include "simulate/report/plot.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <utility>

#include "schema/json/writer.h"
#include "simulate/report/format.h"
#include "simulate/report/svg.h"

namespace berth::simulate {
namespace {

constexpr size_t kMaxStacked = 100;  // the rest is merged into "others"

double SecondsSince(const Result& result, base::Time at) { return (at - result.start).seconds(); }

// At most three decimals, and none that are zero.
std::string PlotNumber(double number) {
  return std::isfinite(number) ? FixedText(number, 3) : "null";
}

// Values over time, one layer on the other, as web/src/report/stacked_plot.tsx reads them.
class Stack {
 public:
  Stack(const Result& result, std::string title, double most)
      : end_(result.seconds()), title_(std::move(title)), most_(most) {
    for (const Samples::Row& row : result.samples.rows)
      times_.push_back(SecondsSince(result, row.at));
  }

  void SetResource(std::string resource) { resource_ = std::move(resource); }
  void Add(std::string name, std::vector<double> values) {
    layers_.push_back({std::move(name), std::move(values)});
  }
  void SetLine(std::string name, std::vector<double> values) {
    line_ = {std::move(name), std::move(values)};
  }

  std::string Take() && {
    std::ranges::stable_sort(layers_, std::greater(), [](const Layer& layer) {
      double sum = 0;
      for (const double value : layer.values) sum += value;
      return sum;
    });
    MergeOthers();
    schema::JsonWriter w;
    w.BeginObject().Member("title", title_);
    if (!resource_.empty()) w.Member("resource", resource_);
    w.Key("most").Raw(PlotNumber(most_));
    WriteValues(w, "times", times_, std::max(end_, times_.empty() ? 0 : times_.back()));
    w.Key("layers").BeginArray();
    for (const Layer& layer : layers_) WriteLayer(w, layer);
    w.EndArray();
    if (!line_.name.empty()) WriteLayer(w.Key("line"), line_);
    return "<div class=\"stacked-plot\"><script type=\"application/json\">" +
           WithoutTags(w.EndObject().Take()) + "</script></div>\n";
  }

 private:
  struct Layer {
    std::string name;
    std::vector<double> values;
  };

  // The last value holds until the end.
  static void WriteValues(schema::JsonWriter& w, std::string_view key,
                          const std::vector<double>& values, double last) {
    w.Key(key).BeginArray();
    for (const double value : values) w.Raw(PlotNumber(value));
    w.Raw(PlotNumber(last)).EndArray();
  }
  static void WriteLayer(schema::JsonWriter& w, const Layer& layer) {
    w.BeginObject().Member("name", layer.name);
    WriteValues(w, "values", layer.values, layer.values.empty() ? 0 : layer.values.back());
    w.EndObject();
  }
  // JSON that cannot end the script which holds it.
  static std::string WithoutTags(const std::string& json) {
    std::string safe;
    for (const char c : json) c == '<' ? safe += "\\u003c" : safe += c;
    return safe;
  }

  void MergeOthers() {
    if (layers_.size() <= kMaxStacked) return;
    Layer others{std::to_string(layers_.size() - kMaxStacked) + " others",
                 std::vector<double>(times_.size())};
    for (size_t i = kMaxStacked; i < layers_.size(); ++i) {
      for (size_t t = 0; t < times_.size(); ++t) others.values[t] += layers_[i].values[t];
    }
    layers_.resize(kMaxStacked);
    layers_.push_back(std::move(others));
  }

  std::vector<double> times_;
  double end_;
  std::string title_;
  std::string resource_;
  double most_;
  std::vector<Layer> layers_;
  Layer line_;
};

bool IsSeriesOf(const Result& result, const Samples::Series& series,
                const PlotScale::Usage& usage) {
  if (series.queue == kNoIndex) return false;
  const UsageOutcome& outcome = result.queues[series.queue].usage[series.usage];
  return outcome.flavor == usage.flavor && outcome.resource == usage.resource;
}

// Sums over all queues of one sample.
std::pair<double, double> UsedAndNominal(const Result& result, const Samples::Row& row,
                                         const PlotScale::Usage& usage) {
  double used = 0, nominal = 0;
  for (size_t i = 0; i < row.used.size(); ++i) {
    if (!IsSeriesOf(result, result.samples.series[i], usage)) continue;
    used += static_cast<double>(row.used[i]);
    nominal += std::max(0.0, static_cast<double>(row.nominal[i]));
  }
  return {used, nominal};
}

// --- Waits --------------------------------------------------------------------------------------

// Upper bounds of the histogram bins: 0, then powers of two from a second.
std::vector<double> BinEnds(double most) {
  std::vector<double> ends = {0, 1};
  while (ends.back() < most) ends.push_back(ends.back() * 2);
  return ends;
}

// --- The largest jobs ---------------------------------------------------------------------------

// The dominant share: the largest share of quota over all resources.
double SizeOf(const JobKind& kind, const std::map<std::string, double>& quota) {
  double size = 0;
  for (const api::PodSet& pods : kind.workload.spec.pod_sets) {
    for (const api::Container& container : pods.template_.spec.containers) {
      for (const auto& [resource, amount] : container.resources.requests) {
        const auto all = quota.find(resource);
        if (all != quota.end() && all->second > 0)
          size = std::max(size, amount.ToDouble() * pods.count.value_or(1) / all->second);
      }
    }
  }
  return size;
}

std::vector<uint32_t> LargestJobs(const Report& report, size_t most) {
  std::map<std::string, double> quota;
  for (const QueueOutcome& queue : report.result->queues) {
    for (const UsageOutcome& usage : queue.usage) quota[usage.resource] += usage.nominal;
  }
  std::vector<double> sizes;
  for (const JobKind& kind : report.input->kinds) sizes.push_back(SizeOf(kind, quota));
  std::vector<uint32_t> jobs;
  for (uint32_t i = 0; i < report.result->jobs.size(); ++i) {
    if (report.result->jobs[i].state != JobState::kNotArrived) jobs.push_back(i);
  }
  const auto key = [&](uint32_t job) {
    return std::pair(-sizes[report.input->jobs[job].kind], job);
  };
  const size_t count = std::min(most, jobs.size());
  std::ranges::partial_sort(jobs, jobs.begin() + static_cast<std::ptrdiff_t>(count), {}, key);
  jobs.resize(count);
  return jobs;
}

}  // namespace

std::string Escaped(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    switch (c) {
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '&':
        escaped += "&amp;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

void PlotScale::Include(const Report& report) {
  const Result& result = *report.result;
  seconds = std::max(seconds, result.seconds());
  wait_seconds = std::max(wait_seconds, report.summary.all.wait.max);
  for (const QueueOutcome& queue : result.queues) {
    for (const UsageOutcome& u : queue.usage) {
      const bool is_known = std::ranges::any_of(usage, [&](const Usage& known) {
        return known.flavor == u.flavor && known.resource == u.resource;
      });
      if (!is_known) usage.push_back({u.flavor, u.resource, 0});
    }
  }
  for (const Samples::Row& row : result.samples.rows) {
    double sum = 0;
    for (const uint32_t count : row.waiting) sum += count;
    waiting = std::max(waiting, sum);
    for (Usage& u : usage) {
      const auto [used, nominal] = UsedAndNominal(result, row, u);
      u.most = std::max({u.most, used, nominal});
    }
  }
}

std::string UsagePlot(const Report& report, const PlotScale::Usage& usage) {
  const Result& result = *report.result;
  Stack stack(result, usage.resource + " in flavor " + usage.flavor + ", by ClusterQueue",
              usage.most * 1.05);
  stack.SetResource(usage.resource);
  for (size_t i = 0; i < result.samples.series.size(); ++i) {
    const Samples::Series& series = result.samples.series[i];
    if (!IsSeriesOf(result, series, usage)) continue;
    std::vector<double> values;
    for (const Samples::Row& row : result.samples.rows)
      values.push_back(i < row.used.size() ? static_cast<double>(row.used[i]) : 0);
    stack.Add(result.queues[series.queue].name, std::move(values));
  }
  std::vector<double> quota;
  for (const Samples::Row& row : result.samples.rows)
    quota.push_back(UsedAndNominal(result, row, usage).second);
  stack.SetLine("nominal quota", std::move(quota));
  return std::move(stack).Take();
}

std::string QueuePlot(const Report& report, const PlotScale& scale) {
  const Result& result = *report.result;
  Stack stack(result, "Pending jobs, by ClusterQueue", scale.waiting * 1.05);
  for (size_t i = 0; i < result.queues.size(); ++i) {
    std::vector<double> values;
    for (const Samples::Row& row : result.samples.rows) values.push_back(row.waiting[i]);
    if (std::ranges::any_of(values, [](double v) { return v > 0; }))
      stack.Add(result.queues[i].name, std::move(values));
  }
  return std::move(stack).Take();
}

std::string WaitPlot(const Report& report, const PlotScale& scale) {
  const std::vector<double> ends = BinEnds(scale.wait_seconds);
  std::vector<double> counts(ends.size());
  for (const JobOutcome& job : report.result->jobs) {
    if (job.state == JobState::kNotArrived || job.held_at_start) continue;
    const double wait = WaitOf(job, report.result->end).seconds();
    const auto bin = std::ranges::lower_bound(ends, wait) - ends.begin();
    ++counts[std::min(static_cast<size_t>(bin), counts.size() - 1)];
  }
  SvgPlot plot({.x_most = static_cast<double>(ends.size()),
                .y_most = *std::ranges::max_element(counts) * 1.05,
                .title = "Jobs by waiting time, at most",
                .has_time_x = false});
  const size_t every = (ends.size() + 9) / 10;
  for (size_t i = 0; i < ends.size(); ++i) {
    const auto x = static_cast<double>(i);
    const std::string most = i == 0 ? "0" : LengthText(ends[i]);
    plot.Bar(x + 0.1, x + 0.9, 0, counts[i], "class=\"bar\"",
             FixedText(counts[i], 0) + " jobs: " + most);
    if (i % every == 0) plot.XLabel(x + 0.5, most);
  }
  return std::move(plot).Take();
}

std::string GanttPlot(const Report& report, const PlotScale& scale) {
  constexpr size_t kMaxJobs = 24;
  const Result& result = *report.result;
  const std::vector<uint32_t> jobs = LargestJobs(report, kMaxJobs);
  SvgPlot plot({.x_most = scale.seconds,
                .y_most = static_cast<double>(jobs.size()),
                .title = "The largest jobs: pending (light), then from the first start to the end; "
                         "another color if preempted",
                .has_y_ticks = false},
               60 + 16 * static_cast<double>(jobs.size()));
  for (size_t i = 0; i < jobs.size(); ++i) {
    const JobOutcome& job = result.jobs[jobs[i]];
    const double row = static_cast<double>(jobs.size() - i) - 1;
    const double arrival = SecondsSince(result, job.arrival);
    const double start =
        job.first_start == kNever ? result.seconds() : SecondsSince(result, job.first_start);
    const double end = job.end == kNever ? result.seconds() : SecondsSince(result, job.end);
    const std::string name = NameOf(*report.input, jobs[i]);
    const std::string hint =
        name + ": pending for " + LengthText(start - arrival) +
        (job.preemptions > 0 ? ", preempted " + std::to_string(job.preemptions) + " times" : "");
    plot.Bar(arrival, start, row + 0.15, row + 0.85, "class=\"wait\"", hint);
    if (job.first_start != kNever)
      plot.Bar(start, end, row + 0.15, row + 0.85,
               job.preemptions > 0 ? "class=\"run preempted\"" : "class=\"run\"", hint);
    constexpr size_t kMaxLetters = 28;
    plot.YLabel(row + 0.5,
                name.size() <= kMaxLetters ? name : "…" + name.substr(name.size() - kMaxLetters));
  }
  return std::move(plot).Take();
}

}  // namespace berth::simulate
