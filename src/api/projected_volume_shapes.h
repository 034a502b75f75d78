#pragma once

#include "schema/describe.h"

// Shapes of volumes whose files come from the API server: Secrets, ConfigMaps, the pod's own
// fields, tokens and certificates.
namespace berth::api {

const schema::Struct& SecretVolumeShape();
const schema::Struct& ConfigMapVolumeShape();
const schema::Struct& DownwardApiVolumeShape();
const schema::Struct& ProjectedVolumeShape();

}  // namespace berth::api
