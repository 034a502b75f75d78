#include "observe/metric.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>

namespace berth::observe {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string ReadText(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

std::string JoinedLabels(const MetricInfo& info) {
  std::string text;
  for (const std::string_view label : LabelsOf(info))
    text += (text.empty() ? "" : ", ") + std::string(label);
  if (info.has_role) text += std::string(text.empty() ? "" : ", ") + "replica_role";
  return text;
}

std::string BucketsText(Buckets buckets) {
  switch (buckets) {
    case Buckets::kNone:
      return "";
    case Buckets::kDefault:
      return "client default";
    case Buckets::kUpTo3h:
      return "E(14)";
    case Buckets::kUpTo12h:
      return "E(16)";
    case Buckets::kCreation:
      return "ExponentialBuckets(0.01, 2, 11)";
    case Buckets::kCycle:
      return "10 µs to 2.5 s";
  }
  return "";
}

std::string SourcesText(const MetricInfo& info) {
  std::string text;
  for (const LabelSource source : info.sources) {
    const char* const names[] = {"CQ", "CO", "LQ", "W"};
    text += (text.empty() ? "" : "+") + std::string(names[static_cast<size_t>(source)]);
  }
  return text;
}

TEST(MetricList, HasEveryMetricOnceWithHelp) {
  std::set<std::string_view> names;
  for (const MetricInfo& info : AllMetrics()) {
    EXPECT_TRUE(names.insert(info.name).second) << info.name;
    EXPECT_EQ(info.type == MetricType::kHistogram, info.buckets != Buckets::kNone) << info.name;
    EXPECT_EQ(info.type == MetricType::kCounter, info.name.ends_with("_total")) << info.name;
    EXPECT_FALSE(info.help.empty()) << info.name;
    EXPECT_EQ(info.help.find_first_of("\\\n"), std::string_view::npos) << info.name;
    EXPECT_TRUE(info.name.starts_with("kueue_") || info.name.starts_with("berth_") ||
                info.name.starts_with("process_"))
        << info.name;
  }
}

TEST(MetricList, HasTheBucketsOfKueue) {
  EXPECT_THAT(BoundsOf(Buckets::kUpTo3h),
              ElementsAre(1, 2.5, 5, 10, 20, 40, 80, 160, 320, 640, 1280, 2560, 5120, 10240));
  EXPECT_EQ(BoundsOf(Buckets::kUpTo12h).back(), 40960);
  EXPECT_EQ(BoundsOf(Buckets::kCreation).front(), 0.01);
  EXPECT_NEAR(BoundsOf(Buckets::kCreation).back(), 10.24, 1e-9);
  EXPECT_EQ(BoundsOf(Buckets::kDefault).size(), 11u);
}

// Kueue's metrics, except those of features that Berth lacks.
TEST(MetricList, MatchesKueue) {
  const char* shared = std::getenv("BERTH_SHARED_DIR");
  const std::string text =
      ReadText(std::string(shared != nullptr ? shared : BERTH_SOURCE_DIR "/../shared") +
               "/kueue-reference.md");
  if (text.empty()) GTEST_SKIP() << "shared/kueue-reference.md not found";
  std::map<std::string, std::string> wanted;
  const std::regex row(R"(\| (\w+) \| (\w+) \| ([\w, ]+) \| ?([\w+]*) ?\| ?([^|]*?) ?\|)");
  for (std::sregex_iterator it(text.begin(), text.end(), row), end; it != end; ++it)
    if ((*it)[2] == "counter" || (*it)[2] == "gauge" || (*it)[2] == "histogram")
      wanted[(*it)[1]] =
          (*it)[2].str() + " | " + (*it)[3].str() + " | " + (*it)[4].str() + " | " + (*it)[5].str();
  EXPECT_EQ(wanted.size(), 64u);
  for (const char* absent :
       {"multikueue_workloads_dispatched_total", "multikueue_workloads_admitted_total"})
    EXPECT_EQ(wanted.erase(absent), 1u);
  for (const MetricInfo& info : AllMetrics()) {
    if (!info.name.starts_with("kueue_")) continue;
    const std::string ours = std::string(ToString(info.type)) + " | " + JoinedLabels(info) + " | " +
                             SourcesText(info) + " | " + BucketsText(info.buckets);
    const auto kueues = wanted.extract(std::string(info.name));
    ASSERT_FALSE(kueues.empty()) << info.name << " is none of Kueue's";
    EXPECT_EQ(ours, kueues.mapped()) << info.name;
  }
  for (const auto& [name, row_of] : wanted) ADD_FAILURE() << name << " is missing";
}

// The table of the documentation matches the list.
TEST(MetricList, IsDocumented) {
  const std::string text = ReadText(BERTH_SOURCE_DIR "/docs/reference/metrics.md");
  ASSERT_FALSE(text.empty());
  for (const MetricInfo& info : AllMetrics()) {
    const std::string row = "| `" + std::string(info.name) + "` | " +
                            std::string(ToString(info.type)) + " | " + JoinedLabels(info) + " | " +
                            std::string(info.help) + " | " + std::string(ToString(info.condition)) +
                            " |\n";
    EXPECT_THAT(text, HasSubstr(row));
  }
}

}  // namespace
}  // namespace berth::observe
