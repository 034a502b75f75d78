#include "api/volume_shapes.h"

#include "api/carried_types.h"
#include "api/meta.h"
#include "api/projected_volume_shapes.h"
#include "api/storage_volume_shapes.h"

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
      Carried("sizeLimit", schema::kCarriedQuantity, "The most it may hold."),
  };
  static constexpr auto kStruct = DescribeCarried(
      "EmptyDirVolumeSource", "A directory that lives as long as the pod.", kFields);
  return kStruct;
}

const schema::Struct& HostPathShape() {
  static constexpr schema::Field kFields[] = {
      Carried("path", kCarriedString, "Path on the node.").Required(),
      Carried("type", kCarriedString, "What must be there, or be made."),
  };
  static constexpr auto kStruct =
      DescribeCarried("HostPathVolumeSource", "A path of the node.", kFields);
  return kStruct;
}

const schema::Struct& ImageVolumeShape() {
  static constexpr schema::Field kFields[] = {
      Carried("reference", kCarriedString, "The image or artifact."),
      Carried("pullPolicy", kCarriedString, "Always, IfNotPresent or Never."),
  };
  static constexpr auto kStruct =
      DescribeCarried("ImageVolumeSource", "The files of an OCI image.", kFields);
  return kStruct;
}

const schema::Struct& GitRepoShape() {
  static constexpr schema::Field kFields[] = {
      Carried("repository", kCarriedString, "Address of the repository.").Required(),
      Carried("revision", kCarriedString, "Commit to check out."),
      Carried("directory", kCarriedString, "Directory to clone into."),
  };
  static constexpr auto kStruct =
      DescribeCarried("GitRepoVolumeSource", "A clone of a repository; withdrawn.", kFields);
  return kStruct;
}

const schema::Struct& ClaimReferenceShape() {
  static constexpr schema::Field kFields[] = {
      Carried("claimName", kCarriedString, "Name of the claim.").Required(),
      Carried("readOnly", kCarriedBool, "Whether every mount is read-only."),
  };
  static constexpr auto kStruct = DescribeCarried("PersistentVolumeClaimVolumeSource",
                                                  "A claim in the same namespace.", kFields);
  return kStruct;
}

const schema::Struct& DataSourceShape() {
  static constexpr schema::Field kFields[] = {
      Carried("apiGroup", kCarriedString, "Group of the source; empty for the core group."),
      Carried("kind", kCarriedString, "Kind of the source.").Required(),
      Carried("name", kCarriedString, "Name of the source.").Required(),
  };
  static constexpr auto kStruct =
      DescribeCarried("TypedLocalObjectReference", "What a new volume is filled from.", kFields)
          .Atomic();
  return kStruct;
}

const schema::Struct& DataSourceRefShape() {
  static constexpr schema::Field kFields[] = {
      Carried("apiGroup", kCarriedString, "Group of the source; empty for the core group."),
      Carried("kind", kCarriedString, "Kind of the source.").Required(),
      Carried("name", kCarriedString, "Name of the source.").Required(),
      Carried("namespace", kCarriedString, "Namespace of the source, if another."),
  };
  static constexpr auto kStruct =
      DescribeCarried("TypedObjectReference", "What a new volume is filled from.", kFields);
  return kStruct;
}

const schema::Struct& VolumeResourcesShape() {
  static constexpr schema::Field kFields[] = {
      Carried("limits", kCarriedQuantityMap, "The most that is wanted."),
      Carried("requests", kCarriedQuantityMap, "The least that is wanted."),
  };
  static constexpr auto kStruct =
      DescribeCarried("VolumeResourceRequirements", "Size of a volume.", kFields);
  return kStruct;
}

const schema::Struct& PersistentVolumeClaimSpecShape() {
  static constexpr schema::Field kFields[] = {
      Carried("accessModes", kCarriedStrings, "How the volume may be mounted."),
      Carried("selector", kCarriedStruct<&LabelSelector::Description>, "Volumes that may serve."),
      Carried("resources", kCarriedStruct<&VolumeResourcesShape>, "Size of the volume."),
      Carried("volumeName", kCarriedString, "Volume that serves the claim."),
      Carried("storageClassName", kCarriedString, "Class that makes the volume."),
      Carried("volumeMode", kCarriedString, "Filesystem or Block."),
      Carried("dataSource", kCarriedStruct<&DataSourceShape>, "What to fill it from."),
      Carried("dataSourceRef", kCarriedStruct<&DataSourceRefShape>,
              "What to fill it from, any kind."),
      Carried("volumeAttributesClassName", kCarriedString, "Class of further settings."),
  };
  static constexpr auto kStruct =
      DescribeCarried("PersistentVolumeClaimSpec", "What a claim asks for.", kFields);
  return kStruct;
}

const schema::Struct& EphemeralVolumeShape() {
  static constexpr schema::Field kFields[] = {
      Carried("volumeClaimTemplate", kCarriedStruct<&PersistentVolumeClaimTemplateShape>,
              "The claim that is made for the pod."),
  };
  static constexpr auto kStruct =
      DescribeCarried("EphemeralVolumeSource", "A claim that lives as long as the pod.", kFields);
  return kStruct;
}

}  // namespace

const schema::Struct& PersistentVolumeClaimTemplateShape() {
  static constexpr schema::Field kFields[] = {
      Carried("metadata", kCarriedStruct<&ObjectMeta::Description>, "Labels and annotations."),
      Carried("spec", kCarriedStruct<&PersistentVolumeClaimSpecShape>, "What it asks for.")
          .Required(),
  };
  static constexpr auto kStruct =
      DescribeCarried("PersistentVolumeClaimTemplate", "A claim to be made.", kFields);
  return kStruct;
}

const schema::Struct& PersistentVolumeClaimShape() {
  static constexpr schema::Field kFields[] = {
      Carried("apiVersion", kCarriedString, "v1, where it is written."),
      Carried("kind", kCarriedString, "PersistentVolumeClaim, where it is written."),
      Carried("metadata", kCarriedStruct<&ObjectMeta::Description>, "Name and labels."),
      Carried("spec", kCarriedStruct<&PersistentVolumeClaimSpecShape>, "What it asks for."),
      Carried("status", schema::kCarriedJson, "What it got."),
  };
  static constexpr auto kStruct =
      DescribeCarried("PersistentVolumeClaim", "A wish for a volume.", kFields);
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
      Carried("downwardAPI", kCarriedStruct<&DownwardApiVolumeShape>, "Files about the pod."),
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
      DescribeCarried("Volume", "Files that containers of a pod can mount.", kFields);
  return kStruct;
}

}  // namespace berth::api
