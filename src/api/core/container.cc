#include "api/core/container.h"

#include <algorithm>

#include "api/core/container_shapes.h"
#include "api/core/security_shapes.h"
#include "api/meta/list_keys.h"

namespace berth::api {

using schema::Carried;
using schema::kCarriedBool;
using schema::kCarriedString;
using schema::kCarriedStruct;
using schema::kCarriedStructs;
using schema::Member;

namespace {

constexpr std::string_view kByMountPath[] = {"mountPath"};
constexpr std::string_view kByDevicePath[] = {"devicePath"};
constexpr std::string_view kByPort[] = {"containerPort", "protocol"};

}  // namespace

const schema::Struct& EnvVar::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&EnvVar::name>("name", "Name of the variable.").Required(),
      Member<&EnvVar::value>("value", "Value of the variable; $(OTHER) is expanded."),
      Carried("valueFrom", kCarriedStruct<&EnvVarSourceShape>, "Source of the value."),
  };
  static constexpr auto kStruct =
      schema::Describe<EnvVar>("EnvVar", "EnvVar is an environment variable.", kFields);
  return kStruct;
}

const schema::Struct& ContainerPort::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&ContainerPort::name>("name", "Name of the port, for Services."),
      Member<&ContainerPort::host_port>("hostPort", "Port on the node."),
      Member<&ContainerPort::container_port>("containerPort", "Port of the pod.").Required(),
      Member<&ContainerPort::protocol>("protocol", "TCP, UDP or SCTP.").Default("\"TCP\""),
      Member<&ContainerPort::host_ip>("hostIP", "Address of the node for hostPort."),
  };
  static constexpr auto kStruct = schema::Describe<ContainerPort>(
      "ContainerPort", "ContainerPort is a port exposed by a container.", kFields);
  return kStruct;
}

namespace {

constexpr schema::Field kContainerFields[] = {
    Member<&Container::name>("name", "Name, unique within the pod.").Required(),
    Member<&Container::image>("image", "Image to run."),
    Member<&Container::command>("command", "Command that replaces the image's entry point."),
    Member<&Container::args>("args", "Arguments of the command."),
    Carried("workingDir", kCarriedString, "Working directory."),
    Member<&Container::ports>("ports", "Exposed ports.").MapBy(kByPort).PatchBy("containerPort"),
    Carried("envFrom", kCarriedStructs<&EnvFromSourceShape>,
            "Environment variables from ConfigMaps and Secrets."),
    Member<&Container::env>("env", "Environment variables.").MapBy(kByName).PatchBy("name"),
    Member<&Container::resources>("resources", "Resource requirements."),
    Carried("resizePolicy", kCarriedStructs<&ResizePolicyShape>,
            "Resources that can be resized without a restart."),
    Member<&Container::restart_policy>(
        "restartPolicy", "Always makes an init container a sidecar. Defaults to the pod's policy."),
    Carried("restartPolicyRules", kCarriedStructs<&RestartRuleShape>,
            "Exceptions from the restart policy, by exit code."),
    Carried("volumeMounts", kCarriedStructs<&VolumeMountShape>, "Volumes as directories.")
        .MapBy(kByMountPath)
        .PatchBy("mountPath"),
    Carried("volumeDevices", kCarriedStructs<&VolumeDeviceShape>, "Volumes as block devices.")
        .MapBy(kByDevicePath)
        .PatchBy("devicePath"),
    Carried("livenessProbe", kCarriedStruct<&ProbeShape>,
            "Probe whose failure restarts the container."),
    Carried("readinessProbe", kCarriedStruct<&ProbeShape>,
            "Probe whose failure makes the pod unready."),
    Carried("startupProbe", kCarriedStruct<&ProbeShape>,
            "Probe that must succeed before the other probes start."),
    Carried("lifecycle", kCarriedStruct<&LifecycleShape>, "Actions at start and stop."),
    Carried("terminationMessagePath", kCarriedString, "File with the termination message."),
    Carried("terminationMessagePolicy", kCarriedString, "File or FallbackToLogsOnError."),
    Carried("imagePullPolicy", kCarriedString, "Always, IfNotPresent or Never."),
    Carried("securityContext", kCarriedStruct<&SecurityContextShape>, "Security settings."),
    Carried("stdin", kCarriedBool, "Whether standard input stays open."),
    Carried("stdinOnce", kCarriedBool, "Whether it closes after the first client."),
    Carried("tty", kCarriedBool, "Whether there is a terminal."),
};

constexpr auto kEphemeralContainerFields = [] {
  std::array<schema::Field, std::size(kContainerFields) + 1> fields;
  std::ranges::transform(kContainerFields, fields.begin(), [](schema::Field field) {
    field.member = nullptr;
    return field;
  });
  fields.back() = Carried("targetContainerName", kCarriedString,
                          "Container whose process namespace is shared.");
  return fields;
}();

}  // namespace

const schema::Struct& Container::Description() {
  static constexpr auto kStruct = schema::Describe<Container>(
      "Container", "Container is a container of a pod.", kContainerFields);
  return kStruct;
}

const schema::Struct& EphemeralContainerShape() {
  static constexpr auto kStruct = schema::DescribeCarried(
      "EphemeralContainer", "EphemeralContainer is a debugging container of a running pod.",
      kEphemeralContainerFields);
  return kStruct;
}

}  // namespace berth::api

template class std::vector<berth::api::Container>;
template class std::vector<berth::api::ContainerPort>;
template class std::vector<berth::api::EnvVar>;
