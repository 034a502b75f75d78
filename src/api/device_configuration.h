#pragma once

#include "schema/describe.h"

namespace berth::api {

// Shapes of settings for device drivers, which Berth carries but never reads: of a DeviceClass, of
// a claim, and of an allocation.
const schema::Struct& DeviceClassConfigurationShape();
const schema::Struct& DeviceClaimConfigurationShape();
const schema::Struct& DeviceAllocationConfigurationShape();

}  // namespace berth::api
