#pragma once

#include "schema/describe.h"

// Shapes of the carried parts of a container.
namespace berth::api {

const schema::Struct& EnvFromSourceShape();
const schema::Struct& EnvVarSourceShape();
const schema::Struct& ResizePolicyShape();
const schema::Struct& RestartRuleShape();
const schema::Struct& VolumeMountShape();
const schema::Struct& VolumeDeviceShape();
const schema::Struct& ProbeShape();
const schema::Struct& LifecycleShape();

// References to objects in the pod's namespace and to parts of them.
const schema::Struct& LocalObjectReferenceShape();
const schema::Struct& ObjectFieldSelectorShape();
const schema::Struct& ResourceFieldSelectorShape();

}  // namespace berth::api
