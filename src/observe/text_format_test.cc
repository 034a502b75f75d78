#include "observe/text_format.h"

#include <gtest/gtest.h>

#include <limits>

namespace berth::observe {
namespace {

prometheus::MetricFamily Gauge(double value, std::string label = "a") {
  prometheus::ClientMetric metric;
  metric.label.push_back({"name", std::move(label)});
  metric.gauge.value = value;
  return {
      .name = "usage", .help = "Usage", .type = prometheus::MetricType::Gauge, .metric = {metric}};
}

// The value of the only sample.
std::string ValueText(double value) {
  const prometheus::MetricFamily family = Gauge(value);
  const std::string text = TextFormat({&family, 1});
  const size_t space = text.rfind(' ') + 1;
  return text.substr(space, text.size() - space - 1);
}

TEST(MetricNumbers, ReadBackAsTheSameDouble) {
  for (const double value : {0.1, 1.0 / 3, 1234567.25, 9007199254740993.0, 68719476736.5,
                             std::numeric_limits<double>::min(), -2.5e-7})
    EXPECT_EQ(std::stod(ValueText(value)), value) << ValueText(value);
}

TEST(MetricNumbers, AreAsShortAsPossible) {
  EXPECT_EQ(ValueText(0), "0");
  EXPECT_EQ(ValueText(0.1), "0.1");
  EXPECT_EQ(ValueText(1234567), "1234567");
  EXPECT_EQ(ValueText(17179869184), "17179869184");
}

TEST(MetricNumbers, MayBeInfinite) {
  EXPECT_EQ(ValueText(std::numeric_limits<double>::infinity()), "+Inf");
  EXPECT_EQ(ValueText(-std::numeric_limits<double>::infinity()), "-Inf");
  EXPECT_EQ(ValueText(std::numeric_limits<double>::quiet_NaN()), "NaN");
}

TEST(MetricLabels, AreEscaped) {
  const prometheus::MetricFamily family = Gauge(1, "a\"b\\c\nd");
  EXPECT_EQ(TextFormat({&family, 1}),
            "# HELP usage Usage\n# TYPE usage gauge\nusage{name=\"a\\\"b\\\\c\\nd\"} 1\n");
}

}  // namespace
}  // namespace berth::observe
