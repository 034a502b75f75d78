#include "workload/flavor_match.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "schema/decode.h"
#include "workload/testing/pods.h"

namespace berth::workload {
namespace {

using testing::Pod;

FlavorMatcher Flavor(std::string_view json) {
  return FlavorMatcher(schema::Decode<api::ResourceFlavorSpec>(json, {.is_strict = true}).value());
}

FlavorFit FitOf(const FlavorMatcher& flavor, std::string_view pod_json) {
  return flavor.Match(Pod(pod_json)).fit;
}

FlavorFit FitWithToleration(const FlavorMatcher& flavor, std::string_view toleration) {
  return FitOf(flavor, R"({"containers":[],"tolerations":[)" + std::string(toleration) + "]}");
}

// Terms are JSON lists of match expressions.
FlavorFit FitWithTerms(const FlavorMatcher& flavor, const std::vector<std::string>& terms) {
  std::string json;
  for (const std::string& term : terms) {
    json += (json.empty() ? "" : ",") + (R"({"matchExpressions":)" + term + "}");
  }
  return FitOf(flavor,
               R"({"containers":[],"affinity":{"nodeAffinity":
                   {"requiredDuringSchedulingIgnoredDuringExecution":{"nodeSelectorTerms":[)" +
                   json + "]}}}}");
}

TEST(FlavorTaints, MustBeTolerated) {
  const auto flavor = Flavor(R"({"nodeTaints":[{"key":"a","value":"1","effect":"NoSchedule"}]})");
  EXPECT_EQ(FitOf(flavor, R"({"containers":[]})"), FlavorFit::kUntoleratedTaint);
  EXPECT_EQ(FitWithToleration(flavor, R"({"key":"a","value":"1"})"), FlavorFit::kMatch);
  EXPECT_EQ(FitWithToleration(flavor, R"({"key":"a","value":"2"})"), FlavorFit::kUntoleratedTaint);
  EXPECT_EQ(FitWithToleration(flavor, R"({"key":"a","operator":"Exists"})"), FlavorFit::kMatch);
  EXPECT_EQ(FitWithToleration(flavor, R"({"operator":"Exists"})"), FlavorFit::kMatch);
  EXPECT_EQ(FitWithToleration(flavor, R"({"operator":"Exists","effect":"NoExecute"})"),
            FlavorFit::kUntoleratedTaint);
  EXPECT_EQ(FitWithToleration(flavor, R"({"operator":"Equal","value":"1"})"), FlavorFit::kMatch);
  EXPECT_EQ(FitWithToleration(flavor, R"({"key":"a","operator":"exists"})"),
            FlavorFit::kUntoleratedTaint);
}

TEST(FlavorTaints, ThatOnlyAdviseDoNotCount) {
  EXPECT_EQ(FitOf(Flavor(R"({"nodeTaints":[{"key":"a","effect":"PreferNoSchedule"}]})"),
                  R"({"containers":[]})"),
            FlavorFit::kMatch);
}

TEST(FlavorTaints, AreToleratedByTheFlavorsOwnTolerations) {
  EXPECT_EQ(FitOf(Flavor(R"({"nodeTaints":[{"key":"a","effect":"NoExecute"}],
                             "tolerations":[{"key":"a","operator":"Exists"}]})"),
                  R"({"containers":[]})"),
            FlavorFit::kMatch);
}

TEST(FlavorTaints, AreComparedAsNumbersByGtAndLt) {
  const auto flavor = Flavor(R"({"nodeTaints":[{"key":"a","value":"10","effect":"NoSchedule"}]})");
  const auto fits = [&](std::string_view op, std::string_view value) {
    return FitWithToleration(flavor, R"({"key":"a","operator":")" + std::string(op) +
                                         R"(","value":")" + std::string(value) + "\"}") ==
           FlavorFit::kMatch;
  };
  EXPECT_TRUE(fits("Gt", "9"));
  EXPECT_TRUE(fits("Gt", "-1"));
  EXPECT_FALSE(fits("Gt", "10"));
  EXPECT_TRUE(fits("Lt", "11"));
  EXPECT_FALSE(fits("Lt", "9"));
  EXPECT_FALSE(fits("Lt", "011"));
  EXPECT_FALSE(fits("Lt", "+11"));
  EXPECT_FALSE(fits("Gt", "-0"));
  EXPECT_FALSE(fits("Gt", ""));
  EXPECT_FALSE(fits("Gt", "x"));
}

TEST(FlavorVerdict, NamesTheFirstPodAndItsTaint) {
  const auto flavor = Flavor(R"({"nodeTaints":[{"key":"a","value":"1","effect":"NoSchedule"},
                                               {"key":"b","effect":"NoExecute"}]})");
  const auto tolerant = Pod(R"({"containers":[],"tolerations":[{"operator":"Exists"}]})");
  const auto half = Pod(R"({"containers":[],"tolerations":[{"key":"a","operator":"Exists"}]})");
  const api::PodSpec* pods[] = {&tolerant, &half, &half};
  const FlavorVerdict verdict = flavor.Match(pods);
  EXPECT_EQ(verdict.fit, FlavorFit::kUntoleratedTaint);
  EXPECT_EQ(verdict.pod, 1u);
  EXPECT_EQ(TaintText(*verdict.taint), "{b  NoExecute <nil>}");
}

TEST(NodeSelector, IsAboutLabelsOfThisFlavorOnly) {
  const auto flavor = Flavor(R"({"nodeLabels":{"a":"1"}})");
  EXPECT_EQ(FitOf(flavor, R"({"containers":[],"nodeSelector":{"a":"1","z":"9"}})"),
            FlavorFit::kMatch);
  EXPECT_EQ(FitOf(flavor, R"({"containers":[],"nodeSelector":{"a":"2"}})"), FlavorFit::kAffinity);
  EXPECT_EQ(FitOf(Flavor("{}"), R"({"containers":[],"nodeSelector":{"a":"2"}})"),
            FlavorFit::kMatch);
}

TEST(RequiredNodeAffinity, NeedsOneTermOfWhichAllExpressionsHold) {
  const auto flavor = Flavor(R"({"nodeLabels":{"a":"1","b":"7"}})");
  const std::string a1 = R"({"key":"a","operator":"In","values":["1","3"]})";
  const std::string a2 = R"({"key":"a","operator":"In","values":["2"]})";
  EXPECT_EQ(FitWithTerms(flavor, {"[" + a2 + "]", "[" + a1 + "]"}), FlavorFit::kMatch);
  EXPECT_EQ(FitWithTerms(flavor, {"[" + a1 + "," + a2 + "]"}), FlavorFit::kAffinity);
  EXPECT_EQ(FitWithTerms(flavor, {}), FlavorFit::kMatch);
}

TEST(RequiredNodeAffinity, KnowsAllOperators) {
  const auto flavor = Flavor(R"({"nodeLabels":{"a":"7"}})");
  const auto fit = [&](std::string_view op, std::string_view values) {
    return FitWithTerms(flavor, {R"([{"key":"a","operator":")" + std::string(op) +
                                 R"(","values":)" + std::string(values) + "}]"});
  };
  EXPECT_EQ(fit("NotIn", R"(["1"])"), FlavorFit::kMatch);
  EXPECT_EQ(fit("NotIn", R"(["7"])"), FlavorFit::kAffinity);
  EXPECT_EQ(fit("Exists", "[]"), FlavorFit::kMatch);
  EXPECT_EQ(fit("DoesNotExist", "[]"), FlavorFit::kAffinity);
  EXPECT_EQ(fit("Gt", R"(["6"])"), FlavorFit::kMatch);
  EXPECT_EQ(fit("Gt", R"(["7"])"), FlavorFit::kAffinity);
  EXPECT_EQ(fit("Lt", R"(["08"])"), FlavorFit::kMatch);
}

TEST(RequiredNodeAffinity, IsIgnoredIfATermHasNoLabelOfThisFlavor) {
  const auto flavor = Flavor(R"({"nodeLabels":{"a":"1"}})");
  const std::string other = R"([{"key":"z","operator":"In","values":["1"]}])";
  const std::string wrong = R"([{"key":"a","operator":"In","values":["2"]}])";
  EXPECT_EQ(FitWithTerms(flavor, {wrong, other}), FlavorFit::kMatch);
  EXPECT_EQ(FitOf(flavor, R"({"containers":[],"affinity":{"nodeAffinity":
      {"requiredDuringSchedulingIgnoredDuringExecution":{"nodeSelectorTerms":[
        {"matchFields":[{"key":"metadata.name","operator":"In","values":["n"]}]}]}}}})"),
            FlavorFit::kMatch);
}

TEST(RequiredNodeAffinity, IsMalformedOnlyIfNoTermHolds) {
  const auto flavor = Flavor(R"({"nodeLabels":{"a":"1"}})");
  const std::string good = R"([{"key":"a","operator":"Exists"}])";
  const std::string wrong = R"([{"key":"a","operator":"DoesNotExist"}])";
  for (const std::string expression :
       {R"({"key":"a","operator":"Gt","values":["x"]})",
        R"({"key":"a","operator":"Gt","values":["1","2"]})", R"({"key":"a","operator":"In"})",
        R"({"key":"a","operator":"Exists","values":["1"]})",
        R"({"key":"a","operator":"in","values":["1"]})",
        R"({"key":"a","operator":"NotIn","values":["no good"]})"}) {
    const std::string bad = "[" + expression + "]";
    EXPECT_EQ(FitWithTerms(flavor, {wrong, bad}), FlavorFit::kMalformedAffinity) << bad;
    EXPECT_EQ(FitWithTerms(flavor, {bad, good}), FlavorFit::kMatch) << bad;
  }
}

TEST(PreferredNodeAffinity, DoesNotMatter) {
  EXPECT_EQ(FitOf(Flavor(R"({"nodeLabels":{"a":"1"}})"),
                  R"({"containers":[],"affinity":{"nodeAffinity":
                      {"preferredDuringSchedulingIgnoredDuringExecution":[{"weight":1,
                        "preference":{"matchExpressions":[
                          {"key":"a","operator":"DoesNotExist"}]}}]}}})"),
            FlavorFit::kMatch);
}

}  // namespace
}  // namespace berth::workload
