#include "api/container_shapes.h"

#include "api/carried_types.h"

namespace berth::api {

using schema::Carried;
using schema::DescribeCarried;
using schema::kCarriedBool;
using schema::kCarriedInt32;
using schema::kCarriedInt64;
using schema::kCarriedString;
using schema::kCarriedStrings;
using schema::kCarriedStruct;
using schema::kCarriedStructs;

const schema::Struct& LocalObjectReferenceShape() {
  static constexpr schema::Field kFields[] = {
      Carried("name", kCarriedString, "Name of the object.").Default("\"\""),
  };
  static constexpr auto kStruct =
      DescribeCarried("LocalObjectReference", "An object in the same namespace, by name.", kFields)
          .Atomic();
  return kStruct;
}

const schema::Struct& ObjectFieldSelectorShape() {
  static constexpr schema::Field kFields[] = {
      Carried("apiVersion", kCarriedString, "Version that the path is written in; v1 if empty."),
      Carried("fieldPath", kCarriedString, "Path such as metadata.labels['app'].").Required(),
  };
  static constexpr auto kStruct =
      DescribeCarried("ObjectFieldSelector", "A field of the pod itself.", kFields).Atomic();
  return kStruct;
}

const schema::Struct& ResourceFieldSelectorShape() {
  static constexpr schema::Field kFields[] = {
      Carried("containerName", kCarriedString, "Whose resource; needed in volumes."),
      Carried("resource", kCarriedString, "Such as limits.cpu or requests.memory.").Required(),
      Carried("divisor", schema::kCarriedQuantity, "Unit of the result; 1 if absent."),
  };
  static constexpr auto kStruct =
      DescribeCarried("ResourceFieldSelector", "A request or limit of a container.", kFields)
          .Atomic();
  return kStruct;
}

namespace {

const schema::Struct& EnvSourceShape() {
  static constexpr schema::Field kFields[] = {
      Carried("name", kCarriedString, "Name of the object.").Default("\"\""),
      Carried("optional", kCarriedBool, "Whether the object may be missing."),
  };
  static constexpr auto kStruct =
      DescribeCarried("EnvSource", "An object whose keys become variables.", kFields).Atomic();
  return kStruct;
}

const schema::Struct& KeySelectorShape() {
  static constexpr schema::Field kFields[] = {
      Carried("name", kCarriedString, "Name of the object.").Default("\"\""),
      Carried("key", kCarriedString, "Key within it.").Required(),
      Carried("optional", kCarriedBool, "Whether object or key may be missing."),
  };
  static constexpr auto kStruct =
      DescribeCarried("KeySelector", "One key of a ConfigMap or Secret.", kFields).Atomic();
  return kStruct;
}

const schema::Struct& FileKeySelectorShape() {
  static constexpr schema::Field kFields[] = {
      Carried("volumeName", kCarriedString, "Volume that holds the file.").Required(),
      Carried("path", kCarriedString, "File within the volume.").Required(),
      Carried("key", kCarriedString, "Variable within the file.").Required(),
      Carried("optional", kCarriedBool, "Whether file or key may be missing.").Default("false"),
  };
  static constexpr auto kStruct =
      DescribeCarried("FileKeySelector", "One variable of a file.", kFields).Atomic();
  return kStruct;
}

}  // namespace

const schema::Struct& EnvFromSourceShape() {
  static constexpr schema::Field kFields[] = {
      Carried("prefix", kCarriedString, "Put before each name."),
      Carried("configMapRef", kCarriedStruct<&EnvSourceShape>, "Variables from a ConfigMap."),
      Carried("secretRef", kCarriedStruct<&EnvSourceShape>, "Variables from a Secret."),
  };
  static constexpr auto kStruct =
      DescribeCarried("EnvFromSource", "Many environment variables at once.", kFields);
  return kStruct;
}

const schema::Struct& EnvVarSourceShape() {
  static constexpr schema::Field kFields[] = {
      Carried("fieldRef", kCarriedStruct<&ObjectFieldSelectorShape>, "From a field of the pod."),
      Carried("resourceFieldRef", kCarriedStruct<&ResourceFieldSelectorShape>,
              "From a request or limit."),
      Carried("configMapKeyRef", kCarriedStruct<&KeySelectorShape>, "From a ConfigMap."),
      Carried("secretKeyRef", kCarriedStruct<&KeySelectorShape>, "From a Secret."),
      Carried("fileKeyRef", kCarriedStruct<&FileKeySelectorShape>, "From a file in a volume."),
  };
  static constexpr auto kStruct =
      DescribeCarried("EnvVarSource", "Where a variable's value comes from.", kFields);
  return kStruct;
}

const schema::Struct& ResizePolicyShape() {
  static constexpr schema::Field kFields[] = {
      Carried("resourceName", kCarriedString, "The resource.").Required(),
      Carried("restartPolicy", kCarriedString, "NotRequired or RestartContainer.").Required(),
  };
  static constexpr auto kStruct = DescribeCarried(
      "ContainerResizePolicy", "Whether resizing a resource restarts the container.", kFields);
  return kStruct;
}

namespace {

const schema::Struct& RestartRuleExitCodesShape() {
  static constexpr schema::Field kFields[] = {
      Carried("operator", kCarriedString, "In or NotIn.").Required(),
      Carried("values", kCarriedInt32s, "Exit codes.").SetOf(),
  };
  static constexpr auto kStruct =
      DescribeCarried("ContainerRestartRuleOnExitCodes", "Exit codes that match.", kFields);
  return kStruct;
}

}  // namespace

const schema::Struct& RestartRuleShape() {
  static constexpr schema::Field kFields[] = {
      Carried("action", kCarriedString, "What to do when the rule matches.").Required(),
      Carried("exitCodes", kCarriedStruct<&RestartRuleExitCodesShape>, "When the rule matches."),
  };
  static constexpr auto kStruct =
      DescribeCarried("ContainerRestartRule", "What to do after certain exits.", kFields);
  return kStruct;
}

const schema::Struct& VolumeMountShape() {
  static constexpr schema::Field kFields[] = {
      Carried("name", kCarriedString, "Volume of the pod.").Required(),
      Carried("readOnly", kCarriedBool, "Whether writing is refused."),
      Carried("recursiveReadOnly", kCarriedString, "Whether mounts below are read-only as well."),
      Carried("mountPath", kCarriedString, "Where it appears in the container.").Required(),
      Carried("subPath", kCarriedString, "Part of the volume to mount."),
      Carried("mountPropagation", kCarriedString, "Whether later mounts pass in or out."),
      Carried("subPathExpr", kCarriedString, "Like subPath, with $(VARIABLES)."),
  };
  static constexpr auto kStruct =
      DescribeCarried("VolumeMount", "A volume within a container.", kFields);
  return kStruct;
}

const schema::Struct& VolumeDeviceShape() {
  static constexpr schema::Field kFields[] = {
      Carried("name", kCarriedString, "Volume of the pod.").Required(),
      Carried("devicePath", kCarriedString, "Where the device appears.").Required(),
  };
  static constexpr auto kStruct =
      DescribeCarried("VolumeDevice", "A raw block device within a container.", kFields);
  return kStruct;
}

namespace {

const schema::Struct& ExecActionShape() {
  static constexpr schema::Field kFields[] = {
      Carried("command", kCarriedStrings, "Program and arguments, run without a shell."),
  };
  static constexpr auto kStruct =
      DescribeCarried("ExecAction", "A command in the container.", kFields);
  return kStruct;
}

const schema::Struct& HttpHeaderShape() {
  static constexpr schema::Field kFields[] = {
      Carried("name", kCarriedString, "Name of the header.").Required(),
      Carried("value", kCarriedString, "Its value.").Required(),
  };
  static constexpr auto kStruct = DescribeCarried("HTTPHeader", "A header to send.", kFields);
  return kStruct;
}

const schema::Struct& HttpGetActionShape() {
  static constexpr schema::Field kFields[] = {
      Carried("path", kCarriedString, "Path to ask for."),
      Carried("port", schema::kCarriedIntOrString, "Number or name of the port.").Required(),
      Carried("host", kCarriedString, "Host; the pod itself if empty."),
      Carried("scheme", kCarriedString, "HTTP or HTTPS."),
      Carried("httpHeaders", kCarriedStructs<&HttpHeaderShape>, "Headers to send."),
  };
  static constexpr auto kStruct = DescribeCarried("HTTPGetAction", "An HTTP request.", kFields);
  return kStruct;
}

const schema::Struct& TcpSocketActionShape() {
  static constexpr schema::Field kFields[] = {
      Carried("port", schema::kCarriedIntOrString, "Number or name of the port.").Required(),
      Carried("host", kCarriedString, "Host; the pod itself if empty."),
  };
  static constexpr auto kStruct = DescribeCarried("TCPSocketAction", "A TCP connection.", kFields);
  return kStruct;
}

const schema::Struct& GrpcActionShape() {
  static constexpr schema::Field kFields[] = {
      Carried("port", kCarriedInt32, "Number of the port.").Required(),
      Carried("service", kCarriedString, "Service that is asked about.").Default("\"\""),
  };
  static constexpr auto kStruct = DescribeCarried("GRPCAction", "A gRPC health check.", kFields);
  return kStruct;
}

const schema::Struct& SleepActionShape() {
  static constexpr schema::Field kFields[] = {
      Carried("seconds", kCarriedInt64, "How long.").Required(),
  };
  static constexpr auto kStruct = DescribeCarried("SleepAction", "A pause.", kFields);
  return kStruct;
}

const schema::Struct& LifecycleHandlerShape() {
  static constexpr schema::Field kFields[] = {
      Carried("exec", kCarriedStruct<&ExecActionShape>, "Runs a command."),
      Carried("httpGet", kCarriedStruct<&HttpGetActionShape>, "Sends an HTTP request."),
      Carried("tcpSocket", kCarriedStruct<&TcpSocketActionShape>, "Accepted and not used."),
      Carried("sleep", kCarriedStruct<&SleepActionShape>, "Waits."),
  };
  static constexpr auto kStruct =
      DescribeCarried("LifecycleHandler", "What to do at a moment of a container's life.", kFields);
  return kStruct;
}

}  // namespace

const schema::Struct& ProbeShape() {
  static constexpr schema::Field kFields[] = {
      Carried("exec", kCarriedStruct<&ExecActionShape>, "Runs a command."),
      Carried("httpGet", kCarriedStruct<&HttpGetActionShape>, "Sends an HTTP request."),
      Carried("tcpSocket", kCarriedStruct<&TcpSocketActionShape>, "Opens a TCP connection."),
      Carried("grpc", kCarriedStruct<&GrpcActionShape>, "Asks a gRPC health service."),
      Carried("initialDelaySeconds", kCarriedInt32, "Wait before the first probe."),
      Carried("timeoutSeconds", kCarriedInt32, "When a probe counts as failed."),
      Carried("periodSeconds", kCarriedInt32, "Time between probes."),
      Carried("successThreshold", kCarriedInt32, "Successes in a row that count as healthy."),
      Carried("failureThreshold", kCarriedInt32, "Failures in a row that count as unhealthy."),
      Carried("terminationGracePeriodSeconds", kCarriedInt64, "Time to stop after a failure."),
  };
  static constexpr auto kStruct =
      DescribeCarried("Probe", "A periodic check of a container.", kFields);
  return kStruct;
}

const schema::Struct& LifecycleShape() {
  static constexpr schema::Field kFields[] = {
      Carried("postStart", kCarriedStruct<&LifecycleHandlerShape>, "Right after the start."),
      Carried("preStop", kCarriedStruct<&LifecycleHandlerShape>, "Before the stop signal."),
      Carried("stopSignal", kCarriedString, "Signal that stops the container."),
  };
  static constexpr auto kStruct =
      DescribeCarried("Lifecycle", "Actions at the start and end of a container.", kFields);
  return kStruct;
}

}  // namespace berth::api
