#include "embedded/testing/normal_form.h"

#include <algorithm>
#include <span>

#include "base/time.h"

namespace berth::embedded::testing {
namespace {

constexpr std::string_view kDropped[] = {"managedFields", "resourceVersion", "message", "note"};
// Durations in real seconds.
constexpr std::string_view kUncounted[] = {"accumulatedPastExecutionTimeSeconds"};

// Lists with an element per pod set.
constexpr std::string_view kByPodSet[] = {"podSets", "podSetAssignments", "reclaimablePods",
                                          "resourceRequests"};
// Kinds that API servers complete; the embedded server sets fewer of their defaults.
constexpr std::string_view kCompletedKinds[] = {"Node", "Pod", "StatefulSet", "Deployment",
                                                "ReplicaSet"};
constexpr std::string_view kServerFields[] = {"daemonEndpoints",
                                              "nodeInfo",
                                              "enableServiceLinks",
                                              "preemptionPolicy",
                                              "priority",
                                              "qosClass",
                                              "podManagementPolicy",
                                              "persistentVolumeClaimRetentionPolicy",
                                              "revisionHistoryLimit",
                                              "progressDeadlineSeconds",
                                              "updateStrategy",
                                              "strategy"};
// Kinds whose recorded statuses have a zero for each number that was not written.
constexpr std::string_view kKindsWithZeros[] = {"StatefulSet", "Deployment", "ReplicaSet",
                                                "RayJob"};

bool IsAmong(std::string_view key, std::span<const std::string_view> keys) {
  return std::ranges::find(keys, key) != keys.end();
}

std::string Renamed(std::string_view text, const Renaming& renaming) {
  if (base::ParseTime(text)) return "T";
  std::string result(text);
  for (const auto& [from, to] : renaming)
    for (size_t at = 0; (at = result.find(from, at)) != result.npos; at += to.size())
      result.replace(at, from.size(), to);
  return result;
}

json::value Normal(const json::value& value, const Renaming& renaming);

// A list as an object keyed by type or, for checks, name: the order is irrelevant.
json::value Keyed(const json::array& list, std::string_view key, const Renaming& renaming) {
  json::object keyed;
  for (const json::value& entry : list)
    keyed[json::BoostView(json::StringAt(entry, {key}))] = Normal(entry, renaming);
  return keyed;
}

// Names of the pod sets of a group: their order is that of the hashes.
bool AreRoles(const json::array& sets) {
  return std::ranges::all_of(sets, [](const json::value& set) {
    const std::string_view name = json::StringAt(set, {"name"});
    return name.size() == 8 && name.find_first_not_of("0123456789abcdef") == name.npos;
  });
}

// A list without order.
json::value Sorted(const json::array& list, const Renaming& renaming) {
  json::array sorted;
  for (const json::value& entry : list) sorted.push_back(Normal(entry, renaming));
  std::ranges::sort(sorted, {}, [](const json::value& entry) {
    return std::string(json::StringAt(entry, {"kind"})) + " " +
           std::string(json::StringAt(entry, {"name"}));
  });
  return sorted;
}

// Whether the entry of a list is one that API servers add to pods.
bool IsOfServer(const json::value& entry) {
  if (!entry.is_object()) return false;
  const bool is_toleration = entry.get_object().contains("tolerationSeconds") &&
                             json::StringAt(entry, {"key"}).starts_with("node.kubernetes.io/");
  return is_toleration || json::StringAt(entry, {"reason"}) == "SchedulingGated";
}

bool IsNothing(const json::value& value) {
  return value.is_null() || (value.is_array() && value.get_array().empty());
}

json::value WithoutServerFields(const json::value& value) {
  if (value.is_array()) {
    json::array list;
    for (const json::value& entry : value.get_array())
      if (!IsOfServer(entry)) list.push_back(WithoutServerFields(entry));
    return list;
  }
  if (!value.is_object()) return value;
  json::object object;
  for (const auto& [key, member] : value.get_object()) {
    if (IsAmong(json::View(key), kServerFields)) continue;
    json::value kept = WithoutServerFields(member);
    if (!IsNothing(kept)) object[key] = std::move(kept);
  }
  return object;
}

void EraseZeros(json::value* status) {
  if (status == nullptr || !status->is_object()) return;
  json::object kept;
  for (const auto& [key, member] : status->get_object())
    if (!member.is_number() || member.to_number<double>() != 0) kept[key] = member;
  *status = std::move(kept);
}

void Compare(const json::value& expected, const json::value& actual, const std::string& path,
             std::vector<std::string>& differences);

void CompareMembers(const json::object& expected, const json::object& actual,
                    const std::string& path, std::vector<std::string>& differences) {
  for (const auto& [key, value] : expected) {
    const std::string at = path + "." + std::string(key);
    if (const json::value* other = actual.if_contains(key))
      Compare(value, *other, at, differences);
    else
      differences.push_back(at + ": expected " + json::Print(value) + " but is absent");
  }
  for (const auto& [key, value] : actual)
    if (!expected.contains(key))
      differences.push_back(path + "." + std::string(key) + ": expected to be absent but is " +
                            json::Print(value));
}

void Compare(const json::value& expected, const json::value& actual, const std::string& path,
             std::vector<std::string>& differences) {
  if (expected == actual) return;
  if (expected.is_object() && actual.is_object())
    return CompareMembers(expected.get_object(), actual.get_object(), path, differences);
  if (expected.is_array() && actual.is_array() &&
      expected.get_array().size() == actual.get_array().size()) {
    for (size_t i = 0; i < expected.get_array().size(); ++i)
      Compare(expected.get_array()[i], actual.get_array()[i], path + "[" + std::to_string(i) + "]",
              differences);
    return;
  }
  differences.push_back(path + ": expected " + json::Print(expected) + " but is " +
                        json::Print(actual));
}

json::value Normal(const json::value& value, const Renaming& renaming) {
  if (value.is_string()) return json::value(Renamed(json::View(value.get_string()), renaming));
  if (value.is_array()) {
    json::array list;
    for (const json::value& entry : value.get_array()) list.push_back(Normal(entry, renaming));
    return list;
  }
  if (!value.is_object()) return value;
  json::object object;
  for (const auto& [key, member] : value.get_object()) {
    const std::string_view name = json::View(key);
    if (IsAmong(name, kDropped)) continue;
    json::value& place = object[json::BoostView(Renamed(name, renaming))];
    if (IsAmong(name, kUncounted))
      place = "seconds";
    else if (name == "conditions" && member.is_array())
      place = Keyed(member.get_array(), "type", renaming);
    else if (name == "admissionChecks" && member.is_array())
      place = Keyed(member.get_array(), "name", renaming);
    else if ((name == "ownerReferences" && member.is_array()) ||
             (IsAmong(name, kByPodSet) && member.is_array() && AreRoles(member.get_array())))
      place = Sorted(member.get_array(), renaming);
    else
      place = Normal(member, renaming);
    // Empty objects are equivalent to absent ones, and so is a flag that is off.
    if ((place.is_object() && place.get_object().empty()) ||
        (name == "suspend" && place == json::value(false)))
      object.erase(json::BoostView(Renamed(name, renaming)));
  }
  return object;
}

}  // namespace

json::value Normalized(const json::value& object, const Renaming& renaming) {
  json::value reduced = object;
  if (IsAmong(json::StringAt(object, {"kind"}), kCompletedKinds)) {
    reduced = WithoutServerFields(object);
    // A binding does not count as a change of the spec; a patch in its place does.
    if (!json::StringAt(object, {"spec", "nodeName"}).empty())
      json::Find(reduced, {"metadata"})->get_object().erase("generation");
  } else if (json::value* pod_sets = json::Find(reduced, {"spec", "podSets"})) {
    *pod_sets = WithoutServerFields(*pod_sets);
  }
  if (IsAmong(json::StringAt(object, {"kind"}), kKindsWithZeros))
    EraseZeros(json::Find(reduced, {"status"}));
  return Normal(reduced, renaming);
}

std::vector<std::string> Differences(const json::value& expected, const json::value& actual) {
  std::vector<std::string> differences;
  Compare(expected, actual, "", differences);
  return differences;
}

}  // namespace berth::embedded::testing
