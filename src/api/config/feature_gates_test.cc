#include "api/config/feature_gates.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

namespace berth::api {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;

schema::Problems ProblemsOf(const FeatureGatesResult& result) {
  return result ? schema::Problems() : result.error();
}

TEST(FeatureGateDefaults, BerthsOwnGatesAreAlphaAndOff) {
  for (Gate gate : {Gate::kClusterQueueResourceExclusion, Gate::kQuotaCheck,
                    Gate::kKueueDynamicResourceAllocation, Gate::kWorkloadAdmissionConstraints}) {
    EXPECT_EQ(InfoOf(gate).stage, GateStage::kAlpha) << InfoOf(gate).name;
    EXPECT_FALSE(FeatureGates().IsOn(gate)) << InfoOf(gate).name;
  }
}

TEST(FeatureGateDefaults, MatchKueue) {
  EXPECT_TRUE(FeatureGates().IsOn(Gate::kTopologyAwareScheduling));
  EXPECT_TRUE(FeatureGates().IsOn(Gate::kElasticJobsViaWorkloadSlices));
  EXPECT_FALSE(FeatureGates().IsOn(Gate::kConcurrentAdmission));
  EXPECT_FALSE(FeatureGates().IsOn(Gate::kTASReplaceNodeDueToNotReadyOverFixedTime));
}

TEST(FeatureGateDefaults, QueueNamesCountEverywhereUnlessTheGateIsSet) {
  EXPECT_FALSE(FeatureGates().IsOn(Gate::kManagedJobsNamespaceSelectorAlwaysRespected));
  const auto set = ParseFeatureGates("ManagedJobsNamespaceSelectorAlwaysRespected=true");
  ASSERT_TRUE(set);
  EXPECT_TRUE(set->IsOn(Gate::kManagedJobsNamespaceSelectorAlwaysRespected));
}

TEST(FeatureGateDefaults, NeedEachOtherConsistently) {
  EXPECT_THAT(ProblemsOf(ReadFeatureGates({})), ElementsAre());
}

TEST(FeatureGateLookup, FindsEveryGateByItsName) {
  for (const GateInfo& info : AllGates()) EXPECT_EQ(FindGate(info.name), &info);
  EXPECT_EQ(FindGate("NoSuchGate"), nullptr);
  EXPECT_EQ(FindGate(""), nullptr);
}

TEST(FeatureGateSettings, OfTheConfigurationOverrideDefaults) {
  const auto gates = ReadFeatureGates({{"QuotaCheck", true}, {"MultiKueue", false}});
  ASSERT_TRUE(gates);
  EXPECT_TRUE(gates->IsOn(Gate::kQuotaCheck));
  EXPECT_FALSE(gates->IsOn(Gate::kMultiKueue));
  EXPECT_TRUE(gates->IsOn(Gate::kReclaimablePods));
}

TEST(FeatureGateSettings, OfTheCommandLineAreReadAsGoReadsThem) {
  const auto gates = ParseFeatureGates(" QuotaCheck = t , MultiKueue=0,,QuotaCheck=True");
  ASSERT_TRUE(gates);
  EXPECT_TRUE(gates->IsOn(Gate::kQuotaCheck));
  EXPECT_FALSE(gates->IsOn(Gate::kMultiKueue));
}

TEST(FeatureGateSettings, OfAStageAreOverriddenBySingleGates) {
  const auto gates = ReadFeatureGates({{"AllAlpha", true}, {"QuotaCheck", false}});
  ASSERT_TRUE(gates);
  EXPECT_TRUE(gates->IsOn(Gate::kConcurrentAdmission));
  EXPECT_FALSE(gates->IsOn(Gate::kQuotaCheck));
}

TEST(FeatureGateSettings, OfAnUnknownGateAreRejectedWithTheLikelyName) {
  EXPECT_THAT(
      ProblemsOf(ParseFeatureGates("QuotaChek=true")),
      ElementsAre(AllOf(Field(&schema::Problem::field, "featureGates[QuotaChek]"),
                        Field(&schema::Problem::hint, HasSubstr("did you mean \"QuotaCheck\"?")))));
}

TEST(FeatureGateSettings, ThatAreMalformedAreRejectedWithAHint) {
  for (const char* text : {"QuotaCheck", "QuotaCheck=", "QuotaCheck=yes"}) {
    EXPECT_THAT(
        ProblemsOf(ParseFeatureGates(text)),
        ElementsAre(Field(&schema::Problem::hint, "write QuotaCheck=true or QuotaCheck=false")))
        << text;
  }
}

TEST(FeatureGateSettings, CannotUnlockALockedGate) {
  EXPECT_TRUE(ParseFeatureGates("TLSOptions=true"));
  EXPECT_THAT(ProblemsOf(ParseFeatureGates("TLSOptions=false")),
              ElementsAre(Field(&schema::Problem::message, "TLSOptions is always on")));
}

TEST(FeatureGateSettings, CannotDisableARequiredGate) {
  EXPECT_THAT(ProblemsOf(ParseFeatureGates("FlavorFungibility=false")),
              ElementsAre(Field(&schema::Problem::hint,
                                "set FlavorFungibility=true or "
                                "FlavorFungibilityPreserveScanProgress=false")));
  EXPECT_TRUE(
      ParseFeatureGates("FlavorFungibility=false,FlavorFungibilityPreserveScanProgress=false"));
}

TEST(FeatureGateSettings, ComeFromOnePlaceOnly) {
  EXPECT_TRUE(ChooseFeatureGates("", {{"QuotaCheck", true}})->IsOn(Gate::kQuotaCheck));
  EXPECT_TRUE(ChooseFeatureGates("QuotaCheck=true", {})->IsOn(Gate::kQuotaCheck));
  EXPECT_THAT(ProblemsOf(ChooseFeatureGates("QuotaCheck=true", {{"MultiKueue", true}})),
              ElementsAre(Field(&schema::Problem::field, "featureGates")));
}

// --- Effects ------------------------------------------------------------------------------------

bool IsTestSource(const std::filesystem::path& path) {
  const std::string stem = path.stem().string();
  return stem.ends_with("_test") || stem.ends_with("_bench") || stem.ends_with("_fuzz") ||
         path.string().contains("/testing/");
}

// The code of a source, without comments and spaces.
std::string CodeOf(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::string code;
  for (std::string line; std::getline(file, line);) {
    line.resize(std::min(line.find("//"), line.size()));
    std::erase(line, ' ');
    code += line;
  }
  return code;
}

// Adds the names in all `IsOn(Gate::kName)` of the code.
void AddReads(std::string_view code, std::set<std::string, std::less<>>& names) {
  constexpr std::string_view kRead = "IsOn(", kScope = "api::", kGate = "Gate::k";
  for (size_t at = 0; (at = code.find(kRead, at)) != code.npos;) {
    at += kRead.size();
    std::string_view rest = code.substr(at);
    if (rest.starts_with(kScope)) rest.remove_prefix(kScope.size());
    if (!rest.starts_with(kGate)) continue;
    rest.remove_prefix(kGate.size());
    names.emplace(rest.substr(0, rest.find(')')));
  }
}

// A gate that is accepted acts, or its row says why there is nothing to switch.
TEST(FeatureGateEffects, AreReadSomewhereUnlessTheTableSaysWhyNot) {
  std::set<std::string, std::less<>> read;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(BERTH_SOURCE_DIR "/src")) {
    const auto extension = entry.path().extension();
    if ((extension == ".cc" || extension == ".h") && !IsTestSource(entry.path()))
      AddReads(CodeOf(entry.path()), read);
  }
  for (const GateInfo& info : AllGates()) {
    if (info.no_effect_reason.empty()) {
      EXPECT_TRUE(read.contains(info.name))
          << info.name << " is accepted and nothing reads it: implement it, or state in "
          << "gate_table.cc why it switches nothing";
    } else {
      EXPECT_FALSE(read.contains(info.name))
          << info.name << " is read, and gate_table.cc states: " << info.no_effect_reason;
    }
  }
}

TEST(FeatureGateEffects, AreDescribedInOneSentence) {
  for (const GateInfo& info : AllGates()) EXPECT_TRUE(info.doc.ends_with('.')) << info.name;
}

}  // namespace
}  // namespace berth::api
