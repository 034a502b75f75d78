#include "jobs/priority.h"

#include "api/kueue/well_known.h"
#include "api/meta/problem_report.h"

namespace berth::jobs {
namespace {

Priority Of(std::string_view group, std::string_view kind, std::string_view name, int32_t value) {
  return {.ref = api::PriorityClassRef{.group = std::string(group),
                                       .kind = std::string(kind),
                                       .name = std::string(name)},
          .value = value};
}

std::unexpected<MissingPriorityClass> Missing(std::string_view kind, std::string_view name) {
  return std::unexpected(
      MissingPriorityClass{.kind = std::string(kind), .name = std::string(name)});
}

}  // namespace

void PriorityTable::Add(const api::PriorityClass& priority) {
  const std::string& name = priority.metadata.name;
  pod_.Set(name, priority.value);
  if (!priority.global_default) return;
  const int32_t* other = pod_.Find(default_);
  const bool is_first = default_.empty() || other == nullptr;
  if (is_first || std::pair(priority.value, name) < std::pair(*other, default_)) default_ = name;
}

std::string MissingPriorityClass::ToString() const {
  return kind + " " + api::Quoted(name) + " not found";
}

std::expected<Priority, MissingPriorityClass> ResolvePriority(std::string_view workload_class,
                                                              std::string_view pod_class,
                                                              const PriorityTable& table) {
  if (!workload_class.empty()) {
    const int32_t* value = table.FindWorkloadClass(workload_class);
    if (value == nullptr) return Missing(api::kWorkloadPriorityClassKind, workload_class);
    return Of(api::kKueueGroup, api::kWorkloadPriorityClassKind, workload_class, *value);
  }
  if (pod_class.empty()) pod_class = table.default_pod_class();
  if (pod_class.empty()) return Priority();
  const int32_t* value = table.FindPodClass(pod_class);
  if (value == nullptr) return Missing(api::kPriorityClassKind, pod_class);
  return Of(api::kSchedulingGroup, api::kPriorityClassKind, pod_class, *value);
}

}  // namespace berth::jobs
