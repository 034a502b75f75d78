#pragma once

// Writes that end a pod in place of the kubelet of its node.

#include <string>
#include <string_view>

#include "api/meta/object_reference.h"
#include "base/time.h"
#include "store/object.h"
#include "store/store.h"

namespace berth::control {

// Why a pod fails, as one of its conditions.
struct PodFailure {
  std::string_view condition;
  std::string_view reason;
  std::string message;
};

// Sets the pod to Failed, or only adds the condition if it has ended. Valid only for this version
// of the pod: it may have ended or been bound meanwhile.
store::Patch FailPodCall(const store::ObjectName& pod, const std::string& version,
                         const PodFailure& failure, bool has_ended, base::Time now);

api::ObjectReference PodReference(const store::ObjectName& pod, const std::string& uid);

}  // namespace berth::control
