#include "api/core/pod_spec.h"

#include "api/core/container_shapes.h"
#include "api/core/security_shapes.h"
#include "api/core/volume_shapes.h"
#include "api/meta/carried_types.h"
#include "api/meta/list_keys.h"

namespace berth::api {

using schema::Carried;
using schema::kCarriedBool;
using schema::kCarriedString;
using schema::kCarriedStrings;
using schema::kCarriedStruct;
using schema::kCarriedStructs;
using schema::Member;

const schema::Struct& TopologySpreadConstraint::Description() {
  using T = TopologySpreadConstraint;
  static constexpr schema::Field kFields[] = {
      Member<&T::max_skew>("maxSkew",
                           "Maximum difference in the number of pods between two domains.")
          .Required(),
      Member<&T::topology_key>("topologyKey", "Node label whose values are the domains.")
          .Required(),
      Member<&T::when_unsatisfiable>("whenUnsatisfiable", "DoNotSchedule or ScheduleAnyway.")
          .Required(),
      Member<&T::label_selector>("labelSelector", "Label selector of the counted pods."),
      Member<&T::min_domains>("minDomains", "Minimum number of domains."),
      Member<&T::node_affinity_policy>("nodeAffinityPolicy",
                                       "Whether the pod's node affinity applies: Honor or Ignore."),
      Member<&T::node_taints_policy>("nodeTaintsPolicy",
                                     "Whether the nodes' taints apply: Honor or Ignore."),
      Member<&T::match_label_keys>("matchLabelKeys",
                                   "Label keys whose values must equal those of the new pod."),
  };
  static constexpr auto kStruct = schema::Describe<T>(
      "TopologySpreadConstraint", "TopologySpreadConstraint spreads pods over domains.", kFields);
  return kStruct;
}

const schema::Struct& PodSchedulingGate::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&PodSchedulingGate::name>("name", "Name of the gate.").Required(),
  };
  static constexpr auto kStruct = schema::Describe<PodSchedulingGate>(
      "PodSchedulingGate", "PodSchedulingGate blocks scheduling of the pod until removed.",
      kFields);
  return kStruct;
}

const schema::Struct& PodResourceClaim::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&PodResourceClaim::name>("name", "Name by which containers refer to the claim.")
          .Required(),
      Member<&PodResourceClaim::resource_claim_name>(
          "resourceClaimName", "Name of a ResourceClaim in the same namespace."),
      Member<&PodResourceClaim::resource_claim_template_name>(
          "resourceClaimTemplateName",
          "Name of a template from which a claim is created for each pod."),
  };
  static constexpr auto kStruct = schema::Describe<PodResourceClaim>(
      "PodResourceClaim", "PodResourceClaim refers to a ResourceClaim or a template of one.",
      kFields);
  return kStruct;
}

namespace {

constexpr std::string_view kByTopologyKey[] = {"topologyKey", "whenUnsatisfiable"};

const schema::Struct& HostAliasShape() {
  static constexpr schema::Field kFields[] = {
      Carried("ip", kCarriedString, "IP address.").Required(),
      Carried("hostnames", kCarriedStrings, "Host names of the address."),
  };
  static constexpr auto kStruct =
      schema::DescribeCarried("HostAlias", "HostAlias is a line of the pod's hosts file.", kFields);
  return kStruct;
}

const schema::Struct& DnsOptionShape() {
  static constexpr schema::Field kFields[] = {
      Carried("name", kCarriedString, "Name of the option."),
      Carried("value", kCarriedString, "Value of the option."),
  };
  static constexpr auto kStruct = schema::DescribeCarried(
      "PodDNSConfigOption", "PodDNSConfigOption is a resolver option.", kFields);
  return kStruct;
}

const schema::Struct& DnsConfigShape() {
  static constexpr schema::Field kFields[] = {
      Carried("nameservers", kCarriedStrings, "Addresses of name servers."),
      Carried("searches", kCarriedStrings, "Domains to search."),
      Carried("options", kCarriedStructs<&DnsOptionShape>, "Resolver options."),
  };
  static constexpr auto kStruct =
      schema::DescribeCarried("PodDNSConfig", "PodDNSConfig holds resolver settings.", kFields);
  return kStruct;
}

const schema::Struct& ReadinessGateShape() {
  static constexpr schema::Field kFields[] = {
      Carried("conditionType", kCarriedString, "Condition that must be True.").Required(),
  };
  static constexpr auto kStruct = schema::DescribeCarried(
      "PodReadinessGate", "PodReadinessGate is a condition required for the pod to be ready.",
      kFields);
  return kStruct;
}

const schema::Struct& PodOsShape() {
  static constexpr schema::Field kFields[] = {
      Carried("name", kCarriedString, "linux or windows.").Required(),
  };
  static constexpr auto kStruct =
      schema::DescribeCarried("PodOS", "PodOS is the operating system of a pod.", kFields);
  return kStruct;
}

const schema::Struct& SchedulingGroupShape() {
  static constexpr schema::Field kFields[] = {
      Carried("podGroupName", kCarriedString, "Name of the pod group."),
  };
  static constexpr auto kStruct = schema::DescribeCarried(
      "PodSchedulingGroup", "PodSchedulingGroup is a group of pods scheduled together.", kFields);
  return kStruct;
}

}  // namespace

const schema::Struct& PodSpec::Description() {
  static constexpr schema::Field kFields[] = {
      Carried("volumes", kCarriedStructs<&VolumeShape>, "Volumes that containers can mount.")
          .MapBy(kByName)
          .PatchBy("name"),
      Member<&PodSpec::init_containers>(
          "initContainers", "Containers that run in sequence before the main containers.")
          .MapBy(kByName)
          .PatchBy("name"),
      Member<&PodSpec::containers>("containers", "Main containers of the pod.")
          .Required()
          .MapBy(kByName)
          .PatchBy("name"),
      Carried("ephemeralContainers", kCarriedStructs<&EphemeralContainerShape>,
              "Ephemeral debugging containers.")
          .MapBy(kByName)
          .PatchBy("name"),
      Member<&PodSpec::restart_policy>("restartPolicy", "Always, OnFailure or Never."),
      Carried("terminationGracePeriodSeconds", schema::kCarriedInt64,
              "Grace period on deletion, in seconds."),
      Member<&PodSpec::active_deadline_seconds>("activeDeadlineSeconds",
                                                "Seconds after which a running pod fails."),
      Carried("dnsPolicy", kCarriedString, "DNS policy of the pod."),
      Member<&PodSpec::node_selector>("nodeSelector", "Labels required of the node.").Atomic(),
      Carried("serviceAccountName", kCarriedString, "Service account of the pod."),
      Carried("serviceAccount", kCarriedString, "Deprecated: use serviceAccountName."),
      Carried("automountServiceAccountToken", kCarriedBool, "Whether a token is mounted."),
      Member<&PodSpec::node_name>("nodeName", "Node to which the pod is bound."),
      Member<&PodSpec::host_network>("hostNetwork",
                                     "Whether the pod uses the network of the node."),
      Carried("hostPID", kCarriedBool, "Whether the pod uses the node's PID namespace."),
      Carried("hostIPC", kCarriedBool, "Whether the pod uses the node's IPC namespace."),
      Carried("shareProcessNamespace", kCarriedBool,
              "Whether containers share a process namespace."),
      Carried("securityContext", kCarriedStruct<&PodSecurityContextShape>, "Security settings."),
      Carried("imagePullSecrets", kCarriedStructs<&LocalObjectReferenceShape>,
              "Secrets for pulling images.")
          .MapBy(kByName)
          .PatchBy("name"),
      Carried("hostname", kCarriedString, "Host name of the pod."),
      Carried("subdomain", kCarriedString, "Domain of the host name."),
      Member<&PodSpec::affinity>("affinity", "Scheduling constraints."),
      Member<&PodSpec::scheduler_name>("schedulerName", "Scheduler responsible for the pod."),
      Member<&PodSpec::tolerations>("tolerations", "Taints that the pod tolerates."),
      Carried("hostAliases", kCarriedStructs<&HostAliasShape>, "Lines for the hosts file.")
          .MapBy(kByIp)
          .PatchBy("ip"),
      Member<&PodSpec::priority_class_name>("priorityClassName", "PriorityClass of the pod."),
      Member<&PodSpec::priority>("priority", "Priority of the pod, set from the PriorityClass."),
      Carried("dnsConfig", kCarriedStruct<&DnsConfigShape>, "Additional resolver settings."),
      Carried("readinessGates", kCarriedStructs<&ReadinessGateShape>,
              "Conditions that must hold for the pod to be ready."),
      Member<&PodSpec::runtime_class_name>("runtimeClassName", "RuntimeClass of the pod."),
      Carried("enableServiceLinks", kCarriedBool, "Whether Services become environment variables."),
      Carried("preemptionPolicy", kCarriedString, "PreemptLowerPriority or Never."),
      Member<&PodSpec::overhead>("overhead",
                                 "Resources needed in addition to those of the containers."),
      Member<&PodSpec::topology_spread_constraints>("topologySpreadConstraints",
                                                    "Constraints that spread pods over domains.")
          .MapBy(kByTopologyKey)
          .PatchBy("topologyKey"),
      Carried("setHostnameAsFQDN", kCarriedBool, "Whether the host name is fully qualified."),
      Carried("os", kCarriedStruct<&PodOsShape>, "Operating system of the pod."),
      Carried("hostUsers", kCarriedBool, "Whether the pod uses the node's user namespace."),
      Member<&PodSpec::scheduling_gates>("schedulingGates",
                                         "Gates that block scheduling while any is present.")
          .MapBy(kByName)
          .PatchBy("name"),
      Member<&PodSpec::resource_claims>("resourceClaims",
                                        "Resource claims available to the containers.")
          .MapBy(kByName)
          .PatchBy("name"),
      Member<&PodSpec::resources>("resources", "Resource requirements of all containers together."),
      Carried("hostnameOverride", kCarriedString, "Host name that overrides all others."),
      Carried("schedulingGroup", kCarriedStruct<&SchedulingGroupShape>,
              "Group of pods scheduled together."),
  };
  static constexpr auto kStruct =
      schema::Describe<PodSpec>("PodSpec", "PodSpec is the desired state of a Pod.", kFields);
  return kStruct;
}

const schema::Struct& PodTemplateSpec::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&PodTemplateSpec::metadata>("metadata", "Labels and annotations of the pods."),
      Member<&PodTemplateSpec::spec>("spec", "Specification of the pods."),
  };
  static constexpr auto kStruct = schema::Describe<PodTemplateSpec>(
      "PodTemplateSpec", "PodTemplateSpec is the template of a Pod.", kFields);
  return kStruct;
}

}  // namespace berth::api

template class std::vector<berth::api::PodResourceClaim>;
template class std::vector<berth::api::PodSchedulingGate>;
template class std::vector<berth::api::TopologySpreadConstraint>;
