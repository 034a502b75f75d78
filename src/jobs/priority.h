#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/core/priority_class.h"
#include "api/kueue/workload.h"
#include "api/kueue/workload_priority_class.h"
#include "base/flat_map.h"

// The priority of a Workload: that of the job's WorkloadPriorityClass, else of its pods'
// PriorityClass, else of the default PriorityClass, else 0.
namespace berth::jobs {

// The priority classes of a cluster.
class PriorityTable {
 public:
  void Add(const api::WorkloadPriorityClass& priority) {
    workload_.Set(priority.metadata.name, priority.value);
  }
  // If a race created several defaults, the lowest value wins, then the first name.
  void Add(const api::PriorityClass& priority);

  const int32_t* FindWorkloadClass(std::string_view name) const { return workload_.Find(name); }
  const int32_t* FindPodClass(std::string_view name) const { return pod_.Find(name); }
  // "" if there is none.
  const std::string& default_pod_class() const { return default_; }

 private:
  base::FlatMap<int32_t> workload_;
  base::FlatMap<int32_t> pod_;
  std::string default_;
};

struct Priority {
  std::optional<api::PriorityClassRef> ref;
  int32_t value = 0;

  friend bool operator==(const Priority&, const Priority&) = default;
};

// A class that does not exist.
struct MissingPriorityClass {
  std::string kind;
  std::string name;

  // `there is no WorkloadPriorityClass "high"`
  std::string ToString() const;
};

// `workload_class`: the value of the job's label, or "". `pod_class`: the class of its pods, or "".
std::expected<Priority, MissingPriorityClass> ResolvePriority(std::string_view workload_class,
                                                              std::string_view pod_class,
                                                              const PriorityTable& table);

}  // namespace berth::jobs
