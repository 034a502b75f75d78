#pragma once

#include "schema/describe.h"

// Shapes of carried volumes.
namespace berth::api {

// A volume of a pod: a name and one of about thirty sources.
const schema::Struct& VolumeShape();

// A PersistentVolumeClaim, and the template of one in a pod.
const schema::Struct& PersistentVolumeClaimShape();
const schema::Struct& PersistentVolumeClaimTemplateShape();

}  // namespace berth::api
