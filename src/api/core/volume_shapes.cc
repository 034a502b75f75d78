#include "api/core/volume_shapes.h"

#include "api/core/projected_volume_shapes.h"
#include "api/core/storage_volume_shapes.h"
#include "api/meta/carried_types.h"
#include "api/meta/meta.h"

namespace berth::api {

using schema::Carried;
using schema::DescribeCarried;
using schema::kCarriedBool;
using schema::kCarriedString;
using schema::kCarriedStrings;
using schema::kCarriedStruct;

namespace {

const schema::Struct& EmptyDirShape() {
  static constexpr schema::Field kFields[] = {
      Carried("medium", kCarriedString, "Memory for tmpfs; empty for the node's disk."),
      Carried("sizeLimit", schema::kCarriedQuantity, "Maximum size."),
  };
  static constexpr auto kStruct = DescribeCarried(
      "EmptyDirVolumeSource",
      "EmptyDirVolumeSource is an empty directory with the lifetime of the pod.", kFields);
  return kStruct;
}

const schema::Struct& HostPathShape() {
  static constexpr schema::Field kFields[] = {
      Carried("path", kCarriedString, "Path on the node.").Required(),
      Carried("type", kCarriedString, "Type of the path, and whether to create it."),
  };
  static constexpr auto kStruct = DescribeCarried(
      "HostPathVolumeSource", "HostPathVolumeSource is a path of the node.", kFields);
  return kStruct;
}

const schema::Struct& ImageVolumeShape() {
  static constexpr schema::Field kFields[] = {
      Carried("reference", kCarriedString, "Reference of the image or artifact."),
      Carried("pullPolicy", kCarriedString, "Always, IfNotPresent or Never."),
  };
  static constexpr auto kStruct = DescribeCarried(
      "ImageVolumeSource", "ImageVolumeSource is the content of an OCI image.", kFields);
  return kStruct;
}

const schema::Struct& GitRepoShape() {
  static constexpr schema::Field kFields[] = {
      Carried("repository", kCarriedString, "Address of the repository.").Required(),
      Carried("revision", kCarriedString, "Commit to check out."),
      Carried("directory", kCarriedString, "Directory to clone into."),
  };
  static constexpr auto kStruct =
      DescribeCarried("GitRepoVolumeSource",
                      "GitRepoVolumeSource is a clone of a repository. Deprecated.", kFields);
  return kStruct;
}

const schema::Struct& ClaimReferenceShape() {
  static constexpr schema::Field kFields[] = {
      Carried("claimName", kCarriedString, "Name of the claim.").Required(),
      Carried("readOnly", kCarriedBool, "Whether every mount is read-only."),
  };
  static constexpr auto kStruct = DescribeCarried(
      "PersistentVolumeClaimVolumeSource",
      "PersistentVolumeClaimVolumeSource is a claim in the same namespace.", kFields);
  return kStruct;
}

const schema::Struct& DataSourceShape() {
  static constexpr schema::Field kFields[] = {
      Carried("apiGroup", kCarriedString, "Group of the source; empty for the core group."),
      Carried("kind", kCarriedString, "Kind of the source.").Required(),
      Carried("name", kCarriedString, "Name of the source.").Required(),
  };
  static constexpr auto kStruct =
      DescribeCarried("TypedLocalObjectReference",
                      "TypedLocalObjectReference is the source of a new volume's content.", kFields)
          .Atomic();
  return kStruct;
}

const schema::Struct& DataSourceRefShape() {
  static constexpr schema::Field kFields[] = {
      Carried("apiGroup", kCarriedString, "Group of the source; empty for the core group."),
      Carried("kind", kCarriedString, "Kind of the source.").Required(),
      Carried("name", kCarriedString, "Name of the source.").Required(),
      Carried("namespace", kCarriedString, "Namespace of the source, if different."),
  };
  static constexpr auto kStruct =
      DescribeCarried("TypedObjectReference",
                      "TypedObjectReference is the source of a new volume's content.", kFields);
  return kStruct;
}

const schema::Struct& VolumeResourcesShape() {
  static constexpr schema::Field kFields[] = {
      Carried("limits", kCarriedQuantityMap, "Maximum size."),
      Carried("requests", kCarriedQuantityMap, "Minimum size."),
  };
  static constexpr auto kStruct = DescribeCarried(
      "VolumeResourceRequirements", "VolumeResourceRequirements is the size of a volume.", kFields);
  return kStruct;
}

const schema::Struct& PersistentVolumeClaimSpecShape() {
  static constexpr schema::Field kFields[] = {
      Carried("accessModes", kCarriedStrings, "Access modes of the volume."),
      Carried("selector", kCarriedStruct<&LabelSelector::Description>,
              "Label selector of suitable volumes."),
      Carried("resources", kCarriedStruct<&VolumeResourcesShape>, "Size of the volume."),
      Carried("volumeName", kCarriedString, "Volume bound to the claim."),
      Carried("storageClassName", kCarriedString, "Storage class of the volume."),
      Carried("volumeMode", kCarriedString, "Filesystem or Block."),
      Carried("dataSource", kCarriedStruct<&DataSourceShape>, "Source of the initial content."),
      Carried("dataSourceRef", kCarriedStruct<&DataSourceRefShape>,
              "Source of the initial content, of any kind."),
      Carried("volumeAttributesClassName", kCarriedString, "Class of mutable attributes."),
  };
  static constexpr auto kStruct =
      DescribeCarried("PersistentVolumeClaimSpec",
                      "PersistentVolumeClaimSpec describes the requested volume.", kFields);
  return kStruct;
}

const schema::Struct& EphemeralVolumeShape() {
  static constexpr schema::Field kFields[] = {
      Carried("volumeClaimTemplate", kCarriedStruct<&PersistentVolumeClaimTemplateShape>,
              "Template of the pod's claim."),
  };
  static constexpr auto kStruct =
      DescribeCarried("EphemeralVolumeSource",
                      "EphemeralVolumeSource is a claim with the lifetime of the pod.", kFields);
  return kStruct;
}

}  // namespace

const schema::Struct& PersistentVolumeClaimTemplateShape() {
  static constexpr schema::Field kFields[] = {
      Carried("metadata", kCarriedStruct<&ObjectMeta::Description>, "Labels and annotations."),
      Carried("spec", kCarriedStruct<&PersistentVolumeClaimSpecShape>, "Requested volume.")
          .Required(),
  };
  static constexpr auto kStruct =
      DescribeCarried("PersistentVolumeClaimTemplate",
                      "PersistentVolumeClaimTemplate is the template of a claim.", kFields);
  return kStruct;
}

const schema::Struct& PersistentVolumeClaimShape() {
  static constexpr schema::Field kFields[] = {
      Carried("apiVersion", kCarriedString, "Version, if present v1."),
      Carried("kind", kCarriedString, "Kind, if present PersistentVolumeClaim."),
      Carried("metadata", kCarriedStruct<&ObjectMeta::Description>, "Name and labels."),
      Carried("spec", kCarriedStruct<&PersistentVolumeClaimSpecShape>, "Requested volume."),
      Carried("status", schema::kCarriedJson, "Bound volume."),
  };
  static constexpr auto kStruct =
      DescribeCarried("PersistentVolumeClaim", "PersistentVolumeClaim requests a volume.", kFields);
  return kStruct;
}

const schema::Struct& VolumeShape() {
  static constexpr schema::Field kFields[] = {
      Carried("name", kCarriedString, "Name that mounts refer to.").Required(),
      Carried("hostPath", kCarriedStruct<&HostPathShape>, "A path of the node."),
      Carried("emptyDir", kCarriedStruct<&EmptyDirShape>, "Scratch space."),
      Carried("gcePersistentDisk", kCarriedStruct<&GcePersistentDiskShape>, "A Google disk."),
      Carried("awsElasticBlockStore", kCarriedStruct<&AwsElasticBlockStoreShape>, "An AWS disk."),
      Carried("gitRepo", kCarriedStruct<&GitRepoShape>, "A clone of a repository."),
      Carried("secret", kCarriedStruct<&SecretVolumeShape>, "Files from a Secret."),
      Carried("nfs", kCarriedStruct<&NfsShape>, "An NFS export."),
      Carried("iscsi", kCarriedStruct<&IscsiShape>, "An iSCSI disk."),
      Carried("glusterfs", kCarriedStruct<&GlusterfsShape>, "A Gluster volume."),
      Carried("persistentVolumeClaim", kCarriedStruct<&ClaimReferenceShape>, "A claim."),
      Carried("rbd", kCarriedStruct<&RbdShape>, "A Ceph block device."),
      Carried("flexVolume", kCarriedStruct<&FlexVolumeShape>, "A volume of a driver on the node."),
      Carried("cinder", kCarriedStruct<&CinderShape>, "An OpenStack disk."),
      Carried("cephfs", kCarriedStruct<&CephFsShape>, "A Ceph file system."),
      Carried("flocker", kCarriedStruct<&FlockerShape>, "A Flocker volume."),
      Carried("downwardAPI", kCarriedStruct<&DownwardApiVolumeShape>,
              "Fields of the pod as files."),
      Carried("fc", kCarriedStruct<&FibreChannelShape>, "A Fibre Channel disk."),
      Carried("azureFile", kCarriedStruct<&AzureFileShape>, "An Azure share."),
      Carried("configMap", kCarriedStruct<&ConfigMapVolumeShape>, "Files from a ConfigMap."),
      Carried("vsphereVolume", kCarriedStruct<&VsphereShape>, "A vSphere disk."),
      Carried("quobyte", kCarriedStruct<&QuobyteShape>, "A Quobyte volume."),
      Carried("azureDisk", kCarriedStruct<&AzureDiskShape>, "An Azure disk."),
      Carried("photonPersistentDisk", kCarriedStruct<&PhotonShape>, "A Photon disk."),
      Carried("projected", kCarriedStruct<&ProjectedVolumeShape>, "Files from several sources."),
      Carried("portworxVolume", kCarriedStruct<&PortworxShape>, "A Portworx volume."),
      Carried("scaleIO", kCarriedStruct<&ScaleIoShape>, "A ScaleIO volume."),
      Carried("storageos", kCarriedStruct<&StorageOsShape>, "A StorageOS volume."),
      Carried("csi", kCarriedStruct<&CsiVolumeShape>, "A volume of a CSI driver."),
      Carried("ephemeral", kCarriedStruct<&EphemeralVolumeShape>, "A claim for this pod alone."),
      Carried("image", kCarriedStruct<&ImageVolumeShape>, "Files of an OCI image."),
  };
  static constexpr auto kStruct =
      DescribeCarried("Volume", "Volume is a volume that containers of a pod can mount.", kFields);
  return kStruct;
}

}  // namespace berth::api
