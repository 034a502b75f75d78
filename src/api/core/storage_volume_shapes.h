#pragma once

#include "schema/describe.h"

// Shapes of volumes on storage systems.
namespace berth::api {

const schema::Struct& GcePersistentDiskShape();
const schema::Struct& AwsElasticBlockStoreShape();
const schema::Struct& NfsShape();
const schema::Struct& IscsiShape();
const schema::Struct& GlusterfsShape();
const schema::Struct& RbdShape();
const schema::Struct& FlexVolumeShape();
const schema::Struct& CinderShape();
const schema::Struct& CephFsShape();
const schema::Struct& FlockerShape();
const schema::Struct& FibreChannelShape();
const schema::Struct& AzureFileShape();
const schema::Struct& VsphereShape();
const schema::Struct& QuobyteShape();
const schema::Struct& AzureDiskShape();
const schema::Struct& PhotonShape();
const schema::Struct& PortworxShape();
const schema::Struct& ScaleIoShape();
const schema::Struct& StorageOsShape();
const schema::Struct& CsiVolumeShape();

}  // namespace berth::api
