// Validation reports the same fields and types as Kueue's webhooks and configuration check, with
// and without defaults.

#include <gtest/gtest.h>
#include <simdjson.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "api/config/configuration_rules.h"
#include "api/kueue/local_queue.h"
#include "api/kueue/rules/cluster_queue_rules.h"
#include "api/kueue/rules/cohort_rules.h"
#include "api/kueue/rules/resource_flavor_rules.h"
#include "api/kueue/rules/workload_rules.h"
#include "api/testing/oracle_faults.h"
#include "api/testing/shared_data.h"
#include "schema/decode.h"
#include "schema/defaults.h"

namespace berth::api {
namespace {

using simdjson::dom::element;
using testing::FoundFaults;
using testing::RecordedFaults;

std::string Text(const element& value) { return simdjson::minify(value); }

template <class T>
T Read(const element& json) {
  auto object = schema::Decode<T>(Text(json));
  EXPECT_TRUE(object) << schema::ToString(object.error().front());
  return object ? *std::move(object) : T();
}

schema::Problems Validate(const ClusterQueue& queue, const ClusterQueue* old) {
  return ValidateClusterQueue(queue, old, {});
}
schema::Problems Validate(const Cohort& cohort, const Cohort*) { return ValidateCohort(cohort); }
schema::Problems Validate(const ResourceFlavor& flavor, const ResourceFlavor*) {
  return ValidateResourceFlavor(flavor);
}
schema::Problems Validate(const Workload& workload, const Workload* old) {
  return ValidateWorkload(workload, old, {});
}
// Validated by the CRD alone.
schema::Problems Validate(const LocalQueue&, const LocalQueue*) { return {}; }

template <class T>
void CheckCase(const element& test) {
  T object = Read<T>(test["object"]);
  std::optional<T> old;
  if (element json; test["old"].get(json) == simdjson::SUCCESS) old = Read<T>(json);
  const T* before = old ? &*old : nullptr;
  const testing::OracleFaults expected = RecordedFaults(test["errors"]);
  EXPECT_EQ(FoundFaults(Validate(object, before)), expected);
  element after;
  const bool differs = test["errorsAfterDefaults"].get(after) == simdjson::SUCCESS;
  schema::ApplyDefaults(object);
  EXPECT_EQ(FoundFaults(Validate(object, before)), differs ? RecordedFaults(after) : expected)
      << "with defaults";
}

void CheckConfiguration(const element& test) {
  const auto configuration = Read<Configuration>(test["object"]);
  EXPECT_EQ(FoundFaults(ValidateConfiguration(configuration, FeatureGates())),
            RecordedFaults(test["errors"]));
}

TEST(ValidationOracle, FieldsAndTypesAgree) {
  const auto text = testing::ReadShared("oracle/validation.json");
  if (!text) GTEST_SKIP() << "shared/oracle/validation.json not found";
  simdjson::dom::parser parser;
  element document = parser.parse(*text);
  for (element test : document["cases"].get_array()) {
    SCOPED_TRACE(Text(test));
    const std::string_view kind = test["kind"].get_string();
    if (kind == "ClusterQueue") {
      CheckCase<ClusterQueue>(test);
    } else if (kind == "Cohort") {
      CheckCase<Cohort>(test);
    } else if (kind == "ResourceFlavor") {
      CheckCase<ResourceFlavor>(test);
    } else if (kind == "Workload") {
      CheckCase<Workload>(test);
    } else if (kind == "LocalQueue") {
      CheckCase<LocalQueue>(test);
    } else if (kind == "Configuration") {
      CheckConfiguration(test);
    } else {
      ADD_FAILURE() << "no rules for " << kind;
    }
  }
}

}  // namespace
}  // namespace berth::api
