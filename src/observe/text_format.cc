#include "observe/text_format.h"

#include <array>
#include <charconv>
#include <cmath>
#include <string_view>

namespace berth::observe {
namespace {

using prometheus::ClientMetric;

std::string NumberText(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "+Inf" : "-Inf";
  std::array<char, 32> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
  return {buffer.data(), end};
}

std::string Escaped(std::string_view text, bool is_label) {
  std::string escaped;
  for (const char c : text) {
    if (c == '\n')
      escaped += "\\n";
    else if (c == '\\' || (c == '"' && is_label))
      (escaped += '\\') += c;
    else
      escaped += c;
  }
  return escaped;
}

class TextWriter {
 public:
  void Write(const prometheus::MetricFamily& family) {
    out_ += "# HELP " + family.name + " " + Escaped(family.help, false) + "\n";
    out_ += "# TYPE " + family.name + " " + std::string(TypeText(family.type)) + "\n";
    for (const ClientMetric& metric : family.metric) WriteMetric(family, metric);
  }

  std::string Take() { return std::move(out_); }

 private:
  static std::string_view TypeText(prometheus::MetricType type) {
    switch (type) {
      case prometheus::MetricType::Counter:
        return "counter";
      case prometheus::MetricType::Gauge:
        return "gauge";
      case prometheus::MetricType::Histogram:
        return "histogram";
      default:
        return "untyped";
    }
  }

  void WriteMetric(const prometheus::MetricFamily& family, const ClientMetric& metric) {
    if (family.type == prometheus::MetricType::Histogram)
      return WriteHistogram(family.name, metric);
    const bool is_counter = family.type == prometheus::MetricType::Counter;
    WriteLine(family.name, metric, "",
              NumberText(is_counter ? metric.counter.value : metric.gauge.value));
  }

  void WriteHistogram(const std::string& name, const ClientMetric& metric) {
    bool has_infinity = false;
    for (const ClientMetric::Bucket& bucket : metric.histogram.bucket) {
      WriteLine(name + "_bucket", metric, NumberText(bucket.upper_bound),
                std::to_string(bucket.cumulative_count));
      has_infinity |= std::isinf(bucket.upper_bound);
    }
    const std::string count = std::to_string(metric.histogram.sample_count);
    if (!has_infinity) WriteLine(name + "_bucket", metric, "+Inf", count);
    WriteLine(name + "_sum", metric, "", NumberText(metric.histogram.sample_sum));
    WriteLine(name + "_count", metric, "", count);
  }

  // `bound` is the label le; "" if there is none.
  void WriteLine(const std::string& name, const ClientMetric& metric, const std::string& bound,
                 const std::string& value) {
    std::string labels;
    for (const ClientMetric::Label& label : metric.label)
      labels +=
          (labels.empty() ? "" : ",") + label.name + "=\"" + Escaped(label.value, true) + "\"";
    if (!bound.empty()) labels += (labels.empty() ? "" : ",") + ("le=\"" + bound + "\"");
    out_ += name + (labels.empty() ? "" : "{" + labels + "}") + " " + value + "\n";
  }

  std::string out_;
};

}  // namespace

std::string TextFormat(std::span<const prometheus::MetricFamily> families) {
  TextWriter writer;
  for (const prometheus::MetricFamily& family : families) writer.Write(family);
  return writer.Take();
}

}  // namespace berth::observe
