#include "apiserver/handler/pod_defaults.h"

#include <initializer_list>

#include "quantity/quantity.h"

namespace berth::apiserver {
namespace {

void SetIfAbsent(json::object& object, std::string_view key, json::value value) {
  const json::value* known = object.if_contains(json::BoostView(key));
  if (known == nullptr || known->is_null()) object[json::BoostView(key)] = std::move(value);
}

// An image without a tag or digest, or with the tag latest, is mutable.
bool MayHaveChanged(std::string_view image) {
  if (image.find('@') != image.npos) return false;
  const std::string_view name = image.substr(image.rfind('/') + 1);
  const size_t colon = name.find(':');
  return colon == name.npos || name.substr(colon + 1) == "latest";
}

// Rounds up to the finest unit, a thousandth.
void RoundAmounts(json::value* amounts) {
  if (amounts == nullptr || !amounts->is_object()) return;
  for (auto& member : amounts->get_object()) {
    if (!member.value().is_string()) continue;
    const auto parsed = quantity::Quantity::Parse(json::View(member.value().get_string()));
    if (!parsed) continue;
    const auto rounded = quantity::Quantity::FromMilli(parsed->MilliValue(), parsed->format());
    if (rounded > *parsed) member.value() = rounded.ToString();
  }
}

void DefaultContainers(json::object& spec, std::string_view key) {
  json::value* list = spec.if_contains(json::BoostView(key));
  if (list == nullptr || !list->is_array()) return;
  for (json::value& entry : list->get_array()) {
    if (!entry.is_object()) continue;
    json::object& container = entry.get_object();
    SetIfAbsent(container, "imagePullPolicy",
                MayHaveChanged(json::StringAt(entry, {"image"})) ? "Always" : "IfNotPresent");
    SetIfAbsent(container, "terminationMessagePath", "/dev/termination-log");
    SetIfAbsent(container, "terminationMessagePolicy", "File");
    SetIfAbsent(container, "resources", json::object());
    for (const std::string_view part : {"limits", "requests"})
      RoundAmounts(json::Find(entry, {"resources", part}));
  }
}

void DefaultPod(json::value* pod) {
  if (pod == nullptr || !pod->is_object()) return;
  json::value* found = json::Find(*pod, {"spec"});
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
  DefaultPod(json::Find(*found, {"template"}));
}

}  // namespace

void ApplyPodDefaults(std::string_view collection, json::value& object) {
  if (collection == "pods") DefaultPod(&object);
  if (collection == "jobs.batch") DefaultJobSpec(json::Find(object, {"spec"}));
  if (collection == "cronjobs.batch")
    DefaultJobSpec(json::Find(object, {"spec", "jobTemplate", "spec"}));
  for (const std::string_view with_template :
       {"deployments.apps", "statefulsets.apps", "replicasets.apps"})
    if (collection == with_template) DefaultPod(json::Find(object, {"spec", "template"}));
}

}  // namespace berth::apiserver
