// The CustomResourceDefinitions of Kueue's kinds are valid and complete in each version.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <simdjson.h>

#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "api/kueue/well_known.h"
#include "api/meta/registry.h"
#include "schema/crd.h"

namespace berth::api {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsSubsetOf;

struct Version {
  std::string kind;
  std::string name;
  std::set<std::string> fields;    // names of all properties, at any depth
  std::vector<std::string> rules;  // CEL rules
};

void Collect(simdjson::dom::element value, Version& version) {
  if (value.is_array()) {
    for (simdjson::dom::element element : value.get_array()) Collect(element, version);
  }
  if (!value.is_object()) return;
  for (auto [key, child] : value.get_object()) {
    if (key == "properties" && child.is_object()) {
      for (auto [name, _] : child.get_object()) version.fields.emplace(name);
    }
    if (key == "rule" && child.is_string()) version.rules.emplace_back(child.get_string().value());
    Collect(child, version);
  }
}

std::vector<Version> VersionsOf(const schema::Kind& kind) {
  simdjson::dom::parser parser;
  const simdjson::dom::element crd = parser.parse(schema::CustomResourceDefinition(kind));
  std::vector<Version> versions;
  for (simdjson::dom::element version : crd["spec"]["versions"].get_array()) {
    versions.push_back({.kind = std::string(kind.kind),
                        .name = std::string(version["name"].get_string().value()),
                        .fields = {},
                        .rules = {}});
    Collect(version, versions.back());
  }
  return versions;
}

std::vector<Version> AllVersions() {
  std::vector<Version> versions;
  for (const schema::Kind* kind : AllKinds()) {
    if (kind->group != kKueueGroup || kind->plural.empty()) continue;
    for (Version& version : VersionsOf(*kind)) versions.push_back(std::move(version));
  }
  return versions;
}

// The fields in a CEL text: names after a dot that are not calls.
std::set<std::string> FieldsIn(const std::string& rule) {
  std::string text = std::regex_replace(rule, std::regex("'[^']*'"), "");
  static const std::regex kField(R"(\.([A-Za-z][A-Za-z0-9]*)\b(?!\())");
  std::set<std::string> fields;
  for (std::sregex_iterator it(text.begin(), text.end(), kField), end; it != end; ++it)
    fields.insert((*it)[1]);
  return fields;
}

TEST(CrdVersions, AreV1Beta1AndV1Beta2) {
  EXPECT_EQ(AllVersions().size(), 2 * 11u);
  for (const schema::Kind* kind : AllKinds()) {
    if (kind->group != kKueueGroup || kind->plural.empty()) continue;
    std::vector<std::string> names;
    for (const Version& version : VersionsOf(*kind)) names.push_back(version.name);
    EXPECT_THAT(names, ElementsAre("v1beta1", "v1beta2")) << kind->kind;
  }
}

// An API server rejects a definition with a rule that refers to an unknown field.
TEST(CrdVersions, ReferToFieldsOfTheSameVersionOnly) {
  size_t count = 0;
  for (const Version& version : AllVersions()) {
    for (const std::string& rule : version.rules) {
      EXPECT_THAT(FieldsIn(rule), IsSubsetOf(version.fields))
          << version.kind << " " << version.name;
      ++count;
    }
  }
  EXPECT_GT(count, 50u);
}

// The rules of Kueue's v1beta1 about the class that defines the priority.
TEST(CrdVersions, KeepThePriorityClassOfAReservedWorkloadInV1Beta1) {
  for (const Version& version : VersionsOf(*FindKind("kueue.x-k8s.io/v1beta2", "Workload").kind)) {
    if (version.name != "v1beta1") continue;
    EXPECT_THAT(version.rules, Contains(HasSubstr("oldSelf.spec.priorityClassSource == "
                                                  "self.spec.priorityClassSource")));
    EXPECT_THAT(version.rules, Contains(HasSubstr("oldSelf.spec.priorityClassName == "
                                                  "self.spec.priorityClassName")));
  }
}

// kubectl explain shows these texts.
TEST(CrdDescriptions, StateTheRulesOfFieldsThatKueueDoesNotHave) {
  const std::string queue =
      schema::CustomResourceDefinition(*FindKind("kueue.x-k8s.io/v1beta2", "ClusterQueue").kind);
  EXPECT_THAT(queue,
              HasSubstr("in addition to resources.excludeResourcePrefixes of the Configuration"));
  EXPECT_THAT(queue, HasSubstr("matches example.com/gpu and not example.community/gpu"));
  EXPECT_THAT(queue, HasSubstr("the canonical name of the devices of deviceClassNames"));
  EXPECT_THAT(
      schema::CustomResourceDefinition(*FindKind("kueue.x-k8s.io/v1beta2", "Workload").kind),
      HasSubstr("No effect unless the feature gate WorkloadAdmissionConstraints is on"));
}

TEST(CrdVersions, KeepTheFieldNamesOfV1Beta1) {
  const std::map<std::string, std::string> kPreviousFields = {{"ClusterQueue", "cohort"},
                                                              {"LocalQueue", "flavorUsage"},
                                                              {"Workload", "priorityClassSource"},
                                                              {"MultiKueueCluster", "kubeConfig"}};
  size_t count = 0;
  for (const Version& version : AllVersions()) {
    const auto previous = kPreviousFields.find(version.kind);
    if (version.name != "v1beta1" || previous == kPreviousFields.end()) continue;
    EXPECT_THAT(version.fields, Contains(previous->second)) << version.kind;
    ++count;
  }
  EXPECT_EQ(count, kPreviousFields.size());
}

}  // namespace
}  // namespace berth::api
