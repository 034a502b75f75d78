#include "api/pod_spec.h"

#include "api/carried_types.h"
#include "api/container_shapes.h"
#include "api/list_keys.h"
#include "api/security_shapes.h"
#include "api/volume_shapes.h"

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
      Member<&T::max_skew>("maxSkew", "How uneven the spread may be.").Required(),
      Member<&T::topology_key>("topologyKey", "Node label whose values are the domains.")
          .Required(),
      Member<&T::when_unsatisfiable>("whenUnsatisfiable", "DoNotSchedule or ScheduleAnyway.")
          .Required(),
      Member<&T::label_selector>("labelSelector", "Pods that are counted."),
      Member<&T::min_domains>("minDomains", "Domains that must exist at least."),
      Member<&T::node_affinity_policy>("nodeAffinityPolicy",
                                       "Honor or Ignore the pod's node affinity."),
      Member<&T::node_taints_policy>("nodeTaintsPolicy", "Honor or Ignore the nodes' taints."),
      Member<&T::match_label_keys>("matchLabelKeys",
                                   "Labels whose values must equal the new pod's."),
  };
  static constexpr auto kStruct =
      schema::Describe<T>("TopologySpreadConstraint", "How pods are spread over domains.", kFields);
  return kStruct;
}

const schema::Struct& PodSchedulingGate::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&PodSchedulingGate::name>("name", "Name of the gate.").Required(),
  };
  static constexpr auto kStruct = schema::Describe<PodSchedulingGate>(
      "PodSchedulingGate", "Keeps a pod from being placed until removed.", kFields);
  return kStruct;
}

const schema::Struct& PodResourceClaim::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&PodResourceClaim::name>("name", "Name that containers refer to.").Required(),
      Member<&PodResourceClaim::resource_claim_name>("resourceClaimName",
                                                     "A ResourceClaim in the same namespace."),
      Member<&PodResourceClaim::resource_claim_template_name>(
          "resourceClaimTemplateName", "A template from which each pod gets its own claim."),
  };
  static constexpr auto kStruct = schema::Describe<PodResourceClaim>(
      "PodResourceClaim", "Devices that the pod uses; name a claim or a template.", kFields);
  return kStruct;
}

namespace {

constexpr std::string_view kByTopologyKey[] = {"topologyKey", "whenUnsatisfiable"};

const schema::Struct& HostAliasShape() {
  static constexpr schema::Field kFields[] = {
      Carried("ip", kCarriedString, "The address.").Required(),
      Carried("hostnames", kCarriedStrings, "Its names."),
  };
  static constexpr auto kStruct =
      schema::DescribeCarried("HostAlias", "A line of the pod's hosts file.", kFields);
  return kStruct;
}

const schema::Struct& DnsOptionShape() {
  static constexpr schema::Field kFields[] = {
      Carried("name", kCarriedString, "Name of the option."),
      Carried("value", kCarriedString, "Its value."),
  };
  static constexpr auto kStruct =
      schema::DescribeCarried("PodDNSConfigOption", "A resolver option.", kFields);
  return kStruct;
}

const schema::Struct& DnsConfigShape() {
  static constexpr schema::Field kFields[] = {
      Carried("nameservers", kCarriedStrings, "Addresses of name servers."),
      Carried("searches", kCarriedStrings, "Domains to search."),
      Carried("options", kCarriedStructs<&DnsOptionShape>, "Resolver options."),
  };
  static constexpr auto kStruct =
      schema::DescribeCarried("PodDNSConfig", "Resolver settings.", kFields);
  return kStruct;
}

const schema::Struct& ReadinessGateShape() {
  static constexpr schema::Field kFields[] = {
      Carried("conditionType", kCarriedString, "Condition that must be True.").Required(),
  };
  static constexpr auto kStruct = schema::DescribeCarried(
      "PodReadinessGate", "A condition that must hold for the pod to be ready.", kFields);
  return kStruct;
}

const schema::Struct& PodOsShape() {
  static constexpr schema::Field kFields[] = {
      Carried("name", kCarriedString, "linux or windows.").Required(),
  };
  static constexpr auto kStruct =
      schema::DescribeCarried("PodOS", "The operating system that a pod needs.", kFields);
  return kStruct;
}

const schema::Struct& SchedulingGroupShape() {
  static constexpr schema::Field kFields[] = {
      Carried("podGroupName", kCarriedString, "Group that the pod belongs to."),
  };
  static constexpr auto kStruct =
      schema::DescribeCarried("PodSchedulingGroup", "Pods that are placed together.", kFields);
  return kStruct;
}

}  // namespace

const schema::Struct& PodSpec::Description() {
  static constexpr schema::Field kFields[] = {
      Carried("volumes", kCarriedStructs<&VolumeShape>, "Files that containers can mount.")
          .MapBy(kByName)
          .PatchBy("name"),
      Member<&PodSpec::init_containers>(
          "initContainers", "Containers that run one after the other before the main ones.")
          .MapBy(kByName)
          .PatchBy("name"),
      Member<&PodSpec::containers>("containers", "Containers that run side by side.")
          .Required()
          .MapBy(kByName)
          .PatchBy("name"),
      Carried("ephemeralContainers", kCarriedStructs<&EphemeralContainerShape>,
              "Containers that were added for debugging.")
          .MapBy(kByName)
          .PatchBy("name"),
      Member<&PodSpec::restart_policy>("restartPolicy", "Always, OnFailure or Never."),
      Carried("terminationGracePeriodSeconds", schema::kCarriedInt64, "Time to stop in."),
      Member<&PodSpec::active_deadline_seconds>(
          "activeDeadlineSeconds", "How long the pod may run before it is made to fail."),
      Carried("dnsPolicy", kCarriedString, "Which resolver settings the pod gets."),
      Member<&PodSpec::node_selector>("nodeSelector", "Labels that the node must have.").Atomic(),
      Carried("serviceAccountName", kCarriedString, "Account that the pod acts as."),
      Carried("serviceAccount", kCarriedString, "Older name of serviceAccountName."),
      Carried("automountServiceAccountToken", kCarriedBool, "Whether it gets a token."),
      Member<&PodSpec::node_name>("nodeName", "Node that the pod was placed on."),
      Member<&PodSpec::host_network>("hostNetwork", "Whether it uses the node's network."),
      Carried("hostPID", kCarriedBool, "Whether it sees the node's processes."),
      Carried("hostIPC", kCarriedBool, "Whether it uses the node's IPC."),
      Carried("shareProcessNamespace", kCarriedBool, "Whether containers see each other."),
      Carried("securityContext", kCarriedStruct<&PodSecurityContextShape>, "What it may do."),
      Carried("imagePullSecrets", kCarriedStructs<&LocalObjectReferenceShape>,
              "Secrets for pulling images.")
          .MapBy(kByName)
          .PatchBy("name"),
      Carried("hostname", kCarriedString, "Host name of the pod."),
      Carried("subdomain", kCarriedString, "Domain of the host name."),
      Member<&PodSpec::affinity>("affinity", "Where the pod wants to run."),
      Member<&PodSpec::scheduler_name>("schedulerName", "Scheduler that places the pod."),
      Member<&PodSpec::tolerations>("tolerations", "Taints that do not keep the pod away."),
      Carried("hostAliases", kCarriedStructs<&HostAliasShape>, "Lines for the hosts file.")
          .MapBy(kByIp)
          .PatchBy("ip"),
      Member<&PodSpec::priority_class_name>("priorityClassName", "PriorityClass of the pod."),
      Member<&PodSpec::priority>("priority", "Set from the PriorityClass; more is sooner."),
      Carried("dnsConfig", kCarriedStruct<&DnsConfigShape>, "More resolver settings."),
      Carried("readinessGates", kCarriedStructs<&ReadinessGateShape>,
              "Conditions that must hold for the pod to be ready."),
      Member<&PodSpec::runtime_class_name>("runtimeClassName", "RuntimeClass that runs the pod."),
      Carried("enableServiceLinks", kCarriedBool, "Whether Services become variables."),
      Carried("preemptionPolicy", kCarriedString, "Whether it may push other pods out."),
      Member<&PodSpec::overhead>("overhead", "What running the pod costs besides its containers."),
      Member<&PodSpec::topology_spread_constraints>("topologySpreadConstraints",
                                                    "How pods are spread over domains.")
          .MapBy(kByTopologyKey)
          .PatchBy("topologyKey"),
      Carried("setHostnameAsFQDN", kCarriedBool, "Whether the host name has its domain."),
      Carried("os", kCarriedStruct<&PodOsShape>, "Operating system that it needs."),
      Carried("hostUsers", kCarriedBool, "Whether it shares the node's user ids."),
      Member<&PodSpec::scheduling_gates>("schedulingGates",
                                         "The pod is not placed while there is one.")
          .MapBy(kByName)
          .PatchBy("name"),
      Member<&PodSpec::resource_claims>("resourceClaims", "Devices that containers may use.")
          .MapBy(kByName)
          .PatchBy("name"),
      Member<&PodSpec::resources>("resources", "What all containers need together."),
      Carried("hostnameOverride", kCarriedString, "Host name that wins over all others."),
      Carried("schedulingGroup", kCarriedStruct<&SchedulingGroupShape>,
              "Pods that are placed together."),
  };
  static constexpr auto kStruct =
      schema::Describe<PodSpec>("PodSpec", "What a pod is made of.", kFields);
  return kStruct;
}

const schema::Struct& PodTemplateSpec::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&PodTemplateSpec::metadata>("metadata", "Labels and annotations of the pods."),
      Member<&PodTemplateSpec::spec>("spec", "What the pods are made of."),
  };
  static constexpr auto kStruct =
      schema::Describe<PodTemplateSpec>("PodTemplateSpec", "A pod to be made.", kFields);
  return kStruct;
}

}  // namespace berth::api

template class std::vector<berth::api::PodResourceClaim>;
template class std::vector<berth::api::PodSchedulingGate>;
template class std::vector<berth::api::TopologySpreadConstraint>;
