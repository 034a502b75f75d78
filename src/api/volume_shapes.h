#pragma once

#include "schema/describe.h"

// Shapes of volumes, which Berth carries but never reads.
namespace berth::api {

// A volume of a pod: its name and one of about thirty sources.
const schema::Struct& VolumeShape();

// A PersistentVolumeClaim, and what a pod has in place of one to get its own.
const schema::Struct& PersistentVolumeClaimShape();
const schema::Struct& PersistentVolumeClaimTemplateShape();

}  // namespace berth::api
