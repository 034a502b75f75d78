#include "api/kueue/multi_kueue.h"

#include <algorithm>
#include <utility>

#include "api/kueue/well_known.h"
#include "api/meta/list_keys.h"

namespace berth::api {

using schema::Member;
using schema::Must;

namespace {

// In v1beta1 the sources are members of the spec; a kubeconfig without location means none.
void UpgradeClusterSpec(void* self) {
  auto& spec = *static_cast<MultiKueueClusterSpec*>(self);
  if (spec.previous_kube_config && !spec.previous_kube_config->location.empty())
    spec.cluster_source.kube_config = std::move(spec.previous_kube_config);
  if (spec.previous_cluster_profile_ref)
    spec.cluster_source.cluster_profile_ref = std::move(spec.previous_cluster_profile_ref);
  spec.previous_kube_config.reset();
  spec.previous_cluster_profile_ref.reset();
}

}  // namespace

const schema::Struct& KubeConfig::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&KubeConfig::location>(
          "location",
          "location is the name of a Secret in Berth's namespace, or a path in its container.")
          .Required()
          .MinLength(1)
          .MaxLength(256),
      Member<&KubeConfig::location_type>("locationType", "locationType is the type of location.")
          .OneOf(kLocationTypes)
          .Default("\"Secret\""),
  };
  static constexpr auto kStruct = schema::Describe<KubeConfig>(
      "KubeConfig", "KubeConfig locates the kubeconfig of a cluster.", kFields);
  return kStruct;
}

const schema::Struct& ClusterProfileReference::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&ClusterProfileReference::name>("name", "name is the name of the ClusterProfile.")
          .Required()
          .MinLength(1)
          .MaxLength(256),
  };
  static constexpr auto kStruct = schema::Describe<ClusterProfileReference>(
      "ClusterProfileReference",
      "ClusterProfileReference refers to the ClusterProfile of a cluster.", kFields);
  return kStruct;
}

const schema::Struct& ClusterSource::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&ClusterSource::kube_config>("kubeConfig",
                                          "kubeConfig locates the kubeconfig of the cluster."),
      Member<&ClusterSource::cluster_profile_ref>(
          "clusterProfileRef", "clusterProfileRef refers to the ClusterProfile of the cluster."),
  };
  static constexpr schema::Rule kRules[] = {
      Must<[](const ClusterSource& self) {
        return self.kube_config.has_value() != self.cluster_profile_ref.has_value();
      }>("has(self.kubeConfig) != has(self.clusterProfileRef)",
         "exactly one of kubeConfig and clusterProfileRef must be set"),
  };
  static constexpr auto kStruct = schema::Describe<ClusterSource>(
      "ClusterSource", "ClusterSource is the source of a cluster's address and credentials.",
      kFields, kRules);
  return kStruct;
}

const schema::Struct& MultiKueueClusterSpec::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&MultiKueueClusterSpec::cluster_source>(
          "clusterSource", "clusterSource is the source of the cluster's address and credentials.")
          .Required()
          .New(),
      Member<&MultiKueueClusterSpec::previous_kube_config>("kubeConfig", "Moved to clusterSource.")
          .Previous(),
      Member<&MultiKueueClusterSpec::previous_cluster_profile_ref>("clusterProfileRef",
                                                                   "Moved to clusterSource.")
          .Previous(),
  };
  static constexpr auto kStruct =
      schema::Describe<MultiKueueClusterSpec>(
          "MultiKueueClusterSpec",
          "MultiKueueClusterSpec is the desired state of a MultiKueueCluster.", kFields)
          .Upgrade(&UpgradeClusterSpec);
  return kStruct;
}

const schema::Struct& MultiKueueClusterStatus::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&MultiKueueClusterStatus::conditions>(
          "conditions",
          "conditions holds the condition Active, which is True while the cluster is connected.")
          .MaxItems(16)
          .MapBy(kByType),
  };
  static constexpr auto kStruct = schema::Describe<MultiKueueClusterStatus>(
      "MultiKueueClusterStatus",
      "MultiKueueClusterStatus is the observed state of a MultiKueueCluster.", kFields);
  return kStruct;
}

const schema::Struct& MultiKueueCluster::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&MultiKueueCluster::metadata>("metadata", "metadata is the standard object metadata."),
      Member<&MultiKueueCluster::spec>("spec",
                                       "spec is the desired state of the MultiKueueCluster."),
      Member<&MultiKueueCluster::status>("status",
                                         "status is the observed state of the MultiKueueCluster."),
  };
  static constexpr auto kStruct = schema::Describe<MultiKueueCluster>(
      "MultiKueueCluster",
      "MultiKueueCluster is a worker cluster that workloads can be dispatched to.", kFields);
  return kStruct;
}

const schema::Kind& MultiKueueCluster::KindInfo() {
  static constexpr std::string_view kShortNames[] = {"mkc"};
  static constexpr schema::Column kColumns[] = {
      {"Connected", "string", ".status.conditions[?(@.type=='Active')].status",
       "Whether the cluster is connected"},
      {"Age", "date", ".metadata.creationTimestamp", "Time since creation"},
  };
  static constexpr schema::Kind kKind{.group = kKueueGroup,
                                      .version = kKueueVersion,
                                      .kind = "MultiKueueCluster",
                                      .plural = "multikueueclusters",
                                      .structure = &MultiKueueCluster::Description,
                                      .previous_versions = kPreviousKueueVersions,
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
      }>("self.all(a, self.exists_one(b, a == b))", "clusters must be unique"),
  };
  static constexpr schema::Field kFields[] = {
      Member<&MultiKueueConfigSpec::clusters>(
          "clusters", "clusters lists MultiKueueClusters in order of preference.")
          .Required()
          .MinItems(1)
          .MaxItems(20)
          .Items({.max_length = 256})
          .Rules(kDistinct),
      Member<&MultiKueueConfigSpec::quota_management>(
          "quotaManagement",
          "quotaManagement is Manual (the default) or Automated, which derives quota from the "
          "clusters.")
          .OneOf(kQuotaManagementModes)
          .New(),
  };
  static constexpr auto kStruct = schema::Describe<MultiKueueConfigSpec>(
      "MultiKueueConfigSpec", "MultiKueueConfigSpec is the desired state of a MultiKueueConfig.",
      kFields);
  return kStruct;
}

const schema::Struct& MultiKueueConfig::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&MultiKueueConfig::metadata>("metadata", "metadata is the standard object metadata."),
      Member<&MultiKueueConfig::spec>("spec", "spec is the desired state of the MultiKueueConfig."),
  };
  static constexpr auto kStruct = schema::Describe<MultiKueueConfig>(
      "MultiKueueConfig", "MultiKueueConfig lists the worker clusters of an admission check.",
      kFields);
  return kStruct;
}

const schema::Kind& MultiKueueConfig::KindInfo() {
  static constexpr std::string_view kShortNames[] = {"mkconf"};
  static constexpr schema::Kind kKind{.group = kKueueGroup,
                                      .version = kKueueVersion,
                                      .kind = "MultiKueueConfig",
                                      .plural = "multikueueconfigs",
                                      .structure = &MultiKueueConfig::Description,
                                      .previous_versions = kPreviousKueueVersions,
                                      .short_names = kShortNames};
  return kKind;
}

}  // namespace berth::api
