#include "apiserver/crd/structural.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apiserver/apply/apply.h"

namespace berth::apiserver {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

json::value Tree(std::string_view text) {
  const auto parsed = json::Parse(text);
  EXPECT_TRUE(parsed) << text;
  return parsed.value_or(json::value());
}

StructuralSchema SchemaFrom(std::string_view text) {
  return StructuralSchema(std::make_shared<const json::value>(Tree(text)));
}

// "cause field: message" for each problem.
std::vector<std::string> Lines(const schema::Problems& problems) {
  std::vector<std::string> lines;
  for (const auto& p : problems) {
    lines.push_back(std::string(CauseOf(p.type)) + " " + p.field + ": " + p.message);
  }
  return lines;
}

std::vector<std::string> Check(std::string_view schema) {
  return Lines(CheckStructural(Tree(schema), "schema"));
}

std::vector<std::string> Validated(std::string_view schema, std::string_view object) {
  return Lines(SchemaFrom(schema).Validate(Tree(object)));
}

// Validates a value against the schema of the single field spec.
std::vector<std::string> Spec(std::string_view schema, std::string_view value) {
  return Validated(R"({"type":"object","properties":{"spec":)" + std::string(schema) + "}}",
                   R"({"spec":)" + std::string(value) + "}");
}

TEST(StructuralSchemas, SpecifyEveryType) {
  EXPECT_THAT(Check(R"({"type":"object","properties":{"a":{},"l":{"type":"array"},
                        "m":{"type":"array","items":{}},"n":{"type":"text"}}})"),
              ElementsAre("FieldValueRequired schema.properties[a].type: must not be empty for "
                          "specified object fields",
                          "FieldValueRequired schema.properties[l].items: must be specified",
                          "FieldValueRequired schema.properties[m].items.type: must not be empty "
                          "for specified array items",
                          "FieldValueNotSupported schema.properties[n].type: \"text\" is not one "
                          "of array, boolean, integer, number, object and string"));
  EXPECT_THAT(Check(R"({"properties":{}})"),
              ElementsAre("FieldValueRequired schema.type: must not be empty at the root"));
  EXPECT_THAT(Check(R"({"type":"string"})"),
              ElementsAre("FieldValueInvalid schema.type: must be object at the root"));
  EXPECT_THAT(Check(R"({"type":"object","properties":{
                "a":{"x-kubernetes-int-or-string":true,"anyOf":[{"type":"integer"},{"type":"string"}]},
                "b":{"x-kubernetes-preserve-unknown-fields":true}}})"),
              IsEmpty());
}

TEST(StructuralSchemas, OnlyRestrictInCombinations) {
  EXPECT_THAT(
      Check(R"({"type":"object","anyOf":[{"type":"object","description":"d","required":["a"]}],
                        "not":{"default":1,"nullable":true}})"),
      ElementsAre("FieldValueForbidden schema.anyOf[0].description: must be empty to be "
                  "structural",
                  "FieldValueForbidden schema.anyOf[0].type: must be empty to be structural",
                  "FieldValueForbidden schema.not.default: must be undefined to be "
                  "structural",
                  "FieldValueForbidden schema.not.nullable: must be false to be "
                  "structural"));
}

TEST(StructuralSchemas, NameTheKeysOfLists) {
  EXPECT_THAT(
      Check(R"({"type":"object","properties":{
        "a":{"type":"array","items":{"type":"object"},"x-kubernetes-list-type":"map"},
        "b":{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["k"],
             "items":{"type":"object","properties":{"k":{"type":"string"}}}},
        "c":{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["k"],
             "items":{"type":"object","required":["k"],"properties":{"k":{"type":"string"}}}},
        "d":{"type":"object","x-kubernetes-list-type":"bag"}}})"),
      ElementsAre(
          "FieldValueRequired schema.properties[a].x-kubernetes-list-map-keys: must not be empty "
          "if "
          "x-kubernetes-list-type is map",
          "FieldValueRequired schema.properties[b].items.properties[k].default: this property is "
          "in "
          "x-kubernetes-list-map-keys, so it must have a default or be a required property",
          "FieldValueInvalid schema.properties[d].type: must be array if x-kubernetes-list-type is "
          "specified",
          "FieldValueNotSupported schema.properties[d].x-kubernetes-list-type: \"bag\" is not one "
          "of atomic, set and map"));
}

TEST(StructuralSchemas, OmitForbiddenFields) {
  EXPECT_THAT(
      Check(R"({"type":"object","additionalProperties":{"type":"string"},
                        "properties":{"a":{"type":"string","pattern":"("},
                                      "metadata":{"type":"object","properties":{"labels":{
                                        "type":"object"}}},
                                      "r":{"type":"object","$ref":"x"}}})"),
      ElementsAre("FieldValueForbidden schema.additionalProperties: must not be used at the "
                  "root",
                  "FieldValueForbidden schema.additionalProperties: additionalProperties "
                  "and properties are mutual exclusive",
                  "FieldValueInvalid schema.properties[a].pattern: must be a valid regular "
                  "expression, but isn't: missing ): (",
                  "FieldValueForbidden schema.properties[metadata]: must not specify "
                  "anything other than name and generateName, but metadata is implicitly "
                  "specified",
                  "FieldValueForbidden schema.properties[r].$ref: $ref is not supported"));
  EXPECT_THAT(Check("null"),
              ElementsAre("FieldValueRequired schema: a version must have a schema"));
}

TEST(Pruning, RemovesUnknownFields) {
  const StructuralSchema schema =
      SchemaFrom(R"({"type":"object","properties":{"spec":{"type":"object",
      "properties":{"a":{"type":"string"},
                    "l":{"type":"array","items":{"type":"object","properties":{"b":{"type":"string"}}}},
                    "m":{"type":"object","additionalProperties":{"type":"object","properties":{
                         "c":{"type":"string"}}}},
                    "any":{"type":"object","x-kubernetes-preserve-unknown-fields":true,
                           "properties":{"t":{"type":"object"}}},
                    "e":{"type":"object","x-kubernetes-embedded-resource":true,
                         "properties":{"spec":{"type":"object"}}}}}}})");
  json::value object =
      Tree(R"({"apiVersion":"v1","kind":"K","metadata":{"name":"n","x":1},"other":1,
      "spec":{"a":"1","z":1,"l":[{"b":"1","y":2}],"m":{"k":{"c":"1","d":"2"}},
              "any":{"x":{"y":1},"t":{"u":1}},
              "e":{"apiVersion":"v1","kind":"K","metadata":{"q":1},"spec":{"r":1},"status":{}}}})");
  EXPECT_THAT(schema.Prune(object),
              ElementsAre("other", "spec.any.t.u", "spec.e.spec.r", "spec.e.status", "spec.l[0].y",
                          "spec.m.k.d", "spec.z"));
  EXPECT_EQ(object, Tree(R"({"apiVersion":"v1","kind":"K","metadata":{"name":"n","x":1},
      "spec":{"a":"1","l":[{"b":"1"}],"m":{"k":{"c":"1"}},"any":{"x":{"y":1},"t":{}},
              "e":{"apiVersion":"v1","kind":"K","metadata":{"q":1},"spec":{}}}})"));
}

TEST(Pruning, KeepsEverythingWithoutASchema) {
  json::value object = Tree(R"({"spec":{"a":[{"b":1}]}})");
  EXPECT_THAT(StructuralSchema(nullptr).Prune(object), IsEmpty());
  EXPECT_EQ(object, Tree(R"({"spec":{"a":[{"b":1}]}})"));
}

TEST(Defaulting, FillsInAbsentFieldsAtEveryDepth) {
  const StructuralSchema schema = SchemaFrom(R"({"type":"object","properties":{
      "spec":{"type":"object","default":{},"properties":{
        "n":{"type":"integer","default":3},
        "l":{"type":"array","items":{"type":"object","properties":{"p":{"type":"string","default":"TCP"}}}},
        "m":{"type":"object","additionalProperties":{"type":"object","properties":{
             "d":{"type":"boolean","default":true}}}}}}}})");
  json::value object = Tree("{}");
  ASSERT_TRUE(schema.Default(object, 1000));
  EXPECT_EQ(object, Tree(R"({"spec":{"n":3}})"));
  object = Tree(R"({"spec":{"n":0,"l":[{},{"p":"UDP"}],"m":{"k":{}}}})");
  ASSERT_TRUE(schema.Default(object, 1000));
  EXPECT_EQ(object, Tree(R"({"spec":{"n":0,"l":[{"p":"TCP"},{"p":"UDP"}],"m":{"k":{"d":true}}}})"));
}

TEST(Defaulting, TreatsForbiddenNullsAsAbsent) {
  const StructuralSchema schema = SchemaFrom(R"({"type":"object","properties":{
      "a":{"type":"string","default":"x"},"b":{"type":"string"},
      "c":{"type":"string","nullable":true,"default":"x"}}})");
  json::value object = Tree(R"({"a":null,"b":null,"c":null})");
  ASSERT_TRUE(schema.Default(object, 1000));
  EXPECT_EQ(object, Tree(R"({"a":"x","c":null})"));
}

TEST(Values, HaveTheTypeOfTheirField) {
  EXPECT_THAT(Spec(R"({"type":"string"})", "1"),
              ElementsAre("FieldValueTypeInvalid spec: must be of type string, not integer"));
  EXPECT_THAT(Spec(R"({"type":"integer"})", "1.5"),
              ElementsAre("FieldValueTypeInvalid spec: must be of type integer, not number"));
  EXPECT_THAT(Spec(R"({"type":"integer"})", "2.0"), IsEmpty());
  EXPECT_THAT(Spec(R"({"type":"number"})", "1"), IsEmpty());
  EXPECT_THAT(Spec(R"({"type":"object"})", "null"),
              ElementsAre("FieldValueTypeInvalid spec: must be of type object, not null"));
  EXPECT_THAT(Spec(R"({"type":"object","nullable":true})", "null"), IsEmpty());
  EXPECT_THAT(Spec(R"({"x-kubernetes-int-or-string":true})", "\"25%\""), IsEmpty());
  EXPECT_THAT(Spec(R"({"x-kubernetes-int-or-string":true})", "true"),
              ElementsAre("FieldValueTypeInvalid spec: must be of type integer or string, not "
                          "boolean"));
}

TEST(Values, StayWithinTheirBounds) {
  EXPECT_THAT(Spec(R"({"type":"integer","minimum":1,"maximum":5})", "0"),
              ElementsAre("FieldValueInvalid spec: should be greater than or equal to 1, not 0"));
  EXPECT_THAT(Spec(R"({"type":"integer","maximum":5,"exclusiveMaximum":true})", "5"),
              ElementsAre("FieldValueInvalid spec: should be less than 5, not 5"));
  EXPECT_THAT(Spec(R"({"type":"integer","format":"int32"})", "3000000000"),
              ElementsAre("FieldValueInvalid spec: 3000000000 does not fit in int32"));
  EXPECT_THAT(Spec(R"({"type":"number","multipleOf":0.5})", "0.7"),
              ElementsAre("FieldValueInvalid spec: should be a multiple of 0.5"));
  EXPECT_THAT(Spec(R"({"type":"string","maxLength":2})", "\"äöü\""),
              ElementsAre("FieldValueTooLong spec: may not be more than 2 characters long, it has "
                          "3"));
  EXPECT_THAT(Spec(R"({"type":"string","minLength":1})", "\"\""),
              ElementsAre("FieldValueInvalid spec: should be at least 1 chars long"));
  EXPECT_THAT(Spec(R"({"type":"array","maxItems":1,"items":{"type":"string"}})", R"(["a","b"])"),
              ElementsAre("FieldValueTooMany spec: must have at most 1 items, it has 2"));
  EXPECT_THAT(Spec(R"({"type":"object","minProperties":1})", "{}"),
              ElementsAre("FieldValueInvalid spec: should have at least 1 properties"));
}

TEST(Values, MatchPatternsEnumsAndFormats) {
  EXPECT_THAT(Spec(R"({"type":"string","pattern":"^[a-z]+$"})", "\"A\""),
              ElementsAre("FieldValueInvalid spec: \"A\" should match '^[a-z]+$'"));
  EXPECT_THAT(Spec(R"({"type":"string","enum":["a","b"]})", "\"c\""),
              ElementsAre("FieldValueNotSupported spec: \"c\" is not one of \"a\", \"b\""));
  struct Format {
    std::string_view name, good, bad;
  };
  for (const auto& [name, good, bad] :
       {Format{"date-time", "2026-01-02T03:04:05Z", "2026-01-02"},
        Format{"date", "2026-01-02", "2026-13-02"}, Format{"duration", "1h30m", "1 hour"},
        Format{"uuid", "6ba7b810-9dad-11d1-80b4-00c04fd430c8", "x"},
        Format{"email", "a@b.example", "a@"}, Format{"hostname", "a.example", "-a"},
        Format{"ipv4", "10.0.0.1", "10.0.0"}, Format{"ipv6", "::1", "10.0.0.1"},
        Format{"cidr", "10.0.0.0/8", "10.0.0.0/33"}, Format{"mac", "00:11:22:33:44:55", "00:11"},
        Format{"uri", "https://a.example/x", "a b"}, Format{"byte", "aGk=", "aGk"}}) {
    const std::string schema = R"({"type":"string","format":")" + std::string(name) + "\"}";
    EXPECT_THAT(Spec(schema, "\"" + std::string(good) + "\""), IsEmpty()) << name;
    EXPECT_EQ(Spec(schema, "\"" + std::string(bad) + "\"").size(), 1u) << name;
  }
  EXPECT_THAT(Spec(R"({"type":"string","format":"whatever"})", "\"x\""), IsEmpty());
}

TEST(Values, HaveTheirRequiredFieldsAndUniqueElements) {
  EXPECT_THAT(Spec(R"({"type":"object","required":["a","b"],"properties":{"a":{"type":"string"}}})",
                   R"({"a":"x"})"),
              ElementsAre("FieldValueRequired spec.b: this field is required"));
  EXPECT_THAT(Spec(R"({"type":"array","items":{"type":"string"},"x-kubernetes-list-type":"set"})",
                   R"(["a","b","a"])"),
              ElementsAre("FieldValueDuplicate spec[2]: \"a\" is in the list already"));
  EXPECT_THAT(Spec(R"({"type":"array","items":{"type":"object"},"x-kubernetes-list-type":"map",
                       "x-kubernetes-list-map-keys":["k"]})",
                   R"([{"k":1},{"k":1,"v":2},{"k":2}])"),
              ElementsAre("FieldValueDuplicate spec[1]: {\"k\":1,\"v\":2} is in the list already"));
}

TEST(Values, SatisfyCombinations) {
  constexpr std::string_view kEither =
      R"({"type":"object","oneOf":[{"required":["a"]},{"required":["b"]}]})";
  EXPECT_THAT(Spec(kEither, R"({"a":1})"), IsEmpty());
  EXPECT_THAT(Spec(kEither, R"({"a":1,"b":1})"),
              ElementsAre("FieldValueInvalid spec: must validate one and only one schema (oneOf)"));
  EXPECT_THAT(Spec(R"({"type":"integer","anyOf":[{"maximum":1},{"minimum":5}]})", "3"),
              ElementsAre("FieldValueInvalid spec: must validate at least one schema (anyOf)"));
  EXPECT_THAT(Spec(R"({"type":"integer","allOf":[{"maximum":1}]})", "3"),
              ElementsAre("FieldValueInvalid spec: should be less than or equal to 1, not 3"));
  EXPECT_THAT(Spec(R"({"type":"string","not":{"enum":["x"]}})", "\"x\""),
              ElementsAre("FieldValueInvalid spec: must not validate the schema (not)"));
}

TEST(Values, NameFieldsElementsAndKeysInPaths) {
  EXPECT_THAT(Spec(R"({"type":"object","properties":{"l":{"type":"array","items":{"type":"object",
                       "additionalProperties":{"type":"string"}}}}})",
                   R"({"l":[{},{"k/x":1}]})"),
              ElementsAre("FieldValueTypeInvalid spec.l[1][k/x]: must be of type string, not "
                          "integer"));
}

TEST(Values, ThatAreEmbeddedResourcesHaveAKind) {
  EXPECT_THAT(Spec(R"({"type":"object","x-kubernetes-embedded-resource":true,
                       "x-kubernetes-preserve-unknown-fields":true})",
                   R"({"kind":"K","metadata":{"name":7}})"),
              ElementsAre("FieldValueRequired spec.apiVersion: must not be empty"));
}

TEST(StructuralOwnership, FollowsTheListTypesOfTheDefinition) {
  const auto openapi = std::make_shared<const json::value>(Tree(R"({"type":"object","properties":{
      "spec":{"type":"object","properties":{
        "workers":{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["name"],
          "items":{"type":"object","properties":{"name":{"type":"string"},"n":{"type":"integer"}}}},
        "tags":{"type":"array","x-kubernetes-list-type":"set","items":{"type":"string"}},
        "args":{"type":"array","items":{"type":"string"}},
        "sel":{"type":"object","x-kubernetes-map-type":"atomic","additionalProperties":{"type":"string"}},
        "any":{"type":"object","x-kubernetes-preserve-unknown-fields":true}}}}})"));
  const StructuralSchemaView schema(openapi);
  const auto result = Apply(
      schema, nullptr,
      Tree(R"({"apiVersion":"x.example/v1","kind":"K","metadata":{"name":"n","labels":{"a":"1"}},
                     "spec":{"workers":[{"name":"w","n":1}],"tags":["t"],"args":["x"],
                             "sel":{"s":"1"},"any":{"o":{"p":1},"q":[1]}}})"),
      {.manager = "ann", .api_version = "x.example/v1", .now = {}}, false);
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->at("metadata").at("managedFields").at(0).at("fieldsV1"),
            Tree(R"({"f:metadata":{"f:labels":{"f:a":{}}},"f:spec":{
                     "f:any":{"f:o":{".":{},"f:p":{}},"f:q":{}},
                     "f:args":{},"f:sel":{},"f:tags":{"v:\"t\"":{}},
                     "f:workers":{"k:{\"name\":\"w\"}":{".":{},"f:n":{},"f:name":{}}}}})"));
  const auto unknown =
      Apply(schema, nullptr, Tree(R"({"apiVersion":"x.example/v1","kind":"K","spec":{"zz":1}})"),
            {.manager = "ann", .api_version = "x.example/v1", .now = {}}, false);
  ASSERT_FALSE(unknown);
  EXPECT_THAT(unknown.error().message,
              ::testing::HasSubstr(".spec.zz: field not declared in schema"));
}

}  // namespace
}  // namespace berth::apiserver
