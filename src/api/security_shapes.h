#pragma once

#include "schema/describe.h"

// Shapes of the security settings of pods and containers, which Berth carries but never reads.
namespace berth::api {

const schema::Struct& SecurityContextShape();     // of a container
const schema::Struct& PodSecurityContextShape();  // of a pod

}  // namespace berth::api
