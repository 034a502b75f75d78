#include "api/core/storage_volume_shapes.h"

#include "api/core/container_shapes.h"

namespace berth::api {

using schema::Carried;
using schema::DescribeCarried;
using schema::kCarriedBool;
using schema::kCarriedInt32;
using schema::kCarriedString;
using schema::kCarriedStrings;
using schema::kCarriedStruct;

const schema::Struct& GcePersistentDiskShape() {
  static constexpr schema::Field kFields[] = {
      Carried("pdName", kCarriedString, "Name of the disk.").Required(),
      Carried("fsType", kCarriedString, "Type of the file system."),
      Carried("partition", kCarriedInt32, "Partition to mount."),
      Carried("readOnly", kCarriedBool, "Whether every mount is read-only."),
  };
  static constexpr auto kStruct =
      DescribeCarried("GCEPersistentDiskVolumeSource",
                      "GCEPersistentDiskVolumeSource is a Google persistent disk.", kFields);
  return kStruct;
}

const schema::Struct& AwsElasticBlockStoreShape() {
  static constexpr schema::Field kFields[] = {
      Carried("volumeID", kCarriedString, "Id of the disk.").Required(),
      Carried("fsType", kCarriedString, "Type of the file system."),
      Carried("partition", kCarriedInt32, "Partition to mount."),
      Carried("readOnly", kCarriedBool, "Whether every mount is read-only."),
  };
  static constexpr auto kStruct =
      DescribeCarried("AWSElasticBlockStoreVolumeSource",
                      "AWSElasticBlockStoreVolumeSource is an AWS EBS disk.", kFields);
  return kStruct;
}

const schema::Struct& NfsShape() {
  static constexpr schema::Field kFields[] = {
      Carried("server", kCarriedString, "Host name of the server.").Required(),
      Carried("path", kCarriedString, "Exported path.").Required(),
      Carried("readOnly", kCarriedBool, "Whether every mount is read-only."),
  };
  static constexpr auto kStruct =
      DescribeCarried("NFSVolumeSource", "NFSVolumeSource is an NFS export.", kFields);
  return kStruct;
}

const schema::Struct& IscsiShape() {
  static constexpr schema::Field kFields[] = {
      Carried("targetPortal", kCarriedString, "Address of the target.").Required(),
      Carried("iqn", kCarriedString, "Qualified name of the target.").Required(),
      Carried("lun", kCarriedInt32, "Unit of the target.").Required(),
      Carried("iscsiInterface", kCarriedString, "Transport to use.").Default("\"default\""),
      Carried("fsType", kCarriedString, "Type of the file system."),
      Carried("readOnly", kCarriedBool, "Whether every mount is read-only."),
      Carried("portals", kCarriedStrings, "More addresses of the target."),
      Carried("chapAuthDiscovery", kCarriedBool, "Whether discovery is authenticated."),
      Carried("chapAuthSession", kCarriedBool, "Whether sessions are authenticated."),
      Carried("secretRef", kCarriedStruct<&LocalObjectReferenceShape>,
              "Secret with the credentials."),
      Carried("initiatorName", kCarriedString, "Name of the initiator."),
  };
  static constexpr auto kStruct =
      DescribeCarried("ISCSIVolumeSource", "ISCSIVolumeSource is an iSCSI disk.", kFields);
  return kStruct;
}

const schema::Struct& GlusterfsShape() {
  static constexpr schema::Field kFields[] = {
      Carried("endpoints", kCarriedString, "Endpoints object with the servers.").Required(),
      Carried("path", kCarriedString, "Name of the volume.").Required(),
      Carried("readOnly", kCarriedBool, "Whether every mount is read-only."),
  };
  static constexpr auto kStruct = DescribeCarried(
      "GlusterfsVolumeSource", "GlusterfsVolumeSource is a Gluster volume.", kFields);
  return kStruct;
}

const schema::Struct& RbdShape() {
  static constexpr schema::Field kFields[] = {
      Carried("monitors", kCarriedStrings, "Ceph monitors.").Required(),
      Carried("image", kCarriedString, "Name of the image.").Required(),
      Carried("fsType", kCarriedString, "Type of the file system."),
      Carried("pool", kCarriedString, "Pool of the image.").Default("\"rbd\""),
      Carried("user", kCarriedString, "Ceph user.").Default("\"admin\""),
      Carried("keyring", kCarriedString, "Path of the key ring.").Default("\"/etc/ceph/keyring\""),
      Carried("secretRef", kCarriedStruct<&LocalObjectReferenceShape>,
              "Secret with the credentials."),
      Carried("readOnly", kCarriedBool, "Whether every mount is read-only."),
  };
  static constexpr auto kStruct =
      DescribeCarried("RBDVolumeSource", "RBDVolumeSource is a Ceph block device.", kFields);
  return kStruct;
}

const schema::Struct& FlexVolumeShape() {
  static constexpr schema::Field kFields[] = {
      Carried("driver", kCarriedString, "Name of the driver.").Required(),
      Carried("fsType", kCarriedString, "Type of the file system."),
      Carried("secretRef", kCarriedStruct<&LocalObjectReferenceShape>,
              "Secret with the credentials."),
      Carried("readOnly", kCarriedBool, "Whether every mount is read-only."),
      Carried("options", schema::kCarriedStringMap, "Settings for the driver."),
  };
  static constexpr auto kStruct = DescribeCarried(
      "FlexVolumeSource", "FlexVolumeSource is a volume of a driver on the node.", kFields);
  return kStruct;
}

const schema::Struct& CinderShape() {
  static constexpr schema::Field kFields[] = {
      Carried("volumeID", kCarriedString, "Id of the disk.").Required(),
      Carried("fsType", kCarriedString, "Type of the file system."),
      Carried("readOnly", kCarriedBool, "Whether every mount is read-only."),
      Carried("secretRef", kCarriedStruct<&LocalObjectReferenceShape>,
              "Secret with the credentials."),
  };
  static constexpr auto kStruct =
      DescribeCarried("CinderVolumeSource", "CinderVolumeSource is an OpenStack disk.", kFields);
  return kStruct;
}

const schema::Struct& CephFsShape() {
  static constexpr schema::Field kFields[] = {
      Carried("monitors", kCarriedStrings, "Ceph monitors.").Required(),
      Carried("path", kCarriedString, "Directory to mount."),
      Carried("user", kCarriedString, "Ceph user."),
      Carried("secretFile", kCarriedString, "Path of the key ring."),
      Carried("secretRef", kCarriedStruct<&LocalObjectReferenceShape>,
              "Secret with the credentials."),
      Carried("readOnly", kCarriedBool, "Whether every mount is read-only."),
  };
  static constexpr auto kStruct =
      DescribeCarried("CephFSVolumeSource", "CephFSVolumeSource is a Ceph file system.", kFields);
  return kStruct;
}

const schema::Struct& FlockerShape() {
  static constexpr schema::Field kFields[] = {
      Carried("datasetName", kCarriedString, "Name of the data set."),
      Carried("datasetUUID", kCarriedString, "Id of the data set."),
  };
  static constexpr auto kStruct =
      DescribeCarried("FlockerVolumeSource", "FlockerVolumeSource is a Flocker volume.", kFields);
  return kStruct;
}

const schema::Struct& FibreChannelShape() {
  static constexpr schema::Field kFields[] = {
      Carried("targetWWNs", kCarriedStrings, "Names of the targets."),
      Carried("lun", kCarriedInt32, "Unit of the target."),
      Carried("fsType", kCarriedString, "Type of the file system."),
      Carried("readOnly", kCarriedBool, "Whether every mount is read-only."),
      Carried("wwids", kCarriedStrings, "Ids of the disk."),
  };
  static constexpr auto kStruct =
      DescribeCarried("FCVolumeSource", "FCVolumeSource is a Fibre Channel disk.", kFields);
  return kStruct;
}

const schema::Struct& AzureFileShape() {
  static constexpr schema::Field kFields[] = {
      Carried("secretName", kCarriedString, "Secret with the credentials.").Required(),
      Carried("shareName", kCarriedString, "Name of the share.").Required(),
      Carried("readOnly", kCarriedBool, "Whether every mount is read-only."),
  };
  static constexpr auto kStruct = DescribeCarried(
      "AzureFileVolumeSource", "AzureFileVolumeSource is an Azure file share.", kFields);
  return kStruct;
}

const schema::Struct& VsphereShape() {
  static constexpr schema::Field kFields[] = {
      Carried("volumePath", kCarriedString, "Path of the disk.").Required(),
      Carried("fsType", kCarriedString, "Type of the file system."),
      Carried("storagePolicyName", kCarriedString, "Name of the storage policy."),
      Carried("storagePolicyID", kCarriedString, "Id of the storage policy."),
  };
  static constexpr auto kStruct =
      DescribeCarried("VsphereVirtualDiskVolumeSource",
                      "VsphereVirtualDiskVolumeSource is a vSphere disk.", kFields);
  return kStruct;
}

const schema::Struct& QuobyteShape() {
  static constexpr schema::Field kFields[] = {
      Carried("registry", kCarriedString, "Addresses of the registry.").Required(),
      Carried("volume", kCarriedString, "Name of the volume.").Required(),
      Carried("readOnly", kCarriedBool, "Whether every mount is read-only."),
      Carried("user", kCarriedString, "User to mount as."),
      Carried("group", kCarriedString, "Group to mount as."),
      Carried("tenant", kCarriedString, "Owner of the volume."),
  };
  static constexpr auto kStruct =
      DescribeCarried("QuobyteVolumeSource", "QuobyteVolumeSource is a Quobyte volume.", kFields);
  return kStruct;
}

const schema::Struct& AzureDiskShape() {
  static constexpr schema::Field kFields[] = {
      Carried("diskName", kCarriedString, "Name of the disk.").Required(),
      Carried("diskURI", kCarriedString, "Address of the disk.").Required(),
      Carried("cachingMode", kCarriedString, "None, ReadOnly or ReadWrite."),
      Carried("fsType", kCarriedString, "Type of the file system.").Default("\"ext4\""),
      Carried("readOnly", kCarriedBool, "Whether every mount is read-only.").Default("false"),
      Carried("kind", kCarriedString, "Shared, Dedicated or Managed."),
  };
  static constexpr auto kStruct =
      DescribeCarried("AzureDiskVolumeSource", "AzureDiskVolumeSource is an Azure disk.", kFields);
  return kStruct;
}

const schema::Struct& PhotonShape() {
  static constexpr schema::Field kFields[] = {
      Carried("pdID", kCarriedString, "Id of the disk.").Required(),
      Carried("fsType", kCarriedString, "Type of the file system."),
  };
  static constexpr auto kStruct =
      DescribeCarried("PhotonPersistentDiskVolumeSource",
                      "PhotonPersistentDiskVolumeSource is a Photon disk.", kFields);
  return kStruct;
}

const schema::Struct& PortworxShape() {
  static constexpr schema::Field kFields[] = {
      Carried("volumeID", kCarriedString, "Id of the volume.").Required(),
      Carried("fsType", kCarriedString, "Type of the file system."),
      Carried("readOnly", kCarriedBool, "Whether every mount is read-only."),
  };
  static constexpr auto kStruct = DescribeCarried(
      "PortworxVolumeSource", "PortworxVolumeSource is a Portworx volume.", kFields);
  return kStruct;
}

const schema::Struct& ScaleIoShape() {
  static constexpr schema::Field kFields[] = {
      Carried("gateway", kCarriedString, "Address of the gateway.").Required(),
      Carried("system", kCarriedString, "Name of the storage system.").Required(),
      Carried("secretRef", kCarriedStruct<&LocalObjectReferenceShape>,
              "Secret with the credentials.")
          .Required(),
      Carried("sslEnabled", kCarriedBool, "Whether the gateway is contacted over TLS."),
      Carried("protectionDomain", kCarriedString, "Protection domain."),
      Carried("storagePool", kCarriedString, "Storage pool."),
      Carried("storageMode", kCarriedString, "Provisioning of space: thick or thin.")
          .Default("\"ThinProvisioned\""),
      Carried("volumeName", kCarriedString, "Name of the volume."),
      Carried("fsType", kCarriedString, "Type of the file system.").Default("\"xfs\""),
      Carried("readOnly", kCarriedBool, "Whether every mount is read-only."),
  };
  static constexpr auto kStruct =
      DescribeCarried("ScaleIOVolumeSource", "ScaleIOVolumeSource is a ScaleIO volume.", kFields);
  return kStruct;
}

const schema::Struct& StorageOsShape() {
  static constexpr schema::Field kFields[] = {
      Carried("volumeName", kCarriedString, "Name of the volume."),
      Carried("volumeNamespace", kCarriedString, "Namespace of the volume."),
      Carried("fsType", kCarriedString, "Type of the file system."),
      Carried("readOnly", kCarriedBool, "Whether every mount is read-only."),
      Carried("secretRef", kCarriedStruct<&LocalObjectReferenceShape>,
              "Secret with the credentials."),
  };
  static constexpr auto kStruct = DescribeCarried(
      "StorageOSVolumeSource", "StorageOSVolumeSource is a StorageOS volume.", kFields);
  return kStruct;
}

const schema::Struct& CsiVolumeShape() {
  static constexpr schema::Field kFields[] = {
      Carried("driver", kCarriedString, "Name of the driver.").Required(),
      Carried("readOnly", kCarriedBool, "Whether every mount is read-only."),
      Carried("fsType", kCarriedString, "Type of the file system."),
      Carried("volumeAttributes", schema::kCarriedStringMap, "Settings for the driver."),
      Carried("nodePublishSecretRef", kCarriedStruct<&LocalObjectReferenceShape>,
              "Secret passed to the driver."),
  };
  static constexpr auto kStruct =
      DescribeCarried("CSIVolumeSource", "CSIVolumeSource is a volume of a CSI driver.", kFields);
  return kStruct;
}

}  // namespace berth::api
