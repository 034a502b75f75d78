#include "ctl/stop.h"

#include <string_view>

#include "api/kueue/stop_policy.h"
#include "schema/json/writer.h"

namespace berth::ctl {
namespace {

template <class T>
std::string SpecPatch(std::string_view field, const T& value) {
  schema::JsonWriter w;
  w.BeginObject().Key("spec").BeginObject().Member(field, value).EndObject().EndObject();
  return w.Take();
}

}  // namespace

std::string StopQueuePatch(bool keeps_running) {
  return SpecPatch("stopPolicy",
                   keeps_running ? api::kStopPolicyHold : api::kStopPolicyHoldAndDrain);
}

std::string ResumeQueuePatch() { return SpecPatch("stopPolicy", api::kStopPolicyNone); }

std::string StopWorkloadPatch() { return SpecPatch("active", false); }

std::string ResumeWorkloadPatch() { return SpecPatch("active", true); }

}  // namespace berth::ctl
