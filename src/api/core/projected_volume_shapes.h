#pragma once

#include "schema/describe.h"

// Shapes of volumes filled by the API server: Secrets, ConfigMaps, fields of the pod, tokens and
// certificates.
namespace berth::api {

const schema::Struct& SecretVolumeShape();
const schema::Struct& ConfigMapVolumeShape();
const schema::Struct& DownwardApiVolumeShape();
const schema::Struct& ProjectedVolumeShape();

}  // namespace berth::api
