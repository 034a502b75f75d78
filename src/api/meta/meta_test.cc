#include "api/meta/meta.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/core/lease.h"
#include "api/meta/patterns.h"
#include "schema/decode.h"
#include "schema/encode.h"
#include "schema/validate.h"

namespace berth::api {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Condition ValidCondition() {
  return {.type = "kueue.x-k8s.io/Ready",
          .status = "True",
          .last_transition_time = base::Time::FromSeconds(1),
          .reason = "AllGood",
          .message = ""};
}

std::vector<std::string> BadFields(const Condition& condition) {
  std::vector<std::string> fields;
  for (const schema::Problem& problem : schema::Validate(condition))
    fields.push_back(problem.field);
  return fields;
}

TEST(Condition, IsGoodWithoutAMessage) { EXPECT_THAT(BadFields(ValidCondition()), ElementsAre()); }

TEST(Condition, HasBounds) {
  Condition condition = ValidCondition();
  condition.type = std::string(317, 'x');
  condition.status = "true";
  condition.observed_generation = -1;
  condition.reason = "not one word";
  condition.message = std::string(32769, 'x');
  EXPECT_THAT(BadFields(condition),
              ElementsAre("type", "status", "observedGeneration", "reason", "message"));
}

TEST(Condition, RequiresTransitionTimeAndReason) {
  const auto condition =
      schema::Decode<Condition>(R"({"type":"Ready","status":"True"})", {.is_strict = true});
  ASSERT_FALSE(condition);
  std::vector<std::string> fields;
  for (const schema::Problem& problem : condition.error()) fields.push_back(problem.field);
  EXPECT_THAT(fields, ElementsAre("lastTransitionTime", "reason", "message"));
}

TEST(Patterns, AcceptWhatTheirRegularExpressionsAccept) {
  for (const char* name : {"a", "a-b", "a.b-1.c", "0"}) EXPECT_TRUE(IsDnsSubdomain(name)) << name;
  for (const char* name : {"", "-a", "a-", "a..b", ".a", "a.", "A", "a_b", "a/b"})
    EXPECT_FALSE(IsDnsSubdomain(name)) << name;
  for (const char* name : {"Ready", "a", "example.com/Ready", "A_b.c-9", "x/y"})
    EXPECT_TRUE(IsQualifiedName(name)) << name;
  for (const char* name : {"", "/Ready", "a/", "Ab.com/x", "-x", "x_", "a/b/c"})
    EXPECT_FALSE(IsQualifiedName(name)) << name;
  for (const char* reason : {"A", "AllGood", "a_,:b", "A_"})
    EXPECT_TRUE(IsReason(reason)) << reason;
  for (const char* reason : {"", "9a", "A,", "A:", "A b", "_a"})
    EXPECT_FALSE(IsReason(reason)) << reason;
}

TEST(ObjectMeta, KeepsManagedFields) {
  const auto meta = schema::Decode<ObjectMeta>(
      R"({"name":"a","creationTimestamp":null,"managedFields":[{"manager":"m","fieldsV1":{"f:a":{}}}]})",
      {.is_strict = true});
  ASSERT_TRUE(meta) << schema::ToString(meta.error().at(0));
  EXPECT_FALSE(meta->creation_timestamp);
  EXPECT_EQ(schema::Encode(*meta),
            R"({"name":"a","managedFields":[{"manager":"m","fieldsV1":{"f:a":{}}}]})");
}

TEST(LabelSelector, ThatIsAbsentDiffersFromAnEmptyOne) {
  struct Holder {
    std::optional<LabelSelector> selector;
    schema::Extra extra;
    static const schema::Struct& Description() {
      static constexpr schema::Field kFields[] = {
          schema::Member<&Holder::selector>("selector", "Which."),
      };
      static constexpr auto kStruct = schema::Describe<Holder>("Holder", "Holds one.", kFields);
      return kStruct;
    }
  };
  EXPECT_FALSE(schema::Decode<Holder>("{}")->selector);
  EXPECT_TRUE(schema::Decode<Holder>(R"({"selector":{}})")->selector);
  EXPECT_EQ(schema::Encode(Holder{.selector = LabelSelector{}}), R"({"selector":{}})");
}

TEST(Lease, IsExactToTheMicrosecond) {
  Lease lease;
  lease.spec.renew_time = base::Time{1};
  EXPECT_THAT(schema::Encode(lease), HasSubstr(R"("renewTime":"1970-01-01T00:00:00.000001Z")"));
  EXPECT_EQ(schema::Decode<Lease>(schema::Encode(lease))->spec, lease.spec);
}

}  // namespace
}  // namespace berth::api
