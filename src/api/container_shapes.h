#pragma once

#include "schema/describe.h"

// Shapes of those parts of a container that Berth carries but never reads.
namespace berth::api {

const schema::Struct& EnvFromSourceShape();
const schema::Struct& EnvVarSourceShape();
const schema::Struct& ResizePolicyShape();
const schema::Struct& RestartRuleShape();
const schema::Struct& VolumeMountShape();
const schema::Struct& VolumeDeviceShape();
const schema::Struct& ProbeShape();
const schema::Struct& LifecycleShape();

// Names of objects in the pod's namespace, and parts of such objects.
const schema::Struct& LocalObjectReferenceShape();
const schema::Struct& ObjectFieldSelectorShape();
const schema::Struct& ResourceFieldSelectorShape();

}  // namespace berth::api
