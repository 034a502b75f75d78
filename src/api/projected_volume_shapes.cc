#include "api/projected_volume_shapes.h"

#include "api/container_shapes.h"
#include "api/meta.h"

namespace berth::api {

using schema::Carried;
using schema::DescribeCarried;
using schema::kCarriedBool;
using schema::kCarriedInt32;
using schema::kCarriedString;
using schema::kCarriedStruct;
using schema::kCarriedStructs;

namespace {

const schema::Struct& KeyToPathShape() {
  static constexpr schema::Field kFields[] = {
      Carried("key", kCarriedString, "Key of the object.").Required(),
      Carried("path", kCarriedString, "File that it becomes.").Required(),
      Carried("mode", kCarriedInt32, "Permission bits of the file."),
  };
  static constexpr auto kStruct = DescribeCarried("KeyToPath", "A key and its file.", kFields);
  return kStruct;
}

const schema::Struct& DownwardApiFileShape() {
  static constexpr schema::Field kFields[] = {
      Carried("path", kCarriedString, "File to write.").Required(),
      Carried("fieldRef", kCarriedStruct<&ObjectFieldSelectorShape>, "A field of the pod."),
      Carried("resourceFieldRef", kCarriedStruct<&ResourceFieldSelectorShape>,
              "A request or limit of a container."),
      Carried("mode", kCarriedInt32, "Permission bits of the file."),
  };
  static constexpr auto kStruct =
      DescribeCarried("DownwardAPIVolumeFile", "A file about the pod.", kFields);
  return kStruct;
}

const schema::Struct& ObjectProjectionShape() {
  static constexpr schema::Field kFields[] = {
      Carried("name", kCarriedString, "Name of the object.").Default("\"\""),
      Carried("items", kCarriedStructs<&KeyToPathShape>, "Keys to show; all if absent."),
      Carried("optional", kCarriedBool, "Whether object or keys may be missing."),
  };
  static constexpr auto kStruct =
      DescribeCarried("ObjectProjection", "Keys of a Secret or ConfigMap.", kFields).Atomic();
  return kStruct;
}

const schema::Struct& DownwardApiProjectionShape() {
  static constexpr schema::Field kFields[] = {
      Carried("items", kCarriedStructs<&DownwardApiFileShape>, "Files to write."),
  };
  static constexpr auto kStruct =
      DescribeCarried("DownwardAPIProjection", "Files about the pod.", kFields);
  return kStruct;
}

const schema::Struct& TokenProjectionShape() {
  static constexpr schema::Field kFields[] = {
      Carried("audience", kCarriedString, "Who the token is for."),
      Carried("expirationSeconds", schema::kCarriedInt64, "How long the token is valid."),
      Carried("path", kCarriedString, "File to write.").Required(),
  };
  static constexpr auto kStruct =
      DescribeCarried("ServiceAccountTokenProjection", "A token of the pod's account.", kFields);
  return kStruct;
}

const schema::Struct& TrustBundleProjectionShape() {
  static constexpr schema::Field kFields[] = {
      Carried("name", kCarriedString, "One bundle by name."),
      Carried("signerName", kCarriedString, "Bundles of a signer."),
      Carried("labelSelector", kCarriedStruct<&LabelSelector::Description>,
              "Bundles of the signer, by label."),
      Carried("optional", kCarriedBool, "Whether there may be none."),
      Carried("path", kCarriedString, "File to write.").Required(),
  };
  static constexpr auto kStruct =
      DescribeCarried("ClusterTrustBundleProjection", "Trusted certificates.", kFields);
  return kStruct;
}

const schema::Struct& PodCertificateProjectionShape() {
  static constexpr schema::Field kFields[] = {
      Carried("signerName", kCarriedString, "Who signs.").Required(),
      Carried("keyType", kCarriedString, "Kind of key, such as ED25519.").Required(),
      Carried("maxExpirationSeconds", kCarriedInt32, "The longest validity that is accepted."),
      Carried("credentialBundlePath", kCarriedString, "File for key and certificates."),
      Carried("keyPath", kCarriedString, "File for the key."),
      Carried("certificateChainPath", kCarriedString, "File for the certificates."),
      Carried("userAnnotations", schema::kCarriedStringMap, "Hints to the signer."),
  };
  static constexpr auto kStruct =
      DescribeCarried("PodCertificateProjection", "A certificate for the pod.", kFields);
  return kStruct;
}

const schema::Struct& VolumeProjectionShape() {
  static constexpr schema::Field kFields[] = {
      Carried("secret", kCarriedStruct<&ObjectProjectionShape>, "Files from a Secret."),
      Carried("downwardAPI", kCarriedStruct<&DownwardApiProjectionShape>, "Files about the pod."),
      Carried("configMap", kCarriedStruct<&ObjectProjectionShape>, "Files from a ConfigMap."),
      Carried("serviceAccountToken", kCarriedStruct<&TokenProjectionShape>, "A token."),
      Carried("clusterTrustBundle", kCarriedStruct<&TrustBundleProjectionShape>,
              "Trusted certificates."),
      Carried("podCertificate", kCarriedStruct<&PodCertificateProjectionShape>,
              "A certificate for the pod."),
  };
  static constexpr auto kStruct =
      DescribeCarried("VolumeProjection", "One source of a projected volume.", kFields);
  return kStruct;
}

}  // namespace

const schema::Struct& SecretVolumeShape() {
  static constexpr schema::Field kFields[] = {
      Carried("secretName", kCarriedString, "Name of the Secret."),
      Carried("items", kCarriedStructs<&KeyToPathShape>, "Keys to show; all if absent."),
      Carried("defaultMode", kCarriedInt32, "Permission bits of the files."),
      Carried("optional", kCarriedBool, "Whether Secret or keys may be missing."),
  };
  static constexpr auto kStruct =
      DescribeCarried("SecretVolumeSource", "Files from a Secret.", kFields);
  return kStruct;
}

const schema::Struct& ConfigMapVolumeShape() {
  static constexpr schema::Field kFields[] = {
      Carried("name", kCarriedString, "Name of the ConfigMap.").Default("\"\""),
      Carried("items", kCarriedStructs<&KeyToPathShape>, "Keys to show; all if absent."),
      Carried("defaultMode", kCarriedInt32, "Permission bits of the files."),
      Carried("optional", kCarriedBool, "Whether ConfigMap or keys may be missing."),
  };
  static constexpr auto kStruct =
      DescribeCarried("ConfigMapVolumeSource", "Files from a ConfigMap.", kFields).Atomic();
  return kStruct;
}

const schema::Struct& DownwardApiVolumeShape() {
  static constexpr schema::Field kFields[] = {
      Carried("items", kCarriedStructs<&DownwardApiFileShape>, "Files to write."),
      Carried("defaultMode", kCarriedInt32, "Permission bits of the files."),
  };
  static constexpr auto kStruct =
      DescribeCarried("DownwardAPIVolumeSource", "Files about the pod.", kFields);
  return kStruct;
}

const schema::Struct& ProjectedVolumeShape() {
  static constexpr schema::Field kFields[] = {
      Carried("sources", kCarriedStructs<&VolumeProjectionShape>, "Where the files come from."),
      Carried("defaultMode", kCarriedInt32, "Permission bits of the files."),
  };
  static constexpr auto kStruct =
      DescribeCarried("ProjectedVolumeSource", "Files from several sources.", kFields);
  return kStruct;
}

}  // namespace berth::api
