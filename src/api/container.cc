#include "api/container.h"

#include <algorithm>

#include "api/container_shapes.h"
#include "api/list_keys.h"
#include "api/security_shapes.h"

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
      Member<&EnvVar::value>("value", "Its value; $(OTHER) is expanded."),
      Carried("valueFrom", kCarriedStruct<&EnvVarSourceShape>, "Where the value comes from."),
  };
  static constexpr auto kStruct =
      schema::Describe<EnvVar>("EnvVar", "An environment variable.", kFields);
  return kStruct;
}

const schema::Struct& ContainerPort::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&ContainerPort::name>("name", "Name that Services may use."),
      Member<&ContainerPort::host_port>("hostPort", "Port on the node."),
      Member<&ContainerPort::container_port>("containerPort", "Port within the pod.").Required(),
      Member<&ContainerPort::protocol>("protocol", "TCP, UDP or SCTP.").Default("\"TCP\""),
      Member<&ContainerPort::host_ip>("hostIP", "Address of the node that hostPort is on."),
  };
  static constexpr auto kStruct =
      schema::Describe<ContainerPort>("ContainerPort", "A port that is listened on.", kFields);
  return kStruct;
}

namespace {

constexpr schema::Field kContainerFields[] = {
    Member<&Container::name>("name", "Name, unique within the pod.").Required(),
    Member<&Container::image>("image", "Image to run."),
    Member<&Container::command>("command", "Program to run instead of the image's entry point."),
    Member<&Container::args>("args", "Arguments of the program."),
    Carried("workingDir", kCarriedString, "Directory to start in."),
    Member<&Container::ports>("ports", "Ports that are listened on.")
        .MapBy(kByPort)
        .PatchBy("containerPort"),
    Carried("envFrom", kCarriedStructs<&EnvFromSourceShape>,
            "Environment variables from ConfigMaps and Secrets."),
    Member<&Container::env>("env", "Environment variables.").MapBy(kByName).PatchBy("name"),
    Member<&Container::resources>("resources", "What it needs to run."),
    Carried("resizePolicy", kCarriedStructs<&ResizePolicyShape>,
            "Which resources can change without a restart."),
    Member<&Container::restart_policy>(
        "restartPolicy", "Always makes an init container a sidecar; else as the pod says."),
    Carried("restartPolicyRules", kCarriedStructs<&RestartRuleShape>,
            "Exceptions from the restart policy, by exit code."),
    Carried("volumeMounts", kCarriedStructs<&VolumeMountShape>, "Volumes as directories.")
        .MapBy(kByMountPath)
        .PatchBy("mountPath"),
    Carried("volumeDevices", kCarriedStructs<&VolumeDeviceShape>, "Volumes as block devices.")
        .MapBy(kByDevicePath)
        .PatchBy("devicePath"),
    Carried("livenessProbe", kCarriedStruct<&ProbeShape>, "Restarts the container on failure."),
    Carried("readinessProbe", kCarriedStruct<&ProbeShape>, "Takes the pod out of service."),
    Carried("startupProbe", kCarriedStruct<&ProbeShape>, "Holds the other probes back."),
    Carried("lifecycle", kCarriedStruct<&LifecycleShape>, "Actions at start and end."),
    Carried("terminationMessagePath", kCarriedString, "File with the last words."),
    Carried("terminationMessagePolicy", kCarriedString, "File or FallbackToLogsOnError."),
    Carried("imagePullPolicy", kCarriedString, "Always, IfNotPresent or Never."),
    Carried("securityContext", kCarriedStruct<&SecurityContextShape>, "What it may do."),
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
  fields.back() =
      Carried("targetContainerName", kCarriedString, "Container whose processes it sees.");
  return fields;
}();

}  // namespace

const schema::Struct& Container::Description() {
  static constexpr auto kStruct =
      schema::Describe<Container>("Container", "A container of a pod.", kContainerFields);
  return kStruct;
}

const schema::Struct& EphemeralContainerShape() {
  static constexpr auto kStruct = schema::DescribeCarried(
      "EphemeralContainer", "A container for debugging a running pod.", kEphemeralContainerFields);
  return kStruct;
}

}  // namespace berth::api

template class std::vector<berth::api::Container>;
template class std::vector<berth::api::ContainerPort>;
template class std::vector<berth::api::EnvVar>;
