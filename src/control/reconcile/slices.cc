#include "control/reconcile/slices.h"

#include <algorithm>
#include <tuple>

#include "api/kueue/well_known.h"
#include "workload/convert/convert_workload.h"
#include "workload/status_changes.h"

namespace berth::control {
namespace {

bool Replaces(const api::Workload& slice, const api::Workload& other) {
  return workload::ReplacedSlice(slice) == workload::NamespacedName(other.metadata);
}

const api::Workload* FindReplacement(const std::vector<const api::Workload*>& slices,
                                     const api::Workload& replaced) {
  const auto found = std::ranges::find_if(slices.rbegin(), slices.rend(), [&](const auto* slice) {
    return Replaces(*slice, replaced);
  });
  return found == slices.rend() ? nullptr : *found;
}

// The slice that replaces this one in the end, or itself.
const api::Workload* LastOf(const std::vector<const api::Workload*>& slices,
                            const api::Workload* slice) {
  for (size_t i = 0; i < slices.size(); ++i)
    if (const api::Workload* next = FindReplacement(slices, *slice)) slice = next;
  return slice;
}

int32_t CountOf(const api::PodSet& pod_set) { return pod_set.count.value_or(1); }

}  // namespace

SliceChoice ChooseSlices(std::vector<const api::Workload*> slices) {
  std::erase_if(slices, [](const auto* slice) { return workload::IsFinished(*slice); });
  std::ranges::sort(slices, {}, [](const auto* slice) {
    return std::tie(slice->metadata.creation_timestamp, slice->metadata.uid);
  });
  SliceChoice choice;
  if (slices.empty()) return choice;
  for (const api::Workload* slice : slices) {
    if (!workload::HasReservation(*slice)) continue;
    const bool took_over = choice.holder == nullptr || !Replaces(*choice.holder, *slice);
    if (took_over) choice.holder = slice;
  }
  const api::Workload* next =
      choice.holder == nullptr ? nullptr : FindReplacement(slices, *choice.holder);
  if (choice.holder == nullptr)
    choice.current = LastOf(slices, slices.back());
  else
    choice.current = next != nullptr && !workload::IsEvicted(*choice.holder) ? next : choice.holder;
  if (choice.holder != nullptr && !workload::IsActive(*choice.holder)) next = nullptr;
  for (const api::Workload* slice : slices) {
    if (slice == choice.current || slice == choice.holder || slice == next) continue;
    const bool is_replaced = FindReplacement(slices, *slice) != nullptr;
    choice.ended.push_back(
        {.slice = slice,
         .reason = is_replaced ? api::reason::kWorkloadSliceReplaced : api::reason::kOutOfSync});
  }
  return choice;
}

SliceFit FitOf(const api::Workload& slice, const std::vector<jobs::JobPodSet>& pod_sets) {
  const auto same_name = [](const api::PodSet& a, const jobs::JobPodSet& b) {
    return a.name == b.pod_set.name;
  };
  if (!std::ranges::equal(slice.spec.pod_sets, pod_sets, same_name)) return SliceFit::kForeign;
  bool is_same = true;
  bool has_grown = false;
  for (size_t i = 0; i < pod_sets.size(); ++i) {
    const int32_t before = CountOf(slice.spec.pod_sets[i]);
    const int32_t now = CountOf(pod_sets[i].pod_set);
    is_same &= now == before;
    has_grown |= now > before;
  }
  if (is_same) return SliceFit::kSame;
  return workload::HasReservation(slice) && has_grown ? SliceFit::kReplace : SliceFit::kResize;
}

void Resize(const std::vector<jobs::JobPodSet>& pod_sets, api::Workload& slice) {
  for (size_t i = 0; i < pod_sets.size(); ++i)
    slice.spec.pod_sets[i].count = pod_sets[i].pod_set.count;
}

}  // namespace berth::control
