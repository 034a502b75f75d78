#include "api/core/projected_volume_shapes.h"

#include "api/core/container_shapes.h"
#include "api/meta/meta.h"

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
      Carried("path", kCarriedString, "Path of the file.").Required(),
      Carried("mode", kCarriedInt32, "Permission bits of the file."),
  };
  static constexpr auto kStruct =
      DescribeCarried("KeyToPath", "KeyToPath maps a key to a file.", kFields);
  return kStruct;
}

const schema::Struct& DownwardApiFileShape() {
  static constexpr schema::Field kFields[] = {
      Carried("path", kCarriedString, "Path of the file.").Required(),
      Carried("fieldRef", kCarriedStruct<&ObjectFieldSelectorShape>, "A field of the pod."),
      Carried("resourceFieldRef", kCarriedStruct<&ResourceFieldSelectorShape>,
              "A request or limit of a container."),
      Carried("mode", kCarriedInt32, "Permission bits of the file."),
  };
  static constexpr auto kStruct = DescribeCarried(
      "DownwardAPIVolumeFile", "DownwardAPIVolumeFile is a file with a field of the pod.", kFields);
  return kStruct;
}

const schema::Struct& ObjectProjectionShape() {
  static constexpr schema::Field kFields[] = {
      Carried("name", kCarriedString, "Name of the object.").Default("\"\""),
      Carried("items", kCarriedStructs<&KeyToPathShape>, "Keys to project. If absent, all."),
      Carried("optional", kCarriedBool, "Whether object or keys may be missing."),
  };
  static constexpr auto kStruct =
      DescribeCarried("ObjectProjection",
                      "ObjectProjection projects keys of a Secret or ConfigMap.", kFields)
          .Atomic();
  return kStruct;
}

const schema::Struct& DownwardApiProjectionShape() {
  static constexpr schema::Field kFields[] = {
      Carried("items", kCarriedStructs<&DownwardApiFileShape>, "Projected files."),
  };
  static constexpr auto kStruct =
      DescribeCarried("DownwardAPIProjection",
                      "DownwardAPIProjection projects fields of the pod as files.", kFields);
  return kStruct;
}

const schema::Struct& TokenProjectionShape() {
  static constexpr schema::Field kFields[] = {
      Carried("audience", kCarriedString, "Audience of the token."),
      Carried("expirationSeconds", schema::kCarriedInt64, "Validity of the token in seconds."),
      Carried("path", kCarriedString, "Path of the file.").Required(),
  };
  static constexpr auto kStruct = DescribeCarried(
      "ServiceAccountTokenProjection",
      "ServiceAccountTokenProjection projects a token of the pod's service account.", kFields);
  return kStruct;
}

const schema::Struct& TrustBundleProjectionShape() {
  static constexpr schema::Field kFields[] = {
      Carried("name", kCarriedString, "One bundle by name."),
      Carried("signerName", kCarriedString, "Bundles of a signer."),
      Carried("labelSelector", kCarriedStruct<&LabelSelector::Description>,
              "Bundles of the signer, by label."),
      Carried("optional", kCarriedBool, "Whether bundles may be missing."),
      Carried("path", kCarriedString, "Path of the file.").Required(),
  };
  static constexpr auto kStruct =
      DescribeCarried("ClusterTrustBundleProjection",
                      "ClusterTrustBundleProjection projects trusted certificates.", kFields);
  return kStruct;
}

const schema::Struct& PodCertificateProjectionShape() {
  static constexpr schema::Field kFields[] = {
      Carried("signerName", kCarriedString, "Name of the signer.").Required(),
      Carried("keyType", kCarriedString, "Kind of key, such as ED25519.").Required(),
      Carried("maxExpirationSeconds", kCarriedInt32, "Maximum accepted validity in seconds."),
      Carried("credentialBundlePath", kCarriedString, "File for key and certificates."),
      Carried("keyPath", kCarriedString, "File for the key."),
      Carried("certificateChainPath", kCarriedString, "File for the certificates."),
      Carried("userAnnotations", schema::kCarriedStringMap, "Annotations passed to the signer."),
  };
  static constexpr auto kStruct =
      DescribeCarried("PodCertificateProjection",
                      "PodCertificateProjection projects a certificate of the pod.", kFields);
  return kStruct;
}

const schema::Struct& VolumeProjectionShape() {
  static constexpr schema::Field kFields[] = {
      Carried("secret", kCarriedStruct<&ObjectProjectionShape>, "Files from a Secret."),
      Carried("downwardAPI", kCarriedStruct<&DownwardApiProjectionShape>,
              "Fields of the pod as files."),
      Carried("configMap", kCarriedStruct<&ObjectProjectionShape>, "Files from a ConfigMap."),
      Carried("serviceAccountToken", kCarriedStruct<&TokenProjectionShape>, "A token."),
      Carried("clusterTrustBundle", kCarriedStruct<&TrustBundleProjectionShape>,
              "Trusted certificates."),
      Carried("podCertificate", kCarriedStruct<&PodCertificateProjectionShape>,
              "A certificate for the pod."),
  };
  static constexpr auto kStruct = DescribeCarried(
      "VolumeProjection", "VolumeProjection is a source of a projected volume.", kFields);
  return kStruct;
}

}  // namespace

const schema::Struct& SecretVolumeShape() {
  static constexpr schema::Field kFields[] = {
      Carried("secretName", kCarriedString, "Name of the Secret."),
      Carried("items", kCarriedStructs<&KeyToPathShape>, "Keys to project. If absent, all."),
      Carried("defaultMode", kCarriedInt32, "Permission bits of the files."),
      Carried("optional", kCarriedBool, "Whether Secret or keys may be missing."),
  };
  static constexpr auto kStruct = DescribeCarried(
      "SecretVolumeSource", "SecretVolumeSource is a volume with the keys of a Secret.", kFields);
  return kStruct;
}

const schema::Struct& ConfigMapVolumeShape() {
  static constexpr schema::Field kFields[] = {
      Carried("name", kCarriedString, "Name of the ConfigMap.").Default("\"\""),
      Carried("items", kCarriedStructs<&KeyToPathShape>, "Keys to project. If absent, all."),
      Carried("defaultMode", kCarriedInt32, "Permission bits of the files."),
      Carried("optional", kCarriedBool, "Whether ConfigMap or keys may be missing."),
  };
  static constexpr auto kStruct =
      DescribeCarried("ConfigMapVolumeSource",
                      "ConfigMapVolumeSource is a volume with the keys of a ConfigMap.", kFields)
          .Atomic();
  return kStruct;
}

const schema::Struct& DownwardApiVolumeShape() {
  static constexpr schema::Field kFields[] = {
      Carried("items", kCarriedStructs<&DownwardApiFileShape>, "Projected files."),
      Carried("defaultMode", kCarriedInt32, "Permission bits of the files."),
  };
  static constexpr auto kStruct =
      DescribeCarried("DownwardAPIVolumeSource",
                      "DownwardAPIVolumeSource is a volume with fields of the pod.", kFields);
  return kStruct;
}

const schema::Struct& ProjectedVolumeShape() {
  static constexpr schema::Field kFields[] = {
      Carried("sources", kCarriedStructs<&VolumeProjectionShape>, "Sources of the files."),
      Carried("defaultMode", kCarriedInt32, "Permission bits of the files."),
  };
  static constexpr auto kStruct =
      DescribeCarried("ProjectedVolumeSource",
                      "ProjectedVolumeSource is a volume with files of several sources.", kFields);
  return kStruct;
}

}  // namespace berth::api
