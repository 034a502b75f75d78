// Workloads of Jobs equal those recorded from Kueue.

#include <gtest/gtest.h>

#include "api/testing/shared_data.h"
#include "jobs/testing/objects.h"
#include "jobs/workload_for.h"
#include "schema/encode.h"

namespace berth::jobs {
namespace {

using testing::Kind;

// The classes and settings of shared/oracle/README.md.
PriorityTable OracleClasses() {
  PriorityTable table;
  table.Add(api::WorkloadPriorityClass{.metadata = {.name = "high"}, .value = 1000});
  table.Add(api::PriorityClass{.metadata = {.name = "pc-high"}, .value = 500});
  table.Add(
      api::PriorityClass{.metadata = {.name = "pc-default"}, .value = 7, .global_default = true});
  return table;
}

void Compare(const json::value& test, const PriorityTable& table, const WorkloadOptions& options) {
  SCOPED_TRACE(json::Print(test));
  const auto made = WorkloadFor(Kind("batch/job"), test.at("job"), table, options);
  const json::value* expected = json::FindAt(test, "workload");
  ASSERT_EQ(made.has_value(), expected != nullptr);
  if (expected == nullptr) return;
  json::value tree = *json::Parse(schema::Encode(*made));
  const json::value wanted =
      *json::Parse(schema::Encode(*schema::Decode<api::Workload>(json::Print(*expected))));
  EXPECT_EQ(json::Print(tree), json::Print(wanted));
}

TEST(WorkloadForOracle, WholeWorkloadsAgree) {
  const auto text = api::testing::ReadShared("oracle/workload-names.json");
  if (!text) GTEST_SKIP() << "shared/oracle/workload-names.json not found";
  const json::value document = *json::Parse(*text);
  int compared = 0;
  for (const json::value& test : document.at("cases").as_array()) {
    const std::string function = json::TextAt(test, "fn");
    if (function == "workloadForJob") {
      Compare(test, OracleClasses(), {.label_keys_to_copy = {"team", "cost-center"}});
    } else if (function == "workloadForJobNoClasses") {
      Compare(test, {}, {});
    } else {
      continue;
    }
    ++compared;
  }
  EXPECT_GT(compared, 0);
}

}  // namespace
}  // namespace berth::jobs
