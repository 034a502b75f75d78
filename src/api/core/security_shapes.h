#pragma once

#include "schema/describe.h"

// Shapes of the carried security settings of pods and containers.
namespace berth::api {

const schema::Struct& SecurityContextShape();     // of a container
const schema::Struct& PodSecurityContextShape();  // of a pod

}  // namespace berth::api
