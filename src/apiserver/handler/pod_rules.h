#pragma once

#include "api/core/pod_spec.h"
#include "api/meta/object.h"
#include "api/meta/problem_report.h"

namespace berth::apiserver {

// The pod of a Pod, or of the template of a built-in kind, and the path of its spec. Null without
// one.
struct PodOfObject {
  const api::PodSpec* spec = nullptr;
  std::string_view path;
};
PodOfObject FindPod(const api::Object& object);

// Kubernetes' rules for the resources of containers: none is negative, requests stay within limits
// and equal them where resources cannot be overcommitted, and claims are those of the pod.
schema::Problems ResourceProblems(const PodOfObject& pod);

}  // namespace berth::apiserver
