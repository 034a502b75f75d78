#include "api/security_shapes.h"

#include "api/carried_types.h"

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
      Carried("add", kCarriedStrings, "Capabilities to gain."),
      Carried("drop", kCarriedStrings, "Capabilities to lose."),
  };
  static constexpr auto kStruct = DescribeCarried("Capabilities", "Linux capabilities.", kFields);
  return kStruct;
}

const schema::Struct& SeLinuxOptionsShape() {
  static constexpr schema::Field kFields[] = {
      Carried("user", kCarriedString, "SELinux user."),
      Carried("role", kCarriedString, "SELinux role."),
      Carried("type", kCarriedString, "SELinux type."),
      Carried("level", kCarriedString, "SELinux level."),
  };
  static constexpr auto kStruct = DescribeCarried("SELinuxOptions", "An SELinux label.", kFields);
  return kStruct;
}

const schema::Struct& WindowsOptionsShape() {
  static constexpr schema::Field kFields[] = {
      Carried("gmsaCredentialSpecName", kCarriedString, "Name of the GMSA credential."),
      Carried("gmsaCredentialSpec", kCarriedString, "The GMSA credential itself."),
      Carried("runAsUserName", kCarriedString, "User that runs the process."),
      Carried("hostProcess", kCarriedBool, "Whether it runs on the host."),
  };
  static constexpr auto kStruct =
      DescribeCarried("WindowsSecurityContextOptions", "Settings for Windows.", kFields);
  return kStruct;
}

const schema::Struct& ProfileShape() {
  static constexpr schema::Field kFields[] = {
      Carried("type", kCarriedString, "RuntimeDefault, Unconfined or Localhost.").Required(),
      Carried("localhostProfile", kCarriedString, "Profile on the node, for Localhost."),
  };
  static constexpr auto kStruct =
      DescribeCarried("Profile", "A seccomp or AppArmor profile.", kFields);
  return kStruct;
}

const schema::Struct& SysctlShape() {
  static constexpr schema::Field kFields[] = {
      Carried("name", kCarriedString, "Name of the kernel setting.").Required(),
      Carried("value", kCarriedString, "Its value.").Required(),
  };
  static constexpr auto kStruct = DescribeCarried("Sysctl", "A kernel setting.", kFields);
  return kStruct;
}

}  // namespace

const schema::Struct& SecurityContextShape() {
  static constexpr schema::Field kFields[] = {
      Carried("capabilities", kCarriedStruct<&CapabilitiesShape>, "Linux capabilities."),
      Carried("privileged", kCarriedBool, "Whether it is root on the host."),
      Carried("seLinuxOptions", kCarriedStruct<&SeLinuxOptionsShape>, "SELinux label."),
      Carried("windowsOptions", kCarriedStruct<&WindowsOptionsShape>, "Settings for Windows."),
      Carried("runAsUser", kCarriedInt64, "User id of the process."),
      Carried("runAsGroup", kCarriedInt64, "Group id of the process."),
      Carried("runAsNonRoot", kCarriedBool, "Refuses to run as root."),
      Carried("readOnlyRootFilesystem", kCarriedBool, "Whether the root filesystem is read-only."),
      Carried("allowPrivilegeEscalation", kCarriedBool, "Whether a process may gain privileges."),
      Carried("procMount", kCarriedString, "How /proc is mounted."),
      Carried("seccompProfile", kCarriedStruct<&ProfileShape>, "Seccomp profile."),
      Carried("appArmorProfile", kCarriedStruct<&ProfileShape>, "AppArmor profile."),
  };
  static constexpr auto kStruct =
      DescribeCarried("SecurityContext", "What a container may do.", kFields);
  return kStruct;
}

const schema::Struct& PodSecurityContextShape() {
  static constexpr schema::Field kFields[] = {
      Carried("seLinuxOptions", kCarriedStruct<&SeLinuxOptionsShape>, "SELinux label."),
      Carried("windowsOptions", kCarriedStruct<&WindowsOptionsShape>, "Settings for Windows."),
      Carried("runAsUser", kCarriedInt64, "User id of the processes."),
      Carried("runAsGroup", kCarriedInt64, "Group id of the processes."),
      Carried("runAsNonRoot", kCarriedBool, "Refuses to run as root."),
      Carried("supplementalGroups", kCarriedInt64s, "More groups of the first process."),
      Carried("supplementalGroupsPolicy", kCarriedString, "Merge or Strict."),
      Carried("fsGroup", kCarriedInt64, "Group that owns the volumes."),
      Carried("sysctls", kCarriedStructs<&SysctlShape>, "Kernel settings."),
      Carried("fsGroupChangePolicy", kCarriedString, "When ownership of volumes is changed."),
      Carried("seccompProfile", kCarriedStruct<&ProfileShape>, "Seccomp profile."),
      Carried("appArmorProfile", kCarriedStruct<&ProfileShape>, "AppArmor profile."),
      Carried("seLinuxChangePolicy", kCarriedString, "How volumes get their SELinux label."),
  };
  static constexpr auto kStruct =
      DescribeCarried("PodSecurityContext", "What a pod may do.", kFields);
  return kStruct;
}

}  // namespace berth::api
