// Requests of pods and pod sets agree with Kueue's, case by case.

#include <gtest/gtest.h>
#include <simdjson.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "api/core/runtime_class.h"
#include "api/testing/shared_data.h"
#include "schema/decode.h"
#include "workload/requests/limit_summary.h"
#include "workload/requests/pod_requests.h"
#include "workload/requests/request_checks.h"
#include "workload/requests/requests.h"
#include "workload/requests/resource_filter.h"

namespace berth::workload {
namespace {

using simdjson::dom::element;
using Faults = std::vector<std::pair<std::string, std::string>>;
using Texts = base::FlatMap<std::string>;

std::string Text(const element& value) { return simdjson::minify(value); }
std::string StringOf(const element& value) { return std::string(value.get_string().value()); }

template <class T>
T DecodeAs(const element& json) {
  return schema::Decode<T>(Text(json)).value();
}

Texts TextsOf(const element& json) {
  Texts texts;
  for (auto [key, value] : json.get_object()) texts.Set(key, StringOf(value));
  return texts;
}

Texts TextsOf(const api::ResourceList& list) {
  Texts texts;
  for (const auto& [name, quantity] : list) texts.Set(name, quantity.ToString());
  return texts;
}

Texts TextsOf(const Requests& requests) {
  Texts texts;
  for (const auto& [name, amount] : requests) texts.Set(name, std::to_string(amount));
  return texts;
}

Faults FaultsOf(const schema::Problems& problems) {
  Faults faults;
  for (const schema::Problem& problem : problems) {
    faults.emplace_back(problem.field, schema::CauseOf(problem.type));
  }
  std::ranges::sort(faults);
  return faults;
}

Faults ExpectedFaults(const element& test, const char* key) {
  Faults faults;
  if (test[key].error()) return faults;
  for (element fault : test[key].get_array()) {
    faults.emplace_back(StringOf(fault["field"]), StringOf(fault["type"]));
  }
  std::ranges::sort(faults);
  return faults;
}

struct Case {
  std::vector<api::PodSet> pod_sets;
  std::vector<api::ReclaimablePod> reclaimable;
  LimitSummary limits;
  RuntimeOverheads overheads;
  api::Configuration configuration;
};

Case ReadCase(const element& test) {
  Case read;
  for (element pod_set : test["podSets"].get_array()) {
    api::PodSet& set = read.pod_sets.emplace_back();
    set.name = StringOf(pod_set["name"]);
    set.count = static_cast<int32_t>(pod_set["count"].get_int64().value());
    set.template_.spec = DecodeAs<api::PodSpec>(pod_set["spec"]);
  }
  if (!test["reclaimable"].error()) {
    for (auto [name, count] : test["reclaimable"].get_object()) {
      read.reclaimable.push_back(
          {.name = std::string(name), .count = static_cast<int32_t>(count.get_int64().value())});
    }
  }
  if (!test["limitRanges"].error()) {
    for (element spec : test["limitRanges"].get_array()) {
      read.limits.Add(DecodeAs<api::LimitRangeSpec>(spec));
    }
  }
  if (!test["runtimeClassOverhead"].error()) {
    for (auto [name, overhead] : test["runtimeClassOverhead"].get_object()) {
      read.overheads.Set(
          name, schema::Decode<api::RuntimeOverhead>("{\"podFixed\":" + Text(overhead) + "}")
                    .value()
                    .pod_fixed);
    }
  }
  if (!test["config"].error()) {
    read.configuration.resources = DecodeAs<api::ResourcesSettings>(test["config"]);
  }
  for (api::PodSet& set : read.pod_sets) {
    AdjustPod(set.template_.spec, read.limits, read.overheads);
  }
  return read;
}

CountedRequests CountOf(const Case& read) {
  auto options = std::make_shared<const ResourceOptions>(
      ResourceOptions::From(read.configuration, api::FeatureGates()));
  const auto demand = DemandOf(read.pod_sets, read.reclaimable, *options);
  return ResourceFilter(options).Count(demand);
}

void ExpectTotals(const CountedRequests& counted, const element& test) {
  const quantity::AmountFormatter formatter;
  for (size_t i = 0; i < counted.pod_sets.size(); ++i) {
    const PodSetTotals& totals = counted.pod_sets[i];
    const element expected = test["totals"].at(i);
    EXPECT_EQ(totals.name, StringOf(expected["name"]));
    EXPECT_EQ(totals.count, expected["count"].get_int64().value());
    EXPECT_EQ(TextsOf(totals.requests), TextsOf(expected["requests"]));
    EXPECT_EQ(TextsOf(ToQuantities(totals.requests, formatter)),
              TextsOf(test["status"].at(i)["resources"]));
  }
  EXPECT_EQ(TextsOf(ToQuantities(Sum(counted.pod_sets), formatter)), TextsOf(test["sum"]));
}

TEST(PodRequestsOracle, PodsTotalsTextsAndFaultsAgree) {
  const auto text = api::testing::ReadShared("oracle/pod-requests.json");
  if (!text) GTEST_SKIP() << "shared/oracle/pod-requests.json not found";
  simdjson::dom::parser parser;
  element document = parser.parse(*text);
  for (element test : document["cases"].get_array()) {
    SCOPED_TRACE(Text(test));
    const Case read = ReadCase(test);
    for (size_t i = 0; i < read.pod_sets.size(); ++i) {
      EXPECT_EQ(TextsOf(PodRequests(read.pod_sets[i].template_.spec)),
                TextsOf(test["perPod"].at(i)));
    }
    ExpectTotals(CountOf(read), test);
    EXPECT_EQ(FaultsOf(RequestsAboveLimits(read.pod_sets)), ExpectedFaults(test, "resourceErrors"));
    EXPECT_EQ(FaultsOf(LimitRangeViolations(read.pod_sets, read.limits)),
              ExpectedFaults(test, "limitRangeErrors"));
  }
}

}  // namespace
}  // namespace berth::workload
