#include "api/pod.h"

#include "api/carried_types.h"
#include "api/list_keys.h"

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
      Carried("ip", kCarriedString, "The address.").Required(),
  };
  static constexpr auto kStruct = schema::DescribeCarried("IP", "An address.", kFields);
  return kStruct;
}

const schema::Struct& WaitingShape() {
  static constexpr schema::Field kFields[] = {
      Carried("reason", kCarriedString, "Why, in one word."),
      Carried("message", kCarriedString, "Why, for people."),
  };
  static constexpr auto kStruct = schema::DescribeCarried(
      "ContainerStateWaiting", "Why a container does not run yet.", kFields);
  return kStruct;
}

const schema::Struct& RunningShape() {
  static constexpr schema::Field kFields[] = {
      Carried("startedAt", kCarriedTime, "When it started."),
  };
  static constexpr auto kStruct =
      schema::DescribeCarried("ContainerStateRunning", "Since when a container runs.", kFields);
  return kStruct;
}

const schema::Struct& TerminatedShape() {
  static constexpr schema::Field kFields[] = {
      Carried("exitCode", kCarriedInt32, "Exit status of the process.").Required(),
      Carried("signal", kCarriedInt32, "Signal that ended it."),
      Carried("reason", kCarriedString, "Why, in one word."),
      Carried("message", kCarriedString, "Its last words."),
      Carried("startedAt", kCarriedTime, "When it started."),
      Carried("finishedAt", kCarriedTime, "When it ended."),
      Carried("containerID", kCarriedString, "Id of the container."),
  };
  static constexpr auto kStruct =
      schema::DescribeCarried("ContainerStateTerminated", "How a container ended.", kFields);
  return kStruct;
}

const schema::Struct& ContainerStateShape() {
  static constexpr schema::Field kFields[] = {
      Carried("waiting", kCarriedStruct<&WaitingShape>, "It does not run yet."),
      Carried("running", kCarriedStruct<&RunningShape>, "It runs."),
      Carried("terminated", kCarriedStruct<&TerminatedShape>, "It ended."),
  };
  static constexpr auto kStruct =
      schema::DescribeCarried("ContainerState", "What a container is doing.", kFields);
  return kStruct;
}

const schema::Struct& MountStatusShape() {
  static constexpr schema::Field kFields[] = {
      Carried("name", kCarriedString, "Volume of the pod.").Required(),
      Carried("mountPath", kCarriedString, "Where it is mounted.").Required(),
      Carried("readOnly", kCarriedBool, "Whether it is read-only."),
      Carried("recursiveReadOnly", kCarriedString, "Whether mounts below are read-only."),
      Carried("volumeStatus", kCarriedJson, "What the volume holds."),
  };
  static constexpr auto kStruct =
      schema::DescribeCarried("VolumeMountStatus", "A mount in a container.", kFields);
  return kStruct;
}

const schema::Struct& ContainerStatusShape() {
  static constexpr schema::Field kFields[] = {
      Carried("name", kCarriedString, "Name of the container.").Required(),
      Carried("state", kCarriedStruct<&ContainerStateShape>, "What it is doing."),
      Carried("lastState", kCarriedStruct<&ContainerStateShape>, "What it did before."),
      Carried("ready", kCarriedBool, "Whether it is ready.").Required(),
      Carried("restartCount", kCarriedInt32, "How often it was restarted.").Required(),
      Carried("image", kCarriedString, "Image that runs.").Required(),
      Carried("imageID", kCarriedString, "Id of the image.").Required(),
      Carried("containerID", kCarriedString, "Id of the container."),
      Carried("started", kCarriedBool, "Whether its start-up probe passed."),
      Carried("allocatedResources", kCarriedQuantityMap, "What the node set aside."),
      Carried("resources", kCarriedStruct<&ResourceRequirements::Description>,
              "What it may use now."),
      Carried("volumeMounts", kCarriedStructs<&MountStatusShape>, "Its mounts.")
          .MapBy(kVolumeByMountPath)
          .PatchBy("mountPath"),
      Carried("user", kCarriedJson, "User that it runs as."),
      Carried("allocatedResourcesStatus", kCarriedObjects, "Health of its devices.")
          .PatchBy("name"),
      Carried("stopSignal", kCarriedString, "Signal that stops it."),
  };
  static constexpr auto kStruct =
      schema::DescribeCarried("ContainerStatus", "What became of a container.", kFields);
  return kStruct;
}

}  // namespace

const schema::Struct& PodResourceClaimStatus::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&PodResourceClaimStatus::name>("name", "Entry of the pod's resourceClaims.")
          .Required(),
      Member<&PodResourceClaimStatus::resource_claim_name>("resourceClaimName",
                                                           "ResourceClaim that was made for it."),
  };
  static constexpr auto kStruct = schema::Describe<PodResourceClaimStatus>(
      "PodResourceClaimStatus", "The claim behind an entry of resourceClaims.", kFields);
  return kStruct;
}

const schema::Struct& PodStatus::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&PodStatus::observed_generation>("observedGeneration",
                                              "Generation that the kubelet has seen."),
      Member<&PodStatus::phase>("phase", "Pending, Running, Succeeded, Failed or Unknown."),
      Member<&PodStatus::conditions>("conditions", "PodScheduled, Ready and the like.")
          .MapBy(kByType)
          .PatchBy("type"),
      Member<&PodStatus::message>("message", "Why it is in this state, for people."),
      Member<&PodStatus::reason>("reason", "Why it is in this state, in one word."),
      Carried("nominatedNodeName", kCarriedString, "Node that is being cleared for it."),
      Carried("hostIP", kCarriedString, "Address of the node."),
      Carried("hostIPs", kCarriedStructs<&AddressShape>, "Addresses of the node.").PatchBy("ip"),
      Carried("podIP", kCarriedString, "Address of the pod."),
      Carried("podIPs", kCarriedStructs<&AddressShape>, "Addresses of the pod.")
          .MapBy(kByIp)
          .PatchBy("ip"),
      Member<&PodStatus::start_time>("startTime", "When the node accepted it."),
      Carried("initContainerStatuses", kCarriedStructs<&ContainerStatusShape>,
              "Its init containers."),
      Carried("containerStatuses", kCarriedStructs<&ContainerStatusShape>, "Its containers."),
      Carried("qosClass", kCarriedString, "Guaranteed, Burstable or BestEffort."),
      Carried("ephemeralContainerStatuses", kCarriedStructs<&ContainerStatusShape>,
              "Its containers for debugging."),
      Carried("resize", kCarriedString, "How a resize goes; conditions tell more."),
      Member<&PodStatus::resource_claim_statuses>("resourceClaimStatuses",
                                                  "Claims that were made for it.")
          .MapBy(kByName)
          .PatchBy("name"),
      Carried("extendedResourceClaimStatus", kCarriedJson, "Claim that serves extended resources."),
      Carried("allocatedResources", kCarriedQuantityMap, "What the node set aside."),
      Carried("resources", kCarriedStruct<&ResourceRequirements::Description>,
              "What it may use now."),
      Carried("nodeAllocatableResourceClaimStatuses", kCarriedObjects,
              "Node resources that its claims take."),
  };
  static constexpr auto kStruct =
      schema::Describe<PodStatus>("PodStatus", "What a pod is doing.", kFields);
  return kStruct;
}

const schema::Struct& Pod::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&Pod::metadata>("metadata", "Name, labels and the like."),
      Member<&Pod::spec>("spec", "What it is made of."),
      Member<&Pod::status>("status", "What it is doing."),
  };
  static constexpr auto kStruct =
      schema::Describe<Pod>("Pod", "Containers that run together on one node.", kFields);
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
