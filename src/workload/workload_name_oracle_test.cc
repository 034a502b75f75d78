// Workloads are named as Kueue names them.

#include <gtest/gtest.h>
#include <simdjson.h>

#include <string>
#include <string_view>

#include "api/testing/shared_data.h"
#include "workload/workload_name.h"

namespace berth::workload {
namespace {

using simdjson::dom::element;

std::string_view TextOf(const element& test, const char* key) {
  std::string_view text;
  return test[key].get(text) == simdjson::SUCCESS ? text : std::string_view();
}

// "" for kinds of cases that are not about names alone.
std::string NameFor(const element& test, size_t max_length) {
  const std::string_view function = TextOf(test, "fn");
  Owner owner{.group = TextOf(test, "group"),
              .kind = TextOf(test, "kind"),
              .name = TextOf(test, "name"),
              .uid = TextOf(test, "uid")};
  if (function == "variant") {
    return VariantWorkloadName(TextOf(test, "parentName"), owner, TextOf(test, "flavor"),
                               max_length);
  }
  if (function == "leaderworkerset") {
    return LeaderWorkerSetWorkloadName(owner.name, owner.uid, TextOf(test, "groupIndex"),
                                       max_length);
  }
  if (function == "job") {
    owner.group = "batch";
    owner.kind = "Job";
  } else if (function == "pod") {
    owner.kind = "Pod";
  } else if (function == "statefulset") {
    owner.group = "apps";
    owner.kind = "StatefulSet";
  } else if (function != "owner" && function != "withExtra") {
    return "";
  }
  return WorkloadName(owner, max_length, TextOf(test, "extra"));
}

TEST(WorkloadNameOracle, NamesAgree) {
  const auto text = api::testing::ReadShared("oracle/workload-names.json");
  if (!text) GTEST_SKIP() << "shared/oracle/workload-names.json not found";
  simdjson::dom::parser parser;
  element document = parser.parse(*text);
  for (element test : document["cases"].get_array()) {
    SCOPED_TRACE(std::string(simdjson::minify(test)));
    EXPECT_EQ(NameFor(test, kMaxWorkloadName), TextOf(test, "workloadName"));
    EXPECT_EQ(NameFor(test, kMaxShortWorkloadName), TextOf(test, "workloadNameShort"));
  }
}

}  // namespace
}  // namespace berth::workload
