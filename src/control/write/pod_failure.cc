#include "control/write/pod_failure.h"

#include <utility>

#include "api/core/pod.h"
#include "json/json.h"

namespace berth::control {

// Strategic patches merge conditions by type, so that the others need not be known.
store::Patch FailPodCall(const store::ObjectName& pod, const std::string& version,
                         const PodFailure& failure, bool has_ended, base::Time now) {
  const json::object condition{{"type", failure.condition},
                               {"status", "True"},
                               {"reason", failure.reason},
                               {"message", failure.message},
                               {"lastTransitionTime", base::FormatTime(now)}};
  json::object status{{"conditions", json::array{condition}}};
  if (!has_ended) status["phase"] = api::kPodFailed;
  const json::object body{{"metadata", json::object{{"resourceVersion", version}}},
                          {"status", std::move(status)}};
  return {.resource = store::ResourceOf<api::Pod>(),
          .namespace_ = pod.namespace_,
          .name = pod.name,
          .subresource = std::string(store::kStatusSubresource),
          .type = store::PatchType::kStrategic,
          .body = json::Print(body),
          .is_forced = false,
          .options = {}};
}

api::ObjectReference PodReference(const store::ObjectName& pod, const std::string& uid) {
  return {.kind = std::string(api::Pod::KindInfo().kind),
          .namespace_ = pod.namespace_,
          .name = pod.name,
          .uid = uid,
          .api_version = "v1"};
}

}  // namespace berth::control
