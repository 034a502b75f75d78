// Compares validation by an API server with Kueue's CustomResourceDefinitions with validation by
// our descriptions.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <simdjson.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "api/kueue/cluster_queue.h"
#include "api/kueue/cohort.h"
#include "api/kueue/local_queue.h"
#include "api/kueue/resource_flavor.h"
#include "api/kueue/workload.h"
#include "api/testing/shared_data.h"
#include "schema/decode.h"
#include "schema/defaults.h"
#include "schema/encode.h"
#include "schema/validate.h"

namespace berth::api {
namespace {

using Errors = std::vector<std::pair<std::string, std::string>>;  // field and type, sorted

std::string Text(simdjson::dom::element element) { return simdjson::minify(element); }

Errors ExpectedErrors(simdjson::dom::element oracle) {
  Errors errors;
  for (simdjson::dom::element error : oracle["crdErrors"].get_array()) {
    std::string field(error["field"].get_string().value());
    if (field == "<nil>") field.clear();
    errors.emplace_back(std::move(field), error["type"].get_string().value());
  }
  std::ranges::sort(errors);
  return errors;
}

Errors ActualErrors(const schema::Problems& problems) {
  Errors errors;
  for (const schema::Problem& problem : problems)
    errors.emplace_back(problem.field, schema::CauseOf(problem.type));
  std::ranges::sort(errors);
  return errors;
}

template <class T>
T Defaulted(const std::string& json) {
  auto object = schema::Decode<T>(json);
  EXPECT_TRUE(object.has_value()) << json << "\n" << schema::ToString(object.error().front());
  if (!object) return {};
  schema::ApplyDefaults(*object);
  return *std::move(object);
}

template <class T>
void CheckCase(simdjson::dom::element oracle) {
  const std::string json = Text(oracle["object"]);
  SCOPED_TRACE(json.substr(0, 2000));
  const T object = Defaulted<T>(json);
  if (simdjson::dom::element defaulted; !oracle["defaulted"].get(defaulted)) {
    auto expected = schema::Decode<T>(Text(defaulted));
    ASSERT_TRUE(expected.has_value());
    EXPECT_EQ(schema::Encode(object), schema::Encode(*expected));
  }
  simdjson::dom::element old_json;
  std::optional<T> old;
  if (!oracle["old"].get(old_json)) old = Defaulted<T>(Text(old_json));
  EXPECT_EQ(ActualErrors(schema::Validate(object, old ? &*old : nullptr)), ExpectedErrors(oracle));
}

// Runs all cases of a kind. Returns their number.
template <class T>
int CheckKind(std::string_view kind, simdjson::dom::array cases) {
  int count = 0;
  for (simdjson::dom::element oracle : cases) {
    if (oracle["kind"].get_string().value() != kind) continue;
    CheckCase<T>(oracle);
    ++count;
  }
  return count;
}

class CrdOracle : public ::testing::Test {
 protected:
  void SetUp() override {
    std::optional<std::string> text = testing::ReadShared("oracle/validation.json");
    if (!text) GTEST_SKIP() << "shared/oracle/validation.json not found";
    document_ = parser_.parse(*text);
    cases_ = document_["cases"].get_array();
  }

  simdjson::dom::parser parser_;
  simdjson::dom::element document_;
  simdjson::dom::array cases_;
};

TEST_F(CrdOracle, ClusterQueueAgrees) {
  EXPECT_GT(CheckKind<ClusterQueue>("ClusterQueue", cases_), 0);
}
TEST_F(CrdOracle, CohortAgrees) { EXPECT_GT(CheckKind<Cohort>("Cohort", cases_), 0); }
TEST_F(CrdOracle, LocalQueueAgrees) { EXPECT_GT(CheckKind<LocalQueue>("LocalQueue", cases_), 0); }
TEST_F(CrdOracle, ResourceFlavorAgrees) {
  EXPECT_GT(CheckKind<ResourceFlavor>("ResourceFlavor", cases_), 0);
}
TEST_F(CrdOracle, WorkloadAgrees) { EXPECT_GT(CheckKind<Workload>("Workload", cases_), 0); }

}  // namespace
}  // namespace berth::api
