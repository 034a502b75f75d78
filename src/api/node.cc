#include "api/node.h"

#include "api/list_keys.h"

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
      Carried("podCIDR", kCarriedString, "Addresses for its pods."),
      Carried("podCIDRs", kCarriedStrings, "Addresses for its pods, by family.")
          .SetOf()
          .PatchBy(kPatchByValue),
      Carried("providerID", kCarriedString, "Its id at the cloud provider."),
      Member<&NodeSpec::unschedulable>("unschedulable", "Whether new pods stay away."),
      Member<&NodeSpec::taints>("taints", "What keeps pods away that do not tolerate it."),
      Carried("configSource", kCarriedJson, "No longer used."),
      Carried("externalID", kCarriedString, "No longer used."),
  };
  static constexpr auto kStruct =
      schema::Describe<NodeSpec>("NodeSpec", "What a node is meant to be.", kFields);
  return kStruct;
}

namespace {

const schema::Struct& NodeAddressShape() {
  static constexpr schema::Field kFields[] = {
      Carried("type", kCarriedString, "InternalIP, Hostname and the like.").Required(),
      Carried("address", kCarriedString, "The address.").Required(),
  };
  static constexpr auto kStruct =
      schema::DescribeCarried("NodeAddress", "An address of a node.", kFields);
  return kStruct;
}

const schema::Struct& DaemonEndpointShape() {
  static constexpr schema::Field kFields[] = {
      Carried("Port", kCarriedInt32, "Number of the port.").Required(),
  };
  static constexpr auto kStruct =
      schema::DescribeCarried("DaemonEndpoint", "A port of the node.", kFields);
  return kStruct;
}

const schema::Struct& DaemonEndpointsShape() {
  static constexpr schema::Field kFields[] = {
      Carried("kubeletEndpoint", kCarriedStruct<&DaemonEndpointShape>,
              "Where the kubelet listens."),
  };
  static constexpr auto kStruct =
      schema::DescribeCarried("NodeDaemonEndpoints", "Ports of the node.", kFields);
  return kStruct;
}

const schema::Struct& SwapShape() {
  static constexpr schema::Field kFields[] = {
      Carried("capacity", kCarriedInt64, "Bytes of swap."),
  };
  static constexpr auto kStruct =
      schema::DescribeCarried("NodeSwapStatus", "Swap of the node.", kFields);
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
      Carried("kubeProxyVersion", kCarriedString, "No longer filled."),
      Carried("operatingSystem", kCarriedString, "linux or windows.").Required(),
      Carried("architecture", kCarriedString, "amd64, arm64 and the like.").Required(),
      Carried("swap", kCarriedStruct<&SwapShape>, "Swap."),
  };
  static constexpr auto kStruct =
      schema::DescribeCarried("NodeSystemInfo", "The node's hardware and software.", kFields);
  return kStruct;
}

const schema::Struct& ImageShape() {
  static constexpr schema::Field kFields[] = {
      Carried("names", kCarriedStrings, "Its names."),
      Carried("sizeBytes", kCarriedInt64, "Its size."),
  };
  static constexpr auto kStruct =
      schema::DescribeCarried("ContainerImage", "An image on the node.", kFields);
  return kStruct;
}

const schema::Struct& AttachedVolumeShape() {
  static constexpr schema::Field kFields[] = {
      Carried("name", kCarriedString, "The volume.").Required(),
      Carried("devicePath", kCarriedString, "Its device.").Required(),
  };
  static constexpr auto kStruct =
      schema::DescribeCarried("AttachedVolume", "A volume attached to the node.", kFields);
  return kStruct;
}

const schema::Struct& RuntimeFeaturesShape() {
  static constexpr schema::Field kFields[] = {
      Carried("recursiveReadOnlyMounts", kCarriedBool, "Recursive read-only mounts."),
      Carried("userNamespaces", kCarriedBool, "User namespaces."),
  };
  static constexpr auto kStruct = schema::DescribeCarried(
      "NodeRuntimeHandlerFeatures", "What a runtime handler can do.", kFields);
  return kStruct;
}

const schema::Struct& RuntimeHandlerShape() {
  static constexpr schema::Field kFields[] = {
      Carried("name", kCarriedString, "Its name; empty for the default."),
      Carried("features", kCarriedStruct<&RuntimeFeaturesShape>, "What it can do."),
  };
  static constexpr auto kStruct =
      schema::DescribeCarried("NodeRuntimeHandler", "A runtime handler.", kFields);
  return kStruct;
}

const schema::Struct& FeaturesShape() {
  static constexpr schema::Field kFields[] = {
      Carried("supplementalGroupsPolicy", kCarriedBool, "Policies for supplemental groups."),
  };
  static constexpr auto kStruct =
      schema::DescribeCarried("NodeFeatures", "What the runtime can do.", kFields);
  return kStruct;
}

}  // namespace

const schema::Struct& NodeStatus::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&NodeStatus::capacity>("capacity", "All that it has."),
      Member<&NodeStatus::allocatable>("allocatable", "What pods can have of it."),
      Carried("phase", kCarriedString, "No longer filled."),
      Member<&NodeStatus::conditions>("conditions", "Ready, MemoryPressure and the like.")
          .MapBy(kByType)
          .PatchBy("type"),
      Carried("addresses", kCarriedStructs<&NodeAddressShape>, "Its addresses.")
          .MapBy(kByType)
          .PatchBy("type"),
      Carried("daemonEndpoints", kCarriedStruct<&DaemonEndpointsShape>, "Ports of the node."),
      Carried("nodeInfo", kCarriedStruct<&SystemInfoShape>, "Hardware and software."),
      Carried("images", kCarriedStructs<&ImageShape>, "Images on the node."),
      Carried("volumesInUse", kCarriedStrings, "Volumes that pods use."),
      Carried("volumesAttached", kCarriedStructs<&AttachedVolumeShape>,
              "Volumes that are attached."),
      Carried("config", kCarriedJson, "No longer used."),
      Carried("runtimeHandlers", kCarriedStructs<&RuntimeHandlerShape>, "Runtime handlers."),
      Carried("features", kCarriedStruct<&FeaturesShape>, "What the runtime can do."),
      Carried("declaredFeatures", kCarriedStrings, "Features that the node tells of."),
  };
  static constexpr auto kStruct =
      schema::Describe<NodeStatus>("NodeStatus", "What a node is.", kFields);
  return kStruct;
}

const schema::Struct& Node::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&Node::metadata>("metadata", "Name, labels and the like."),
      Member<&Node::spec>("spec", "What it is meant to be."),
      Member<&Node::status>("status", "What it is."),
  };
  static constexpr auto kStruct =
      schema::Describe<Node>("Node", "A machine that runs pods.", kFields);
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
