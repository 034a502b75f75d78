#include "api/core/node.h"

#include "api/meta/list_keys.h"

namespace berth::api {

using schema::Carried;
using schema::kCarriedBool;
using schema::kCarriedInt32;
using schema::kCarriedInt64;
using schema::kCarriedJson;
using schema::kCarriedString;
using schema::kCarriedStrings;
using schema::kCarriedStruct;
using schema::kCarriedStructs;
using schema::Member;

const schema::Struct& NodeSpec::Description() {
  static constexpr schema::Field kFields[] = {
      Carried("podCIDR", kCarriedString, "Address range of the node's pods."),
      Carried("podCIDRs", kCarriedStrings, "Address ranges of the node's pods, by family.")
          .SetOf()
          .PatchBy(kPatchByValue),
      Carried("providerID", kCarriedString, "ID at the cloud provider."),
      Member<&NodeSpec::unschedulable>("unschedulable", "Whether the node accepts no new pods."),
      Member<&NodeSpec::taints>("taints", "Taints of the node."),
      Carried("configSource", kCarriedJson, "Deprecated and without effect."),
      Carried("externalID", kCarriedString, "Deprecated and without effect."),
  };
  static constexpr auto kStruct =
      schema::Describe<NodeSpec>("NodeSpec", "NodeSpec is the desired state of a Node.", kFields);
  return kStruct;
}

namespace {

const schema::Struct& NodeAddressShape() {
  static constexpr schema::Field kFields[] = {
      Carried("type", kCarriedString, "Type such as InternalIP or Hostname.").Required(),
      Carried("address", kCarriedString, "IP address.").Required(),
  };
  static constexpr auto kStruct =
      schema::DescribeCarried("NodeAddress", "NodeAddress is an address of a node.", kFields);
  return kStruct;
}

const schema::Struct& DaemonEndpointShape() {
  static constexpr schema::Field kFields[] = {
      Carried("Port", kCarriedInt32, "Number of the port.").Required(),
  };
  static constexpr auto kStruct =
      schema::DescribeCarried("DaemonEndpoint", "DaemonEndpoint is a port of the node.", kFields);
  return kStruct;
}

const schema::Struct& DaemonEndpointsShape() {
  static constexpr schema::Field kFields[] = {
      Carried("kubeletEndpoint", kCarriedStruct<&DaemonEndpointShape>, "Port of the kubelet."),
  };
  static constexpr auto kStruct = schema::DescribeCarried(
      "NodeDaemonEndpoints", "NodeDaemonEndpoints lists the ports of the node's daemons.", kFields);
  return kStruct;
}

const schema::Struct& SwapShape() {
  static constexpr schema::Field kFields[] = {
      Carried("capacity", kCarriedInt64, "Bytes of swap."),
  };
  static constexpr auto kStruct = schema::DescribeCarried(
      "NodeSwapStatus", "NodeSwapStatus describes the node's swap.", kFields);
  return kStruct;
}

const schema::Struct& SystemInfoShape() {
  static constexpr schema::Field kFields[] = {
      Carried("machineID", kCarriedString, "Id of the machine.").Required(),
      Carried("systemUUID", kCarriedString, "Id of the hardware.").Required(),
      Carried("bootID", kCarriedString, "Id of this boot.").Required(),
      Carried("kernelVersion", kCarriedString, "Kernel.").Required(),
      Carried("osImage", kCarriedString, "Distribution.").Required(),
      Carried("containerRuntimeVersion", kCarriedString, "Container runtime.").Required(),
      Carried("kubeletVersion", kCarriedString, "Kubelet.").Required(),
      Carried("kubeProxyVersion", kCarriedString, "Deprecated."),
      Carried("operatingSystem", kCarriedString, "linux or windows.").Required(),
      Carried("architecture", kCarriedString, "Architecture such as amd64 or arm64.").Required(),
      Carried("swap", kCarriedStruct<&SwapShape>, "Swap."),
  };
  static constexpr auto kStruct = schema::DescribeCarried(
      "NodeSystemInfo", "NodeSystemInfo describes the node's hardware and software.", kFields);
  return kStruct;
}

const schema::Struct& ImageShape() {
  static constexpr schema::Field kFields[] = {
      Carried("names", kCarriedStrings, "Names of the image."),
      Carried("sizeBytes", kCarriedInt64, "Size in bytes."),
  };
  static constexpr auto kStruct = schema::DescribeCarried(
      "ContainerImage", "ContainerImage is an image stored on the node.", kFields);
  return kStruct;
}

const schema::Struct& AttachedVolumeShape() {
  static constexpr schema::Field kFields[] = {
      Carried("name", kCarriedString, "Name of the volume.").Required(),
      Carried("devicePath", kCarriedString, "Path of the device.").Required(),
  };
  static constexpr auto kStruct = schema::DescribeCarried(
      "AttachedVolume", "AttachedVolume is a volume attached to the node.", kFields);
  return kStruct;
}

const schema::Struct& RuntimeFeaturesShape() {
  static constexpr schema::Field kFields[] = {
      Carried("recursiveReadOnlyMounts", kCarriedBool, "Recursive read-only mounts."),
      Carried("userNamespaces", kCarriedBool, "User namespaces."),
  };
  static constexpr auto kStruct = schema::DescribeCarried(
      "NodeRuntimeHandlerFeatures",
      "NodeRuntimeHandlerFeatures lists features of a runtime handler.", kFields);
  return kStruct;
}

const schema::Struct& RuntimeHandlerShape() {
  static constexpr schema::Field kFields[] = {
      Carried("name", kCarriedString, "Name of the handler. Empty for the default."),
      Carried("features", kCarriedStruct<&RuntimeFeaturesShape>, "Features of the handler."),
  };
  static constexpr auto kStruct = schema::DescribeCarried(
      "NodeRuntimeHandler", "NodeRuntimeHandler is a runtime handler of the node.", kFields);
  return kStruct;
}

const schema::Struct& FeaturesShape() {
  static constexpr schema::Field kFields[] = {
      Carried("supplementalGroupsPolicy", kCarriedBool, "Policies for supplemental groups."),
  };
  static constexpr auto kStruct = schema::DescribeCarried(
      "NodeFeatures", "NodeFeatures lists features of the container runtime.", kFields);
  return kStruct;
}

}  // namespace

const schema::Struct& NodeStatus::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&NodeStatus::capacity>("capacity", "Total resources of the node."),
      Member<&NodeStatus::allocatable>("allocatable", "Resources available to pods."),
      Carried("phase", kCarriedString, "Deprecated."),
      Member<&NodeStatus::conditions>("conditions", "Conditions such as Ready and MemoryPressure.")
          .MapBy(kByType)
          .PatchBy("type"),
      Carried("addresses", kCarriedStructs<&NodeAddressShape>, "Addresses of the node.")
          .MapBy(kByType)
          .PatchBy("type"),
      Carried("daemonEndpoints", kCarriedStruct<&DaemonEndpointsShape>, "Ports of the node."),
      Carried("nodeInfo", kCarriedStruct<&SystemInfoShape>, "Hardware and software."),
      Carried("images", kCarriedStructs<&ImageShape>, "Images on the node."),
      Carried("volumesInUse", kCarriedStrings, "Volumes used by pods."),
      Carried("volumesAttached", kCarriedStructs<&AttachedVolumeShape>, "Attached volumes."),
      Carried("config", kCarriedJson, "Deprecated and without effect."),
      Carried("runtimeHandlers", kCarriedStructs<&RuntimeHandlerShape>, "Runtime handlers."),
      Carried("features", kCarriedStruct<&FeaturesShape>, "Features of the container runtime."),
      Carried("declaredFeatures", kCarriedStrings, "Features declared by the node."),
  };
  static constexpr auto kStruct = schema::Describe<NodeStatus>(
      "NodeStatus", "NodeStatus is the observed state of a Node.", kFields);
  return kStruct;
}

const schema::Struct& Node::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&Node::metadata>("metadata", "Standard object metadata."),
      Member<&Node::spec>("spec", "Desired state."),
      Member<&Node::status>("status", "Observed state."),
  };
  static constexpr auto kStruct =
      schema::Describe<Node>("Node", "Node is a machine that runs pods.", kFields);
  return kStruct;
}

const schema::Kind& Node::KindInfo() {
  static constexpr std::string_view kShortNames[] = {"no"};
  static constexpr schema::Kind kKind{
      .group = "",
      .version = "v1",
      .kind = "Node",
      .plural = "nodes",
      .structure = &Node::Description,
      .short_names = kShortNames,
      .has_status = true,
  };
  return kKind;
}

}  // namespace berth::api
