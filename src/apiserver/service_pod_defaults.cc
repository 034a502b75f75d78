#include "apiserver/service_pod_defaults.h"

#include <initializer_list>

#include "quantity/quantity.h"

namespace berth::apiserver {
namespace {

namespace json = store::json;

void SetIfAbsent(json::object& object, std::string_view key, json::value value) {
  const json::value* known = object.if_contains(store::BoostView(key));
  if (known == nullptr || known->is_null()) object[store::BoostView(key)] = std::move(value);
}

// Of an image without a tag, or with the tag latest, there may be a newer one.
bool MayHaveChanged(std::string_view image) {
  if (image.find('@') != image.npos) return false;
  const std::string_view name = image.substr(image.rfind('/') + 1);
  const size_t colon = name.find(':');
  return colon == name.npos || name.substr(colon + 1) == "latest";
}

// Nothing is counted more finely than in thousandths.
void RoundAmounts(json::value* amounts) {
  if (amounts == nullptr || !amounts->is_object()) return;
  for (auto& member : amounts->get_object()) {
    if (!member.value().is_string()) continue;
    const auto parsed = quantity::Quantity::Parse(store::View(member.value().get_string()));
    if (!parsed) continue;
    const auto rounded = quantity::Quantity::FromMilli(parsed->MilliValue(), parsed->format());
    if (rounded > *parsed) member.value() = rounded.ToString();
  }
}

void DefaultContainers(json::object& spec, std::string_view key) {
  json::value* list = spec.if_contains(store::BoostView(key));
  if (list == nullptr || !list->is_array()) return;
  for (json::value& entry : list->get_array()) {
    if (!entry.is_object()) continue;
    json::object& container = entry.get_object();
    SetIfAbsent(container, "imagePullPolicy",
                MayHaveChanged(store::JsonStringAt(entry, {"image"})) ? "Always" : "IfNotPresent");
    SetIfAbsent(container, "terminationMessagePath", "/dev/termination-log");
    SetIfAbsent(container, "terminationMessagePolicy", "File");
    SetIfAbsent(container, "resources", json::object());
    for (const std::string_view part : {"limits", "requests"})
      RoundAmounts(store::FindJson(entry, {"resources", part}));
  }
}

void DefaultPod(json::value* pod) {
  if (pod == nullptr || !pod->is_object()) return;
  json::value* found = store::FindJson(*pod, {"spec"});
  if (found == nullptr || !found->is_object()) return;
  json::object& spec = found->get_object();
  SetIfAbsent(spec, "restartPolicy", "Always");
  SetIfAbsent(spec, "dnsPolicy", "ClusterFirst");
  SetIfAbsent(spec, "schedulerName", "default-scheduler");
  SetIfAbsent(spec, "securityContext", json::object());
  SetIfAbsent(spec, "terminationGracePeriodSeconds", 30);
  for (const std::string_view key : {"containers", "initContainers", "ephemeralContainers"})
    DefaultContainers(spec, key);
}

void DefaultJobSpec(json::value* found) {
  if (found == nullptr || !found->is_object()) return;
  json::object& spec = found->get_object();
  const bool has_failure_policy = spec.if_contains("podFailurePolicy") != nullptr;
  SetIfAbsent(spec, "podReplacementPolicy", has_failure_policy ? "Failed" : "TerminatingOrFailed");
  SetIfAbsent(spec, "manualSelector", false);
  SetIfAbsent(spec, "suspend", false);
  DefaultPod(store::FindJson(*found, {"template"}));
}

}  // namespace

void ApplyPodDefaults(std::string_view collection, json::value& object) {
  if (collection == "pods") DefaultPod(&object);
  if (collection == "jobs.batch") DefaultJobSpec(store::FindJson(object, {"spec"}));
  if (collection == "cronjobs.batch")
    DefaultJobSpec(store::FindJson(object, {"spec", "jobTemplate", "spec"}));
  for (const std::string_view with_template :
       {"deployments.apps", "statefulsets.apps", "replicasets.apps"})
    if (collection == with_template) DefaultPod(store::FindJson(object, {"spec", "template"}));
}

}  // namespace berth::apiserver
