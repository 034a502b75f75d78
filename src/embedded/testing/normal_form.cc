#include "embedded/testing/normal_form.h"

#include <algorithm>
#include <span>

#include "base/time.h"

namespace berth::embedded::testing {
namespace {

constexpr std::string_view kDropped[] = {"managedFields", "resourceVersion", "message", "note"};
// Durations in real seconds.
constexpr std::string_view kUncounted[] = {"accumulatedPastExecutionTimeSeconds"};

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

// A list as an object keyed by type or, for checks, name: the order is irrelevant.
json::value Keyed(const json::array& list, std::string_view key, const Renaming& renaming) {
  json::object keyed;
  for (const json::value& entry : list)
    keyed[json::BoostView(json::StringAt(entry, {key}))] = Normalized(entry, renaming);
  return keyed;
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

}  // namespace

json::value Normalized(const json::value& value, const Renaming& renaming) {
  if (value.is_string()) return json::value(Renamed(json::View(value.get_string()), renaming));
  if (value.is_array()) {
    json::array list;
    for (const json::value& entry : value.get_array()) list.push_back(Normalized(entry, renaming));
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
    else
      place = Normalized(member, renaming);
    // Empty objects are equivalent to absent ones.
    if (place.is_object() && place.get_object().empty())
      object.erase(json::BoostView(Renamed(name, renaming)));
  }
  return object;
}

std::vector<std::string> Differences(const json::value& expected, const json::value& actual) {
  std::vector<std::string> differences;
  Compare(expected, actual, "", differences);
  return differences;
}

}  // namespace berth::embedded::testing
