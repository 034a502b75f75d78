#include "api/provisioning_request_config.h"

#include "api/list_keys.h"
#include "api/names.h"
#include "api/well_known.h"

namespace berth::api {

using schema::Member;

const schema::Struct& ProvisioningRequestRetryStrategy::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&ProvisioningRequestRetryStrategy::backoff_limit_count>(
          "backoffLimitCount", "How often a failed request is made again.")
          .Default("3"),
      Member<&ProvisioningRequestRetryStrategy::backoff_base_seconds>(
          "backoffBaseSeconds", "Pause before the first retry; it doubles with each.")
          .Default("60"),
      Member<&ProvisioningRequestRetryStrategy::backoff_max_seconds>(
          "backoffMaxSeconds", "Longest pause between two retries.")
          .Default("1800"),
  };
  static constexpr auto kStruct = schema::Describe<ProvisioningRequestRetryStrategy>(
      "ProvisioningRequestRetryStrategy", "When a failed request is made again.", kFields);
  return kStruct;
}

const schema::Struct& ProvisioningNodeSelectorEntry::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&ProvisioningNodeSelectorEntry::key>("key", "Label of the node selector.")
          .Required()
          .MinLength(1)
          .MaxLength(317)
          .Matches(kQualifiedNamePattern),
      Member<&ProvisioningNodeSelectorEntry::value_from_provisioning_class_detail>(
          "valueFromProvisioningClassDetail",
          "Detail of the answered ProvisioningRequest that holds the value.")
          .Required()
          .MinLength(1)
          .MaxLength(32768),
  };
  static constexpr auto kStruct = schema::Describe<ProvisioningNodeSelectorEntry>(
      "ProvisioningNodeSelectorEntry", "A label that leads pods to the machines they got.",
      kFields);
  return kStruct;
}

const schema::Struct& ProvisioningPodSetUpdates::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&ProvisioningPodSetUpdates::node_selector>("nodeSelector",
                                                        "Node selector that pods get.")
          .MaxItems(8)
          .MapBy(kByKey),
  };
  static constexpr auto kStruct = schema::Describe<ProvisioningPodSetUpdates>(
      "ProvisioningPodSetUpdates", "What pods get once machines are there.", kFields);
  return kStruct;
}

const schema::Struct& ProvisioningRequestConfigSpec::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&ProvisioningRequestConfigSpec::provisioning_class_name>(
          "provisioningClassName", "Class of the ProvisioningRequests, which the autoscaler knows.")
          .Required()
          .MinLength(1)
          .MaxLength(kMaxSubdomainLength)
          .Matches(kDnsSubdomainPattern),
      Member<&ProvisioningRequestConfigSpec::parameters>("parameters",
                                                         "Parameters for the autoscaler.")
          .MaxItems(100)
          .Items({.max_length = 255}),
      Member<&ProvisioningRequestConfigSpec::managed_resources>(
          "managedResources", "Pod sets without any of these resources ask for no machines.")
          .MaxItems(100)
          .SetOf(),
      Member<&ProvisioningRequestConfigSpec::retry_strategy>("retryStrategy",
                                                             "When a failed request is made again.")
          .Default(
              "{\"backoffBaseSeconds\":60,\"backoffLimitCount\":3,\"backoffMaxSeconds\":1800}"),
      Member<&ProvisioningRequestConfigSpec::pod_set_updates>(
          "podSetUpdates", "What pods get once machines are there."),
      Member<&ProvisioningRequestConfigSpec::pod_set_merge_policy>(
          "podSetMergePolicy", "Which pod sets are asked for as one. Absent: none.")
          .OneOf(kPodSetMergePolicies),
  };
  static constexpr auto kStruct = schema::Describe<ProvisioningRequestConfigSpec>(
      "ProvisioningRequestConfigSpec", "What is asked of the autoscaler.", kFields);
  return kStruct;
}

const schema::Struct& ProvisioningRequestConfig::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&ProvisioningRequestConfig::metadata>("metadata", "Name, labels and so on."),
      Member<&ProvisioningRequestConfig::spec>("spec", "What is asked of the autoscaler."),
  };
  static constexpr auto kStruct = schema::Describe<ProvisioningRequestConfig>(
      "ProvisioningRequestConfig", "How machines are asked for before workloads start.", kFields);
  return kStruct;
}

const schema::Kind& ProvisioningRequestConfig::KindInfo() {
  static constexpr std::string_view kShortNames[] = {"prc"};
  static constexpr schema::Kind kKind{.group = kKueueGroup,
                                      .version = kKueueVersion,
                                      .kind = "ProvisioningRequestConfig",
                                      .plural = "provisioningrequestconfigs",
                                      .structure = &ProvisioningRequestConfig::Description,
                                      .former_versions = kFormerKueueVersions,
                                      .short_names = kShortNames};
  return kKind;
}

}  // namespace berth::api

template class std::vector<berth::api::ProvisioningNodeSelectorEntry>;
