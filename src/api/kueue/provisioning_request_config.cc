#include "api/kueue/provisioning_request_config.h"

#include "api/kueue/well_known.h"
#include "api/meta/list_keys.h"
#include "api/meta/names.h"

namespace berth::api {

using schema::Member;

const schema::Struct& ProvisioningRequestRetryStrategy::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&ProvisioningRequestRetryStrategy::backoff_limit_count>(
          "backoffLimitCount", "backoffLimitCount is the number of retries.")
          .Default("3"),
      Member<&ProvisioningRequestRetryStrategy::backoff_base_seconds>(
          "backoffBaseSeconds",
          "backoffBaseSeconds is the first back-off. It doubles with each retry.")
          .Default("60"),
      Member<&ProvisioningRequestRetryStrategy::backoff_max_seconds>(
          "backoffMaxSeconds", "backoffMaxSeconds is the longest back-off.")
          .Default("1800"),
  };
  static constexpr auto kStruct = schema::Describe<ProvisioningRequestRetryStrategy>(
      "ProvisioningRequestRetryStrategy",
      "ProvisioningRequestRetryStrategy configures the retries of a failed ProvisioningRequest.",
      kFields);
  return kStruct;
}

const schema::Struct& ProvisioningNodeSelectorEntry::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&ProvisioningNodeSelectorEntry::key>("key", "key is the label of the node selector.")
          .Required()
          .MinLength(1)
          .MaxLength(317)
          .Matches(kQualifiedNamePattern),
      Member<&ProvisioningNodeSelectorEntry::value_from_provisioning_class_detail>(
          "valueFromProvisioningClassDetail",
          "valueFromProvisioningClassDetail names the detail of the ProvisioningRequest that holds "
          "the value.")
          .Required()
          .MinLength(1)
          .MaxLength(32768),
  };
  static constexpr auto kStruct = schema::Describe<ProvisioningNodeSelectorEntry>(
      "ProvisioningNodeSelectorEntry",
      "ProvisioningNodeSelectorEntry is a label that binds pods to the provisioned nodes.",
      kFields);
  return kStruct;
}

const schema::Struct& ProvisioningPodSetUpdates::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&ProvisioningPodSetUpdates::node_selector>("nodeSelector",
                                                        "nodeSelector is added to the pods.")
          .MaxItems(8)
          .MapBy(kByKey),
  };
  static constexpr auto kStruct = schema::Describe<ProvisioningPodSetUpdates>(
      "ProvisioningPodSetUpdates",
      "ProvisioningPodSetUpdates holds changes made to pods after nodes are provisioned.", kFields);
  return kStruct;
}

const schema::Struct& ProvisioningRequestConfigSpec::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&ProvisioningRequestConfigSpec::provisioning_class_name>(
          "provisioningClassName",
          "provisioningClassName is the class of the ProvisioningRequests.")
          .Required()
          .MinLength(1)
          .MaxLength(kMaxSubdomainLength)
          .Matches(kDnsSubdomainPattern),
      Member<&ProvisioningRequestConfigSpec::parameters>("parameters",
                                                         "parameters is passed to the autoscaler.")
          .MaxItems(100)
          .Items({.max_length = 255}),
      Member<&ProvisioningRequestConfigSpec::managed_resources>(
          "managedResources",
          "managedResources limits provisioning to pod sets that request one of these resources.")
          .MaxItems(100)
          .SetOf(),
      Member<&ProvisioningRequestConfigSpec::retry_strategy>(
          "retryStrategy", "retryStrategy configures the retries of a failed ProvisioningRequest.")
          .Default(
              "{\"backoffBaseSeconds\":60,\"backoffLimitCount\":3,\"backoffMaxSeconds\":1800}"),
      Member<&ProvisioningRequestConfigSpec::pod_set_updates>(
          "podSetUpdates", "podSetUpdates holds changes made to pods after nodes are provisioned."),
      Member<&ProvisioningRequestConfigSpec::pod_set_merge_policy>(
          "podSetMergePolicy",
          "podSetMergePolicy decides which pod sets are merged into one request. If absent, none.")
          .OneOf(kPodSetMergePolicies),
  };
  static constexpr auto kStruct = schema::Describe<ProvisioningRequestConfigSpec>(
      "ProvisioningRequestConfigSpec",
      "ProvisioningRequestConfigSpec is the desired state of a ProvisioningRequestConfig.",
      kFields);
  return kStruct;
}

const schema::Struct& ProvisioningRequestConfig::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&ProvisioningRequestConfig::metadata>("metadata",
                                                   "metadata is the standard object metadata."),
      Member<&ProvisioningRequestConfig::spec>(
          "spec", "spec is the desired state of the ProvisioningRequestConfig."),
  };
  static constexpr auto kStruct = schema::Describe<ProvisioningRequestConfig>(
      "ProvisioningRequestConfig",
      "ProvisioningRequestConfig configures the ProvisioningRequests of an admission check.",
      kFields);
  return kStruct;
}

const schema::Kind& ProvisioningRequestConfig::KindInfo() {
  static constexpr std::string_view kShortNames[] = {"prc"};
  static constexpr schema::Kind kKind{.group = kKueueGroup,
                                      .version = kKueueVersion,
                                      .kind = "ProvisioningRequestConfig",
                                      .plural = "provisioningrequestconfigs",
                                      .structure = &ProvisioningRequestConfig::Description,
                                      .previous_versions = kPreviousKueueVersions,
                                      .short_names = kShortNames};
  return kKind;
}

}  // namespace berth::api

template class std::vector<berth::api::ProvisioningNodeSelectorEntry>;
