#include "embedded/testing/recorded_names.h"

#include <algorithm>

#include "api/kueue/well_known.h"
#include "json/path.h"

namespace berth::embedded::testing {
namespace {

std::string AnnotationOf(const json::value& object, std::string_view key) {
  return json::TextAt(object, "metadata.annotations[" + std::string(key) + "]");
}

std::string NameOf(const json::value& object) { return json::TextAt(object, "metadata.name"); }

// The owner of a Workload whose name is generated; "" if it has none. Pods own the Workload of
// their group, which has the name of the group.
std::string OwnerOf(const json::value& workload) {
  const json::value* owners = json::FindAt(workload, "metadata.ownerReferences");
  if (owners == nullptr || !owners->is_array()) return "";
  for (const json::value& owner : owners->get_array()) {
    const std::string kind = json::TextAt(owner, "kind");
    if (kind == "Pod" && !json::IsSetAt(owner, "controller")) continue;
    return json::TextAt(workload, "metadata.namespace") + "/" + kind + "/" +
           json::TextAt(owner, "name") + "/" +
           AnnotationOf(workload, api::kComponentWorkloadIndexAnnotation);
  }
  return "";
}

bool IsSlice(const json::value& workload) {
  return !AnnotationOf(workload, api::kWorkloadSliceNameAnnotation).empty();
}

// The number of slices that the slice replaces, one after the other.
size_t AgeOf(const json::value& slice, const std::vector<const json::value*>& all) {
  const std::string replaced = AnnotationOf(slice, api::kWorkloadSliceReplacementForAnnotation);
  if (replaced.empty()) return 0;
  const std::string name = replaced.substr(replaced.find('/') + 1);
  const auto found =
      std::ranges::find_if(all, [&](const json::value* other) { return NameOf(*other) == name; });
  return found == all.end() || *found == &slice ? 1 : 1 + AgeOf(**found, all);
}

// The slices among the objects, the first of each job first.
std::vector<const json::value*> SlicesByAge(const std::vector<const json::value*>& objects) {
  std::vector<const json::value*> slices;
  for (const json::value* object : objects)
    if (IsSlice(*object)) slices.push_back(object);
  std::ranges::stable_sort(slices, {},
                           [&](const json::value* slice) { return AgeOf(*slice, slices); });
  return slices;
}

template <class Objects>
std::vector<const json::value*> OwnedWorkloads(const Objects& objects) {
  std::vector<const json::value*> workloads;
  for (const json::value& object : objects)
    if (json::TextAt(object, "kind") == "Workload" && !OwnerOf(object).empty())
      workloads.push_back(&object);
  return workloads;
}

void AddNew(std::string name, std::vector<std::string>& names) {
  if (std::ranges::find(names, name) == names.end()) names.push_back(std::move(name));
}

bool IsHash(std::string_view role) {
  return role.size() == 8 && role.find_first_not_of("0123456789abcdef") == role.npos;
}

}  // namespace

void RecordedNames::Expect(const json::array& objects) {
  const auto workloads = OwnedWorkloads(objects);
  for (const json::value* workload : workloads) known_.insert(NameOf(*workload));
  for (const json::value* workload : workloads)
    if (!IsSlice(*workload)) expected_[OwnerOf(*workload)] = NameOf(*workload);
  for (const json::value* slice : SlicesByAge(workloads))
    AddNew(NameOf(*slice), slices_[OwnerOf(*slice)].expected);
}

void RecordedNames::Match(const std::vector<json::value>& objects) {
  const auto workloads = OwnedWorkloads(objects);
  for (const json::value* workload : workloads) {
    const auto known = expected_.find(OwnerOf(*workload));
    if (!IsSlice(*workload) && known != expected_.end() && known->second != NameOf(*workload))
      renaming_.try_emplace(NameOf(*workload), known->second);
  }
  for (const json::value* slice : SlicesByAge(workloads))
    AddNew(NameOf(*slice), slices_[OwnerOf(*slice)].actual);
  for (const auto& [owner, slices] : slices_)
    for (size_t i = 0; i < std::min(slices.expected.size(), slices.actual.size()); ++i)
      renaming_.try_emplace(slices.actual[i], slices.expected[i]);
}

void RecordedNames::Pair(const json::value& expected, const json::value& actual) {
  renaming_[json::TextAt(actual, "metadata.uid")] = json::TextAt(expected, "metadata.uid");
  const std::string role = AnnotationOf(actual, api::kRoleHashAnnotation);
  const std::string expected_role = AnnotationOf(expected, api::kRoleHashAnnotation);
  if (IsHash(role) && IsHash(expected_role)) renaming_.try_emplace(role, expected_role);
}

std::string RecordedNames::ActualName(std::string_view name) const {
  for (const auto& [actual, expected] : renaming_)
    if (expected == name) return actual;
  return std::string(name);
}

std::string RecordedNames::WithoutUnknownHash(std::string_view workload) const {
  const size_t dash = workload.rfind('-');
  const bool has_hash = dash != workload.npos && workload.size() - dash == 6;
  if (known_.contains(workload) || !has_hash) return std::string(workload);
  return std::string(workload.substr(0, dash)) + "-*";
}

std::string RecordedNames::WithActualNames(std::string text) const {
  for (const auto& [actual, expected] : renaming_) {
    const std::string quoted = "\"" + expected + "\"";
    for (size_t at = 0; (at = text.find(quoted, at)) != text.npos; at += actual.size() + 2)
      text.replace(at, quoted.size(), "\"" + actual + "\"");
  }
  return text;
}

}  // namespace berth::embedded::testing
