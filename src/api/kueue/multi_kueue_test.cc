#include "api/kueue/multi_kueue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/testing/faults.h"

namespace berth::api {
namespace {

using ::testing::ElementsAre;
using testing::Faults;
using ::testing::IsEmpty;

std::vector<std::string> SourceFaults(std::string_view source) {
  return Faults<MultiKueueCluster>(R"({"spec":{"clusterSource":{)" + std::string(source) + "}}}");
}

TEST(ClusterSources, AreExactlyOne) {
  EXPECT_THAT(SourceFaults(R"("kubeConfig":{"location":"s"})"), IsEmpty());
  EXPECT_THAT(SourceFaults(R"("clusterProfileRef":{"name":"p"})"), IsEmpty());
  EXPECT_THAT(SourceFaults(""), ElementsAre("spec.clusterSource: FieldValueInvalid"));
  EXPECT_THAT(SourceFaults(R"("kubeConfig":{"location":"s"},"clusterProfileRef":{"name":"p"})"),
              ElementsAre("spec.clusterSource: FieldValueInvalid"));
}

TEST(KubeConfigs, AreInASecretByDefault) {
  const auto cluster = testing::Stored<MultiKueueCluster>(
      R"({"spec":{"clusterSource":{"kubeConfig":{"location":"s"}}}})");
  EXPECT_EQ(cluster.spec.cluster_source.kube_config->location_type, kLocationSecret);
  EXPECT_THAT(SourceFaults(R"("kubeConfig":{"location":"s","locationType":"Url"})"),
              ElementsAre("spec.clusterSource.kubeConfig.locationType: FieldValueNotSupported"));
}

TEST(MultiKueueConfigClusters, AreNamedOnceAndNotTooMany) {
  EXPECT_THAT(Faults<MultiKueueConfig>(R"({"spec":{"clusters":["a","b"]}})"), IsEmpty());
  EXPECT_THAT(Faults<MultiKueueConfig>(R"({"spec":{"clusters":["a","a"]}})"),
              ElementsAre("spec.clusters: FieldValueInvalid"));
  EXPECT_THAT(Faults<MultiKueueConfig>(R"({"spec":{"clusters":[]}})"),
              ElementsAre("spec.clusters: FieldValueInvalid"));
}

}  // namespace
}  // namespace berth::api
