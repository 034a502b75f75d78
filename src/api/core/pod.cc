#include "api/core/pod.h"

#include "api/meta/carried_types.h"
#include "api/meta/list_keys.h"

namespace berth::api {

using schema::Carried;
using schema::kCarriedBool;
using schema::kCarriedInt32;
using schema::kCarriedJson;
using schema::kCarriedObjects;
using schema::kCarriedString;
using schema::kCarriedStruct;
using schema::kCarriedStructs;
using schema::kCarriedTime;
using schema::Member;

namespace {

constexpr std::string_view kVolumeByMountPath[] = {"mountPath"};

const schema::Struct& AddressShape() {
  static constexpr schema::Field kFields[] = {
      Carried("ip", kCarriedString, "IP address.").Required(),
  };
  static constexpr auto kStruct =
      schema::DescribeCarried("IP", "IP is an address of a pod or host.", kFields);
  return kStruct;
}

const schema::Struct& WaitingShape() {
  static constexpr schema::Field kFields[] = {
      Carried("reason", kCarriedString, "Machine-readable reason, in one word."),
      Carried("message", kCarriedString, "Human-readable details."),
  };
  static constexpr auto kStruct = schema::DescribeCarried(
      "ContainerStateWaiting", "ContainerStateWaiting describes a container that has not started.",
      kFields);
  return kStruct;
}

const schema::Struct& RunningShape() {
  static constexpr schema::Field kFields[] = {
      Carried("startedAt", kCarriedTime, "Time of the start."),
  };
  static constexpr auto kStruct = schema::DescribeCarried(
      "ContainerStateRunning", "ContainerStateRunning describes a running container.", kFields);
  return kStruct;
}

const schema::Struct& TerminatedShape() {
  static constexpr schema::Field kFields[] = {
      Carried("exitCode", kCarriedInt32, "Exit status of the process.").Required(),
      Carried("signal", kCarriedInt32, "Signal that terminated the process."),
      Carried("reason", kCarriedString, "Machine-readable reason, in one word."),
      Carried("message", kCarriedString, "Termination message."),
      Carried("startedAt", kCarriedTime, "Time of the start."),
      Carried("finishedAt", kCarriedTime, "Time of the end."),
      Carried("containerID", kCarriedString, "Id of the container."),
  };
  static constexpr auto kStruct = schema::DescribeCarried(
      "ContainerStateTerminated", "ContainerStateTerminated describes a terminated container.",
      kFields);
  return kStruct;
}

const schema::Struct& ContainerStateShape() {
  static constexpr schema::Field kFields[] = {
      Carried("waiting", kCarriedStruct<&WaitingShape>,
              "Details of a container that has not started."),
      Carried("running", kCarriedStruct<&RunningShape>, "Details of a running container."),
      Carried("terminated", kCarriedStruct<&TerminatedShape>, "Details of a terminated container."),
  };
  static constexpr auto kStruct = schema::DescribeCarried(
      "ContainerState", "ContainerState is the state of a container.", kFields);
  return kStruct;
}

const schema::Struct& MountStatusShape() {
  static constexpr schema::Field kFields[] = {
      Carried("name", kCarriedString, "Volume of the pod.").Required(),
      Carried("mountPath", kCarriedString, "Path of the mount.").Required(),
      Carried("readOnly", kCarriedBool, "Whether the mount is read-only."),
      Carried("recursiveReadOnly", kCarriedString, "Whether nested mounts are read-only."),
      Carried("volumeStatus", kCarriedJson, "Status of the volume."),
  };
  static constexpr auto kStruct = schema::DescribeCarried(
      "VolumeMountStatus", "VolumeMountStatus describes a mount of a container.", kFields);
  return kStruct;
}

const schema::Struct& ContainerStatusShape() {
  static constexpr schema::Field kFields[] = {
      Carried("name", kCarriedString, "Name of the container.").Required(),
      Carried("state", kCarriedStruct<&ContainerStateShape>, "Current state."),
      Carried("lastState", kCarriedStruct<&ContainerStateShape>, "Previous state."),
      Carried("ready", kCarriedBool, "Whether the container is ready.").Required(),
      Carried("restartCount", kCarriedInt32, "Number of restarts.").Required(),
      Carried("image", kCarriedString, "Image of the container.").Required(),
      Carried("imageID", kCarriedString, "Id of the image.").Required(),
      Carried("containerID", kCarriedString, "Id of the container."),
      Carried("started", kCarriedBool, "Whether the startup probe succeeded."),
      Carried("allocatedResources", kCarriedQuantityMap, "Allocated resources."),
      Carried("resources", kCarriedStruct<&ResourceRequirements::Description>,
              "Current requests and limits."),
      Carried("volumeMounts", kCarriedStructs<&MountStatusShape>, "Status of the mounts.")
          .MapBy(kVolumeByMountPath)
          .PatchBy("mountPath"),
      Carried("user", kCarriedJson, "User of the process."),
      Carried("allocatedResourcesStatus", kCarriedObjects, "Health of allocated devices.")
          .PatchBy("name"),
      Carried("stopSignal", kCarriedString, "Signal that stops the container."),
  };
  static constexpr auto kStruct = schema::DescribeCarried(
      "ContainerStatus", "ContainerStatus is the observed state of a container.", kFields);
  return kStruct;
}

}  // namespace

const schema::Struct& PodResourceClaimStatus::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&PodResourceClaimStatus::name>("name", "Entry of the pod's resourceClaims.")
          .Required(),
      Member<&PodResourceClaimStatus::resource_claim_name>("resourceClaimName",
                                                           "ResourceClaim created for the entry."),
  };
  static constexpr auto kStruct = schema::Describe<PodResourceClaimStatus>(
      "PodResourceClaimStatus",
      "PodResourceClaimStatus names the claim of an entry of resourceClaims.", kFields);
  return kStruct;
}

const schema::Struct& PodStatus::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&PodStatus::observed_generation>("observedGeneration",
                                              "Latest generation observed by the kubelet."),
      Member<&PodStatus::phase>("phase", "Pending, Running, Succeeded, Failed or Unknown."),
      Member<&PodStatus::conditions>("conditions", "Conditions such as PodScheduled and Ready.")
          .MapBy(kByType)
          .PatchBy("type"),
      Member<&PodStatus::message>("message", "Human-readable details of the phase."),
      Member<&PodStatus::reason>("reason", "Machine-readable reason of the phase, in one word."),
      Carried("nominatedNodeName", kCarriedString, "Node on which preemption makes room."),
      Carried("hostIP", kCarriedString, "Address of the node."),
      Carried("hostIPs", kCarriedStructs<&AddressShape>, "Addresses of the node.").PatchBy("ip"),
      Carried("podIP", kCarriedString, "Address of the pod."),
      Carried("podIPs", kCarriedStructs<&AddressShape>, "Addresses of the pod.")
          .MapBy(kByIp)
          .PatchBy("ip"),
      Member<&PodStatus::start_time>("startTime", "Time at which the kubelet accepted the pod."),
      Carried("initContainerStatuses", kCarriedStructs<&ContainerStatusShape>,
              "Status of init containers."),
      Carried("containerStatuses", kCarriedStructs<&ContainerStatusShape>, "Status of containers."),
      Carried("qosClass", kCarriedString, "Guaranteed, Burstable or BestEffort."),
      Carried("ephemeralContainerStatuses", kCarriedStructs<&ContainerStatusShape>,
              "Status of ephemeral containers."),
      Carried("resize", kCarriedString, "Status of a resize. Deprecated: see conditions."),
      Member<&PodStatus::resource_claim_statuses>("resourceClaimStatuses",
                                                  "ResourceClaims created for the pod.")
          .MapBy(kByName)
          .PatchBy("name"),
      Carried("extendedResourceClaimStatus", kCarriedJson, "Claim that backs extended resources."),
      Carried("allocatedResources", kCarriedQuantityMap, "Allocated resources."),
      Carried("resources", kCarriedStruct<&ResourceRequirements::Description>,
              "Current requests and limits."),
      Carried("nodeAllocatableResourceClaimStatuses", kCarriedObjects,
              "Node resources consumed by claims."),
  };
  static constexpr auto kStruct = schema::Describe<PodStatus>(
      "PodStatus", "PodStatus is the observed state of a Pod.", kFields);
  return kStruct;
}

const schema::Struct& Pod::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&Pod::metadata>("metadata", "Standard object metadata."),
      Member<&Pod::spec>("spec", "Desired state."),
      Member<&Pod::status>("status", "Observed state."),
  };
  static constexpr auto kStruct =
      schema::Describe<Pod>("Pod", "Pod is a group of containers that run on one node.", kFields);
  return kStruct;
}

const schema::Kind& Pod::KindInfo() {
  static constexpr std::string_view kShortNames[] = {"po"};
  static constexpr std::string_view kCategories[] = {"all"};
  static constexpr schema::Kind kKind{
      .group = "",
      .version = "v1",
      .kind = "Pod",
      .plural = "pods",
      .is_namespaced = true,
      .structure = &Pod::Description,
      .short_names = kShortNames,
      .categories = kCategories,
      .has_status = true,
  };
  return kKind;
}

}  // namespace berth::api

template class std::vector<berth::api::PodResourceClaimStatus>;
