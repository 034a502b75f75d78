#include "api/multi_kueue.h"

#include <algorithm>
#include <utility>

#include "api/list_keys.h"
#include "api/well_known.h"

namespace berth::api {

using schema::Member;
using schema::Must;

namespace {

// The former API had the sources beside each other; a kubeconfig without location was none.
void UpgradeClusterSpec(void* self) {
  auto& spec = *static_cast<MultiKueueClusterSpec*>(self);
  if (spec.former_kube_config && !spec.former_kube_config->location.empty())
    spec.cluster_source.kube_config = std::move(spec.former_kube_config);
  if (spec.former_cluster_profile_ref)
    spec.cluster_source.cluster_profile_ref = std::move(spec.former_cluster_profile_ref);
  spec.former_kube_config.reset();
  spec.former_cluster_profile_ref.reset();
}

}  // namespace

const schema::Struct& KubeConfig::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&KubeConfig::location>(
          "location", "Name of a Secret in Berth's namespace, or path of a file in its container.")
          .Required()
          .MinLength(1)
          .MaxLength(256),
      Member<&KubeConfig::location_type>("locationType", "What location names.")
          .OneOf(kLocationTypes)
          .Default("\"Secret\""),
  };
  static constexpr auto kStruct = schema::Describe<KubeConfig>(
      "KubeConfig", "Where the address and credentials of the cluster are kept.", kFields);
  return kStruct;
}

const schema::Struct& ClusterProfileReference::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&ClusterProfileReference::name>("name", "Name of a ClusterProfile.")
          .Required()
          .MinLength(1)
          .MaxLength(256),
  };
  static constexpr auto kStruct = schema::Describe<ClusterProfileReference>(
      "ClusterProfileReference", "The ClusterProfile that tells how to reach the cluster.",
      kFields);
  return kStruct;
}

const schema::Struct& ClusterSource::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&ClusterSource::kube_config>("kubeConfig", "A kubeconfig for the cluster."),
      Member<&ClusterSource::cluster_profile_ref>("clusterProfileRef",
                                                  "A ClusterProfile of the cluster."),
  };
  static constexpr schema::Rule kRules[] = {
      Must<[](const ClusterSource& self) {
        return self.kube_config.has_value() != self.cluster_profile_ref.has_value();
      }>("has(self.kubeConfig) != has(self.clusterProfileRef)",
         "give kubeConfig or clusterProfileRef, and not both"),
  };
  static constexpr auto kStruct = schema::Describe<ClusterSource>(
      "ClusterSource", "How the cluster is reached.", kFields, kRules);
  return kStruct;
}

const schema::Struct& MultiKueueClusterSpec::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&MultiKueueClusterSpec::cluster_source>("clusterSource", "How the cluster is reached.")
          .Required()
          .New(),
      Member<&MultiKueueClusterSpec::former_kube_config>("kubeConfig", "Moved into clusterSource.")
          .Former(),
      Member<&MultiKueueClusterSpec::former_cluster_profile_ref>("clusterProfileRef",
                                                                 "Moved into clusterSource.")
          .Former(),
  };
  static constexpr auto kStruct =
      schema::Describe<MultiKueueClusterSpec>("MultiKueueClusterSpec",
                                              "How the cluster is reached.", kFields)
          .Upgrade(&UpgradeClusterSpec);
  return kStruct;
}

const schema::Struct& MultiKueueClusterStatus::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&MultiKueueClusterStatus::conditions>("conditions",
                                                   "State: Active while connected, or why not.")
          .MaxItems(16)
          .MapBy(kByType),
  };
  static constexpr auto kStruct = schema::Describe<MultiKueueClusterStatus>(
      "MultiKueueClusterStatus", "Whether the cluster is connected.", kFields);
  return kStruct;
}

const schema::Struct& MultiKueueCluster::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&MultiKueueCluster::metadata>("metadata", "Name, labels and so on."),
      Member<&MultiKueueCluster::spec>("spec", "How the cluster is reached."),
      Member<&MultiKueueCluster::status>("status", "Whether the cluster is connected."),
  };
  static constexpr auto kStruct = schema::Describe<MultiKueueCluster>(
      "MultiKueueCluster", "A cluster that workloads can be sent to.", kFields);
  return kStruct;
}

const schema::Kind& MultiKueueCluster::KindInfo() {
  static constexpr std::string_view kShortNames[] = {"mkc"};
  static constexpr schema::Column kColumns[] = {
      {"Connected", "string", ".status.conditions[?(@.type=='Active')].status",
       "Whether the cluster is connected"},
      {"Age", "date", ".metadata.creationTimestamp", "Time since it was created"},
  };
  static constexpr schema::Kind kKind{.group = kKueueGroup,
                                      .version = kKueueVersion,
                                      .kind = "MultiKueueCluster",
                                      .plural = "multikueueclusters",
                                      .structure = &MultiKueueCluster::Description,
                                      .former_versions = kFormerKueueVersions,
                                      .short_names = kShortNames,
                                      .columns = kColumns,
                                      .has_status = true,
                                      .is_converted = true};
  return kKind;
}

const schema::Struct& MultiKueueConfigSpec::Description() {
  static constexpr schema::Rule kDistinct[] = {
      Must<[](const std::vector<std::string>& self) {
        return std::ranges::all_of(
            self, [&](const std::string& name) { return std::ranges::count(self, name) == 1; });
      }>("self.all(a, self.exists_one(b, a == b))", "name each cluster once"),
  };
  static constexpr schema::Field kFields[] = {
      Member<&MultiKueueConfigSpec::clusters>("clusters",
                                              "Names of MultiKueueClusters, the preferred first.")
          .Required()
          .MinItems(1)
          .MaxItems(20)
          .Items({.max_length = 256})
          .Rules(kDistinct),
      Member<&MultiKueueConfigSpec::quota_management>(
          "quotaManagement", "Automated: quota follows that of the clusters. Absent: Manual.")
          .OneOf(kQuotaManagementModes)
          .New(),
  };
  static constexpr auto kStruct = schema::Describe<MultiKueueConfigSpec>(
      "MultiKueueConfigSpec", "The clusters, and who sets quota.", kFields);
  return kStruct;
}

const schema::Struct& MultiKueueConfig::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&MultiKueueConfig::metadata>("metadata", "Name, labels and so on."),
      Member<&MultiKueueConfig::spec>("spec", "The clusters, and who sets quota."),
  };
  static constexpr auto kStruct = schema::Describe<MultiKueueConfig>(
      "MultiKueueConfig", "The clusters that an admission check sends workloads to.", kFields);
  return kStruct;
}

const schema::Kind& MultiKueueConfig::KindInfo() {
  static constexpr std::string_view kShortNames[] = {"mkconf"};
  static constexpr schema::Kind kKind{.group = kKueueGroup,
                                      .version = kKueueVersion,
                                      .kind = "MultiKueueConfig",
                                      .plural = "multikueueconfigs",
                                      .structure = &MultiKueueConfig::Description,
                                      .former_versions = kFormerKueueVersions,
                                      .short_names = kShortNames};
  return kKind;
}

}  // namespace berth::api
