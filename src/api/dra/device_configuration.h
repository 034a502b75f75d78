#pragma once

#include "schema/describe.h"

namespace berth::api {

// Shapes of the carried driver configuration of a DeviceClass, a claim and an allocation.
const schema::Struct& DeviceClassConfigurationShape();
const schema::Struct& DeviceClaimConfigurationShape();
const schema::Struct& DeviceAllocationConfigurationShape();

}  // namespace berth::api
