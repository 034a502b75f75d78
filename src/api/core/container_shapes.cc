#include "api/core/container_shapes.h"

#include "api/meta/carried_types.h"

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
      DescribeCarried("LocalObjectReference",
                      "LocalObjectReference names an object in the same namespace.", kFields)
          .Atomic();
  return kStruct;
}

const schema::Struct& ObjectFieldSelectorShape() {
  static constexpr schema::Field kFields[] = {
      Carried("apiVersion", kCarriedString, "API version of the path. Defaults to v1."),
      Carried("fieldPath", kCarriedString, "Path such as metadata.labels['app'].").Required(),
  };
  static constexpr auto kStruct =
      DescribeCarried("ObjectFieldSelector", "ObjectFieldSelector selects a field of the pod.",
                      kFields)
          .Atomic();
  return kStruct;
}

const schema::Struct& ResourceFieldSelectorShape() {
  static constexpr schema::Field kFields[] = {
      Carried("containerName", kCarriedString, "Name of the container; required in volumes."),
      Carried("resource", kCarriedString, "Such as limits.cpu or requests.memory.").Required(),
      Carried("divisor", schema::kCarriedQuantity, "Divisor of the result. Defaults to 1."),
  };
  static constexpr auto kStruct =
      DescribeCarried("ResourceFieldSelector",
                      "ResourceFieldSelector selects a request or limit of a container.", kFields)
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
      DescribeCarried("EnvSource",
                      "EnvSource is an object whose keys become environment variables.", kFields)
          .Atomic();
  return kStruct;
}

const schema::Struct& KeySelectorShape() {
  static constexpr schema::Field kFields[] = {
      Carried("name", kCarriedString, "Name of the object.").Default("\"\""),
      Carried("key", kCarriedString, "Key within it.").Required(),
      Carried("optional", kCarriedBool, "Whether object or key may be missing."),
  };
  static constexpr auto kStruct =
      DescribeCarried("KeySelector", "KeySelector selects a key of a ConfigMap or Secret.", kFields)
          .Atomic();
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
      DescribeCarried("FileKeySelector", "FileKeySelector selects a variable of a file.", kFields)
          .Atomic();
  return kStruct;
}

}  // namespace

const schema::Struct& EnvFromSourceShape() {
  static constexpr schema::Field kFields[] = {
      Carried("prefix", kCarriedString, "Prefix of each name."),
      Carried("configMapRef", kCarriedStruct<&EnvSourceShape>, "Variables from a ConfigMap."),
      Carried("secretRef", kCarriedStruct<&EnvSourceShape>, "Variables from a Secret."),
  };
  static constexpr auto kStruct = DescribeCarried(
      "EnvFromSource", "EnvFromSource is a source of environment variables.", kFields);
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
      DescribeCarried("EnvVarSource", "EnvVarSource is the source of a variable's value.", kFields);
  return kStruct;
}

const schema::Struct& ResizePolicyShape() {
  static constexpr schema::Field kFields[] = {
      Carried("resourceName", kCarriedString, "The resource.").Required(),
      Carried("restartPolicy", kCarriedString, "NotRequired or RestartContainer.").Required(),
  };
  static constexpr auto kStruct = DescribeCarried(
      "ContainerResizePolicy",
      "ContainerResizePolicy decides whether resizing a resource restarts the container.", kFields);
  return kStruct;
}

namespace {

const schema::Struct& RestartRuleExitCodesShape() {
  static constexpr schema::Field kFields[] = {
      Carried("operator", kCarriedString, "In or NotIn.").Required(),
      Carried("values", kCarriedInt32s, "Exit codes.").SetOf(),
  };
  static constexpr auto kStruct =
      DescribeCarried("ContainerRestartRuleOnExitCodes",
                      "ContainerRestartRuleOnExitCodes matches exit codes.", kFields);
  return kStruct;
}

}  // namespace

const schema::Struct& RestartRuleShape() {
  static constexpr schema::Field kFields[] = {
      Carried("action", kCarriedString, "Action if the rule matches.").Required(),
      Carried("exitCodes", kCarriedStruct<&RestartRuleExitCodesShape>,
              "Exit codes that the rule matches."),
  };
  static constexpr auto kStruct =
      DescribeCarried("ContainerRestartRule",
                      "ContainerRestartRule maps an exit of the container to an action.", kFields);
  return kStruct;
}

const schema::Struct& VolumeMountShape() {
  static constexpr schema::Field kFields[] = {
      Carried("name", kCarriedString, "Volume of the pod.").Required(),
      Carried("readOnly", kCarriedBool, "Whether the mount is read-only."),
      Carried("recursiveReadOnly", kCarriedString, "Whether nested mounts are read-only too."),
      Carried("mountPath", kCarriedString, "Path of the mount in the container.").Required(),
      Carried("subPath", kCarriedString, "Part of the volume to mount."),
      Carried("mountPropagation", kCarriedString, "Propagation of later mounts."),
      Carried("subPathExpr", kCarriedString, "Like subPath, with $(VARIABLES)."),
  };
  static constexpr auto kStruct =
      DescribeCarried("VolumeMount", "VolumeMount mounts a volume in a container.", kFields);
  return kStruct;
}

const schema::Struct& VolumeDeviceShape() {
  static constexpr schema::Field kFields[] = {
      Carried("name", kCarriedString, "Volume of the pod.").Required(),
      Carried("devicePath", kCarriedString, "Path of the device in the container.").Required(),
  };
  static constexpr auto kStruct = DescribeCarried(
      "VolumeDevice", "VolumeDevice maps a raw block device into a container.", kFields);
  return kStruct;
}

namespace {

const schema::Struct& ExecActionShape() {
  static constexpr schema::Field kFields[] = {
      Carried("command", kCarriedStrings, "Program and arguments, run without a shell."),
  };
  static constexpr auto kStruct =
      DescribeCarried("ExecAction", "ExecAction runs a command in the container.", kFields);
  return kStruct;
}

const schema::Struct& HttpHeaderShape() {
  static constexpr schema::Field kFields[] = {
      Carried("name", kCarriedString, "Name of the header.").Required(),
      Carried("value", kCarriedString, "Value of the header.").Required(),
  };
  static constexpr auto kStruct =
      DescribeCarried("HTTPHeader", "HTTPHeader is a header of a request.", kFields);
  return kStruct;
}

const schema::Struct& HttpGetActionShape() {
  static constexpr schema::Field kFields[] = {
      Carried("path", kCarriedString, "Path of the request."),
      Carried("port", schema::kCarriedIntOrString, "Number or name of the port.").Required(),
      Carried("host", kCarriedString, "Host name. Defaults to the pod's address."),
      Carried("scheme", kCarriedString, "HTTP or HTTPS."),
      Carried("httpHeaders", kCarriedStructs<&HttpHeaderShape>, "Headers to send."),
  };
  static constexpr auto kStruct =
      DescribeCarried("HTTPGetAction", "HTTPGetAction is an HTTP GET request.", kFields);
  return kStruct;
}

const schema::Struct& TcpSocketActionShape() {
  static constexpr schema::Field kFields[] = {
      Carried("port", schema::kCarriedIntOrString, "Number or name of the port.").Required(),
      Carried("host", kCarriedString, "Host name. Defaults to the pod's address."),
  };
  static constexpr auto kStruct =
      DescribeCarried("TCPSocketAction", "TCPSocketAction opens a TCP connection.", kFields);
  return kStruct;
}

const schema::Struct& GrpcActionShape() {
  static constexpr schema::Field kFields[] = {
      Carried("port", kCarriedInt32, "Number of the port.").Required(),
      Carried("service", kCarriedString, "Service to check.").Default("\"\""),
  };
  static constexpr auto kStruct =
      DescribeCarried("GRPCAction", "GRPCAction is a gRPC health check.", kFields);
  return kStruct;
}

const schema::Struct& SleepActionShape() {
  static constexpr schema::Field kFields[] = {
      Carried("seconds", kCarriedInt64, "Duration in seconds.").Required(),
  };
  static constexpr auto kStruct =
      DescribeCarried("SleepAction", "SleepAction is a pause.", kFields);
  return kStruct;
}

const schema::Struct& LifecycleHandlerShape() {
  static constexpr schema::Field kFields[] = {
      Carried("exec", kCarriedStruct<&ExecActionShape>, "Command to run."),
      Carried("httpGet", kCarriedStruct<&HttpGetActionShape>, "HTTP request to send."),
      Carried("tcpSocket", kCarriedStruct<&TcpSocketActionShape>, "Accepted without effect."),
      Carried("sleep", kCarriedStruct<&SleepActionShape>, "Pause."),
  };
  static constexpr auto kStruct = DescribeCarried(
      "LifecycleHandler", "LifecycleHandler is an action on a lifecycle event of a container.",
      kFields);
  return kStruct;
}

}  // namespace

const schema::Struct& ProbeShape() {
  static constexpr schema::Field kFields[] = {
      Carried("exec", kCarriedStruct<&ExecActionShape>, "Command to run."),
      Carried("httpGet", kCarriedStruct<&HttpGetActionShape>, "HTTP request to send."),
      Carried("tcpSocket", kCarriedStruct<&TcpSocketActionShape>, "TCP connection to open."),
      Carried("grpc", kCarriedStruct<&GrpcActionShape>, "gRPC health check."),
      Carried("initialDelaySeconds", kCarriedInt32, "Delay of the first probe in seconds."),
      Carried("timeoutSeconds", kCarriedInt32, "Seconds after which a probe fails."),
      Carried("periodSeconds", kCarriedInt32, "Interval of the probes in seconds."),
      Carried("successThreshold", kCarriedInt32, "Consecutive successes to become healthy."),
      Carried("failureThreshold", kCarriedInt32, "Consecutive failures to become unhealthy."),
      Carried("terminationGracePeriodSeconds", kCarriedInt64,
              "Grace period after a failure, in seconds."),
  };
  static constexpr auto kStruct =
      DescribeCarried("Probe", "Probe is a periodic check of a container.", kFields);
  return kStruct;
}

const schema::Struct& LifecycleShape() {
  static constexpr schema::Field kFields[] = {
      Carried("postStart", kCarriedStruct<&LifecycleHandlerShape>, "Action after the start."),
      Carried("preStop", kCarriedStruct<&LifecycleHandlerShape>, "Action before the stop signal."),
      Carried("stopSignal", kCarriedString, "Signal that stops the container."),
  };
  static constexpr auto kStruct = DescribeCarried(
      "Lifecycle", "Lifecycle holds the actions at start and stop of a container.", kFields);
  return kStruct;
}

}  // namespace berth::api
