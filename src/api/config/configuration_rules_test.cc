#include "api/config/configuration_rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/config/integration_names.h"
#include "api/testing/rule_cases.h"

namespace berth::api {
namespace {

using testing::Case;
using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using testing::FaultsOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::Read;

// A configuration with defaults; `parts` begins with a comma or is empty.
Configuration With(const std::string& parts) {
  auto configuration = Read<Configuration>("{'namespace':'kueue-system'" + parts + "}");
  ApplyConfigurationDefaults(configuration);
  return configuration;
}

FeatureGates Gates(Gate gate) {
  FeatureGates gates;
  gates.Set(gate, true);
  return gates;
}

std::vector<std::string> Faults(const Configuration& configuration,
                                const FeatureGates& gates = {}) {
  const schema::Problems problems = ValidateConfiguration(configuration, gates);
  for (const schema::Problem& problem : problems) {
    EXPECT_TRUE(testing::SaysWhatToWrite(problem)) << schema::ToString(problem);
  }
  return FaultsOf(problems);
}

const std::string kCounterSelector =
    "resources.deviceClassMappings[0].sources[2].counter.deviceSelector.cel.expression";
const std::string kInteractiveMode =
    "multiKueue.clusterProfile.accessProviders.execConfig.interactiveMode";

class ConfigurationRule : public ::testing::TestWithParam<Case> {};

TEST_P(ConfigurationRule, Holds) {
  EXPECT_THAT(Faults(With(GetParam().object)), ElementsAreArray(GetParam().faults))
      << GetParam().rule;
}

INSTANTIATE_TEST_SUITE_P(
    OfJobs, ConfigurationRule,
    ::testing::Values(
        Case{"the defaults are accepted", "", {}},
        Case{"frameworks are known, each once",
             ",'integrations':{'frameworks':['batch/job','batch/jobs','batch/job']}",
             {"integrations.frameworks[1]: NotSupported", "integrations.frameworks[2]: Duplicate"}},
        Case{"external frameworks are unmanaged kinds",
             ",'integrations':{'externalFrameworks':['Foo.v1.x.com','Foo','Job.v1.batch']}",
             {"integrations.externalFrameworks[1]: Invalid",
              "integrations.externalFrameworks[2]: Duplicate"}},
        Case{"the selector leaves the system alone",
             ",'managedJobsNamespaceSelector':{'matchExpressions':[{'key':"
             "'kubernetes.io/metadata.name','operator':'NotIn','values':['kube-system']}]}",
             {"managedJobsNamespaceSelector: Invalid"}},
        Case{"the selector is one",
             ",'managedJobsNamespaceSelector':{'matchExpressions':[{'key':'a','operator':'In'}]}",
             {"managedJobsNamespaceSelector.matchExpressions[0].values: Required"}},
        Case{"the selectors of podOptions are some",
             ",'integrations':{'podOptions':{'podSelector':{'matchLabels':{'a b':''}},"
             "'namespaceSelector':{}}}",
             {"integrations.podOptions.podSelector.matchLabels: Invalid"}}));

INSTANTIATE_TEST_SUITE_P(
    OfPolicies, ConfigurationRule,
    ::testing::Values(
        Case{"times are not negative",
             ",'waitForPodsReady':{'timeout':'-1s','recoveryTimeout':'-1s'},"
             "'multiKueue':{'gcInterval':'-1s','workerLostTimeout':'-1s'},"
             "'objectRetentionPolicies':{'workloads':{'afterFinished':'-1s',"
             "'afterDeactivatedByKueue':'-1s'}}",
             {"waitForPodsReady.timeout: Invalid", "waitForPodsReady.recoveryTimeout: Invalid",
              "multiKueue.gcInterval: Invalid", "multiKueue.workerLostTimeout: Invalid",
              "objectRetentionPolicies.workloads.afterFinished: Invalid",
              "objectRetentionPolicies.workloads.afterDeactivatedByKueue: Invalid"}},
        Case{"requeuing is by Eviction or Creation with pauses of 0 or more",
             ",'waitForPodsReady':{'requeuingStrategy':{'timestamp':'Now','backoffLimitCount':-1,"
             "'backoffBaseSeconds':-1,'backoffMaxSeconds':-1}}",
             {"waitForPodsReady.requeuingStrategy.timestamp: NotSupported",
              "waitForPodsReady.requeuingStrategy.backoffLimitCount: Invalid",
              "waitForPodsReady.requeuingStrategy.backoffBaseSeconds: Invalid",
              "waitForPodsReady.requeuingStrategy.backoffMaxSeconds: Invalid"}},
        Case{"fair sharing names its strategies",
             ",'fairSharing':{}",
             {"fairSharing.preemptionStrategies: Required"}},
        Case{"strategies have an order",
             ",'fairSharing':{'preemptionStrategies':['LessThanInitialShare',"
             "'LessThanOrEqualToFinalShare']}",
             {"fairSharing.preemptionStrategies: NotSupported"}},
        Case{"usage is sampled with weights of 0 or more",
             ",'admissionFairSharing':{'usageHalfLifeTime':'-1s','usageSamplingInterval':'-1s',"
             "'resourceWeights':{'cpu':-0.5,'memory':0}}",
             {"admissionFairSharing.usageHalfLifeTime: Invalid",
              "admissionFairSharing.usageSamplingInterval: Invalid",
              "admissionFairSharing.resourceWeights[cpu]: Invalid"}},
        Case{"transformations have one entry for an input and a known strategy",
             ",'resources':{'transformations':[{'input':'a','strategy':'Drop'},{'input':'a'}]}",
             {"resources.transformations[0].strategy: NotSupported",
              "resources.transformations[1].input: Duplicate"}},
        Case{"a device class counts as one resource",
             ",'resources':{'deviceClassMappings':[{'name':'a','deviceClassNames':['c','c']},"
             "{'name':'b','deviceClassNames':['c']},{'name':'b','deviceClassNames':[]}]}",
             {"resources.deviceClassMappings[0].deviceClassNames[1]: Duplicate",
              "resources.deviceClassMappings[1].deviceClassNames[0]: Invalid",
              "resources.deviceClassMappings[2].name: Duplicate",
              "resources.deviceClassMappings[2].deviceClassNames: Required"}},
        Case{"a source is complete and is one",
             ",'resources':{'deviceClassMappings':[{'name':'a','deviceClassNames':['c'],'sources':"
             "[{},{'counter':{'name':'Bad','driver':'x.com','deviceSelector':{'cel':{'expression':"
             "'true'}}}},{'counter':{}},{'capacity':{}}]}]}",
             {"resources.deviceClassMappings[0].sources[0]: Required",
              "resources.deviceClassMappings[0].sources[1].counter.name: Invalid",
              "resources.deviceClassMappings[0].sources[2].counter.name: Required",
              "resources.deviceClassMappings[0].sources[2].counter.driver: Required",
              kCounterSelector + ": Required",
              "resources.deviceClassMappings[0].sources[3].capacity: Invalid",
              "resources.deviceClassMappings[0].sources: Invalid"}}));

INSTANTIATE_TEST_SUITE_P(
    OfServers, ConfigurationRule,
    ::testing::Values(
        Case{"names of certificates are names",
             ",'internalCertManagement':{'webhookServiceName':'1a','webhookSecretName':'A'}",
             {"internalCertManagement.webhookServiceName: Invalid",
              "internalCertManagement.webhookSecretName: Invalid"}},
        Case{"names of certificates that are made elsewhere do not matter",
             ",'internalCertManagement':{'enable':false,'webhookServiceName':'1a'}",
             {}},
        Case{"everything wrong with TLS is one problem",
             ",'tls':{'minVersion':'VersionTLS11','cipherSuites':['X'],'curvePreferences':[0]}",
             {"tls: Invalid"}},
        Case{"TLS 1.3 has no choice of ciphers",
             ",'tls':{'minVersion':'VersionTLS13','cipherSuites':['TLS_AES_128_GCM_SHA256']}",
             {"tls.cipherSuites: Invalid"}},
        Case{"curves are known, each once",
             ",'tls':{'curvePreferences':[29,23,29]}",
             {"tls: Invalid"}},
        Case{"the visibility server has an address and a port",
             ",'visibilityServer':{'bindAddress':'localhost','bindPort':0}",
             {"visibilityServer.bindAddress: Invalid", "visibilityServer.bindPort: Invalid"}},
        Case{"the visibility server may have an IPv6 address",
             ",'visibilityServer':{'bindAddress':'::1','bindPort':65535}",
             {}},
        Case{"labels of metrics have names and one source",
             ",'metrics':{'customLabels':[{'name':'a'},{'name':'a'},{'name':'b','sourceLabelKey':"
             "'x','sourceAnnotationKey':'y'},{'name':'c','sourceAnnotationKey':'a b'}]}",
             {"metrics.customLabels[1].name: Duplicate", "metrics.customLabels[2]: Invalid",
              "metrics.customLabels[3].sourceAnnotationKey: Invalid"}},
        Case{"a bad name that is also the source is wrong twice",
             ",'metrics':{'customLabels':[{'name':'a b'}]}",
             {"metrics.customLabels[0].name: Invalid", "metrics.customLabels[0].name: Invalid"}},
        Case{"labels of workloads have few values",
             ",'metrics':{'customLabels':[{'name':'a','sourceKind':'Workload'},{'name':'b',"
             "'sourceKind':'Pod','trackedValues':['x','x']}]}",
             {"metrics.customLabels[0].trackedValues: Invalid",
              "metrics.customLabels[1].trackedValues: Invalid", "metrics.customLabels: Invalid"}}));

INSTANTIATE_TEST_SUITE_P(
    OfMultiKueue, ConfigurationRule,
    ::testing::Values(
        Case{"the origin is a label value",
             ",'multiKueue':{'origin':'a b'}",
             {"multiKueue.origin: Invalid"}},
        Case{"external frameworks are kinds, each once and not built in",
             ",'multiKueue':{'externalFrameworks':[{'name':'bad'},{'name':'A.v1.b'},"
             "{'name':'A.v1.b'},{'name':'Job.v1.batch'},{'name':'Pod.v1.'}]}",
             {"multiKueue.externalFrameworks[0].name: Invalid",
              "multiKueue.externalFrameworks[2].name: Duplicate",
              "multiKueue.externalFrameworks[3].name: Invalid"}},
        Case{"the dispatcher's options are for that dispatcher",
             ",'multiKueue':{'incrementalDispatcherConfig':{'stepSize':0}}",
             {"multiKueue.incrementalDispatcherConfig: Invalid",
              "multiKueue.incrementalDispatcherConfig.stepSize: Invalid"}},
        Case{"providers have credentials",
             ",'multiKueue':{'clusterProfile':{'accessProviders':[{'execConfig':{'env':[{}],"
             "'interactiveMode':'Ask'}}],'credentialsProviders':[{}]}}",
             {"multiKueue.clusterProfile.credentialsProviders: Forbidden",
              "multiKueue.clusterProfile.accessProviders.name: Required",
              "multiKueue.clusterProfile.accessProviders.execConfig.command: Required",
              "multiKueue.clusterProfile.accessProviders.execConfig.apiVersion: Required",
              "multiKueue.clusterProfile.accessProviders.execConfig.env.name: Required",
              kInteractiveMode + ": NotSupported"}}));

TEST(ConfigurationWithoutDefaults, MissesIntegrations) {
  EXPECT_THAT(Faults(Read<Configuration>("{}")), ElementsAre("integrations: Required"));
  EXPECT_THAT(Faults(Read<Configuration>("{'integrations':{}}")),
              ElementsAre("integrations.frameworks: Required"));
  EXPECT_THAT(Faults(Read<Configuration>("{'integrations':{'frameworks':['pod']}}")),
              ElementsAre("managedJobsNamespaceSelector: Required"));
}

TEST(WaitForPodsReady, IsNotCheckedWhereItIsDisabled) {
  const Configuration configuration = With(",'waitForPodsReady':{'timeout':'-1s'}");
  EXPECT_EQ(Faults(configuration).size(), 2u);
  EXPECT_THAT(Faults(configuration, Gates(Gate::kDisableWaitForPodsReady)), IsEmpty());
}

TEST(UnknownFramework, GetsASuggestion) {
  const schema::Problems problems =
      ValidateConfiguration(With(",'integrations':{'frameworks':['batch/jobs']}"), FeatureGates());
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0].hint, "did you mean \"batch/job\"?");
}

// --- Quota check --------------------------------------------------------------------------------

TEST(QuotaCheck, AcceptsOnlyItsValues) {
  EXPECT_THAT(Faults(With(",'resources':{'quotaCheck':'OnlyDeclared'}")), IsEmpty());
  EXPECT_THAT(Faults(With(",'resources':{'quotaCheck':'Some','quotaCheckStrategy':'Block'}")),
              ElementsAre("resources.quotaCheckStrategy: NotSupported",
                          "resources.quotaCheck: NotSupported"));
}

TEST(QuotaCheck, AgreesWithItsAlias) {
  EXPECT_THAT(Faults(With(",'resources':{'quotaCheck':'All','quotaCheckStrategy':"
                          "'BlockUndeclared'}")),
              IsEmpty());
  EXPECT_THAT(Faults(With(",'resources':{'quotaCheck':'All','quotaCheckStrategy':"
                          "'IgnoreUndeclared'}")),
              ElementsAre("resources.quotaCheck: Invalid"));
  EXPECT_THAT(Faults(With(",'resources':{'quotaCheck':'OnlyDeclared','quotaCheckStrategy':"
                          "'BlockUndeclared'}")),
              ElementsAre("resources.quotaCheck: Invalid"));
}

TEST(QuotaCheck, MakesPrefixesAnErrorInKueueAndAWarningHere) {
  const Configuration configuration = With(
      ",'resources':{'quotaCheckStrategy':'IgnoreUndeclared','excludeResourcePrefixes':['x.com']}");
  EXPECT_THAT(Faults(configuration), ElementsAre("resources.quotaCheckStrategy: Invalid"));
  EXPECT_THAT(Faults(configuration, Gates(Gate::kQuotaCheck)), IsEmpty());
  EXPECT_THAT(FaultsOf(WarningsForConfiguration(configuration, Gates(Gate::kQuotaCheck))),
              ElementsAre("resources.excludeResourcePrefixes: Invalid"));
}

TEST(QuotaCheck, LeavesNoWarningAboutWhatVoidPrefixesExclude) {
  EXPECT_THAT(FaultsOf(WarningsForConfiguration(
                  With(",'resources':{'quotaCheck':'OnlyDeclared','excludeResourcePrefixes':"
                       "['nvidia.com','cpu','cpu']}"),
                  Gates(Gate::kQuotaCheck))),
              ElementsAre("resources.excludeResourcePrefixes: Invalid"));
}

TEST(QuotaCheck, WarnsWhileItsGateIsOff) {
  const schema::Problems warnings =
      WarningsForConfiguration(With(",'resources':{'quotaCheck':'OnlyDeclared'}"), FeatureGates());
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_THAT(warnings[0].hint, HasSubstr("QuotaCheck"));
}

TEST(QuotaCheck, OfKueueWarnsWhileKueuesGateIsOff) {
  const Configuration configuration =
      With(",'resources':{'quotaCheckStrategy':'IgnoreUndeclared'}");
  EXPECT_THAT(WarningsForConfiguration(configuration, FeatureGates()), IsEmpty());
  FeatureGates off;
  off.Set(Gate::kQuotaCheckStrategy, false);
  EXPECT_THAT(FaultsOf(WarningsForConfiguration(configuration, off)),
              ElementsAre("resources.quotaCheckStrategy: Invalid"));
}

// --- Exclusions ---------------------------------------------------------------------------------

TEST(ConfiguredPrefixes, OfLettersMatchOtherResourcesOnceQueuesHaveLists) {
  const Configuration configuration =
      With(",'resources':{'excludeResourcePrefixes':['x.com','x.com/','hugepages-','']}");
  EXPECT_THAT(NoticesForConfiguration(configuration, FeatureGates()), IsEmpty());
  const schema::Problems notices =
      NoticesForConfiguration(configuration, Gates(Gate::kClusterQueueResourceExclusion));
  ASSERT_EQ(notices.size(), 1u);
  EXPECT_EQ(notices[0].field, "resources.excludeResourcePrefixes");
  EXPECT_THAT(notices[0].message, HasSubstr("begins with them: \"x.com\" and \"\""));
}

TEST(ConfiguredPrefixes, ThatExcludeScarceResourcesCauseAWarning) {
  const auto warnings = [](std::string_view prefix, const FeatureGates& gates) {
    return WarningsForConfiguration(
               With(",'resources':{'excludeResourcePrefixes':['" + std::string(prefix) + "']}"),
               gates)
        .size();
  };
  const FeatureGates on = Gates(Gate::kClusterQueueResourceExclusion);
  EXPECT_EQ(warnings("mem", FeatureGates()), 1u);
  EXPECT_EQ(warnings("mem", on), 0u);
  EXPECT_EQ(warnings("memory", on), 1u);
  EXPECT_EQ(warnings("", FeatureGates()), 1u);
}

TEST(ConfigurationWarnings, NameGatesThatSwitchNothing) {
  const schema::Problems warnings =
      WarningsForConfiguration(With(""), Gates(Gate::kWorkloadRequestUseMergePatch));
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_EQ(warnings[0].message,
            "gates without effect: WorkloadRequestUseMergePatch: Workloads are always written with "
            "merge patches");
}

TEST(ConfigurationWarnings, PointOutLikelyMistakes) {
  EXPECT_THAT(WarningsForConfiguration(With(""), FeatureGates()), IsEmpty());
  EXPECT_THAT(FaultsOf(WarningsForConfiguration(
                  With(",'integrations':{'podOptions':{}},"
                       "'resources':{'excludeResourcePrefixes':['x.com','x.com','','cpu']}"),
                  FeatureGates())),
              ElementsAre("integrations.podOptions: Invalid",
                          "resources.excludeResourcePrefixes[1]: Duplicate",
                          "resources.excludeResourcePrefixes[2]: Invalid",
                          "resources.excludeResourcePrefixes[3]: Invalid"));
}

TEST(KindReference, IsKindVersionAndGroup) {
  const auto kind = ParseKindReference("Foo.v1.example.com");
  ASSERT_TRUE(kind);
  EXPECT_EQ(*kind, (KindReference{.kind = "Foo", .version = "v1", .group = "example.com"}));
  EXPECT_FALSE(ParseKindReference("Foo.v1"));
}

}  // namespace
}  // namespace berth::api
