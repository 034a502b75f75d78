#include "api/core/security_shapes.h"

#include "api/meta/carried_types.h"

namespace berth::api {

using schema::Carried;
using schema::DescribeCarried;
using schema::kCarriedBool;
using schema::kCarriedInt64;
using schema::kCarriedString;
using schema::kCarriedStrings;
using schema::kCarriedStruct;
using schema::kCarriedStructs;

namespace {

const schema::Struct& CapabilitiesShape() {
  static constexpr schema::Field kFields[] = {
      Carried("add", kCarriedStrings, "Capabilities to add."),
      Carried("drop", kCarriedStrings, "Capabilities to drop."),
  };
  static constexpr auto kStruct =
      DescribeCarried("Capabilities", "Capabilities adds and drops Linux capabilities.", kFields);
  return kStruct;
}

const schema::Struct& SeLinuxOptionsShape() {
  static constexpr schema::Field kFields[] = {
      Carried("user", kCarriedString, "SELinux user."),
      Carried("role", kCarriedString, "SELinux role."),
      Carried("type", kCarriedString, "SELinux type."),
      Carried("level", kCarriedString, "SELinux level."),
  };
  static constexpr auto kStruct =
      DescribeCarried("SELinuxOptions", "SELinuxOptions is an SELinux label.", kFields);
  return kStruct;
}

const schema::Struct& WindowsOptionsShape() {
  static constexpr schema::Field kFields[] = {
      Carried("gmsaCredentialSpecName", kCarriedString, "Name of the GMSA credential."),
      Carried("gmsaCredentialSpec", kCarriedString, "Content of the GMSA credential."),
      Carried("runAsUserName", kCarriedString, "User of the process."),
      Carried("hostProcess", kCarriedBool, "Whether the container is a host process."),
  };
  static constexpr auto kStruct = DescribeCarried(
      "WindowsSecurityContextOptions",
      "WindowsSecurityContextOptions holds settings of Windows containers.", kFields);
  return kStruct;
}

const schema::Struct& ProfileShape() {
  static constexpr schema::Field kFields[] = {
      Carried("type", kCarriedString, "RuntimeDefault, Unconfined or Localhost.").Required(),
      Carried("localhostProfile", kCarriedString, "Profile on the node, for Localhost."),
  };
  static constexpr auto kStruct =
      DescribeCarried("Profile", "Profile is a seccomp or AppArmor profile.", kFields);
  return kStruct;
}

const schema::Struct& SysctlShape() {
  static constexpr schema::Field kFields[] = {
      Carried("name", kCarriedString, "Name of the kernel parameter.").Required(),
      Carried("value", kCarriedString, "Value of the parameter.").Required(),
  };
  static constexpr auto kStruct =
      DescribeCarried("Sysctl", "Sysctl is a kernel parameter.", kFields);
  return kStruct;
}

}  // namespace

const schema::Struct& SecurityContextShape() {
  static constexpr schema::Field kFields[] = {
      Carried("capabilities", kCarriedStruct<&CapabilitiesShape>, "Linux capabilities."),
      Carried("privileged", kCarriedBool, "Whether the container is privileged."),
      Carried("seLinuxOptions", kCarriedStruct<&SeLinuxOptionsShape>, "SELinux label."),
      Carried("windowsOptions", kCarriedStruct<&WindowsOptionsShape>, "Settings for Windows."),
      Carried("runAsUser", kCarriedInt64, "User id of the process."),
      Carried("runAsGroup", kCarriedInt64, "Group id of the process."),
      Carried("runAsNonRoot", kCarriedBool, "Whether the container must not run as root."),
      Carried("readOnlyRootFilesystem", kCarriedBool, "Whether the root filesystem is read-only."),
      Carried("allowPrivilegeEscalation", kCarriedBool, "Whether a process may gain privileges."),
      Carried("procMount", kCarriedString, "Type of the /proc mount."),
      Carried("seccompProfile", kCarriedStruct<&ProfileShape>, "Seccomp profile."),
      Carried("appArmorProfile", kCarriedStruct<&ProfileShape>, "AppArmor profile."),
  };
  static constexpr auto kStruct = DescribeCarried(
      "SecurityContext", "SecurityContext holds the security settings of a container.", kFields);
  return kStruct;
}

const schema::Struct& PodSecurityContextShape() {
  static constexpr schema::Field kFields[] = {
      Carried("seLinuxOptions", kCarriedStruct<&SeLinuxOptionsShape>, "SELinux label."),
      Carried("windowsOptions", kCarriedStruct<&WindowsOptionsShape>, "Settings for Windows."),
      Carried("runAsUser", kCarriedInt64, "User id of the processes."),
      Carried("runAsGroup", kCarriedInt64, "Group id of the processes."),
      Carried("runAsNonRoot", kCarriedBool, "Whether the container must not run as root."),
      Carried("supplementalGroups", kCarriedInt64s, "Additional groups of the first process."),
      Carried("supplementalGroupsPolicy", kCarriedString, "Merge or Strict."),
      Carried("fsGroup", kCarriedInt64, "Group that owns the volumes."),
      Carried("sysctls", kCarriedStructs<&SysctlShape>, "Kernel parameters."),
      Carried("fsGroupChangePolicy", kCarriedString,
              "Policy for changing the ownership of volumes."),
      Carried("seccompProfile", kCarriedStruct<&ProfileShape>, "Seccomp profile."),
      Carried("appArmorProfile", kCarriedStruct<&ProfileShape>, "AppArmor profile."),
      Carried("seLinuxChangePolicy", kCarriedString, "Policy for labelling volumes."),
  };
  static constexpr auto kStruct = DescribeCarried(
      "PodSecurityContext", "PodSecurityContext holds the security settings of a pod.", kFields);
  return kStruct;
}

}  // namespace berth::api
