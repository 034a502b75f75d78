#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "api/core/priority_class.h"
#include "api/kueue/workload_priority_class.h"
#include "jobs/priority.h"
#include "workload/state/object_handlers.h"

namespace berth::control {

// PriorityClasses and WorkloadPriorityClasses, and the priorities that follow from them.
class PriorityClassCache {
 public:
  // This must outlive the handlers.
  void AddHandlers(workload::ObjectHandlers& handlers);

  const jobs::PriorityTable& table() const { return table_; }

 private:
  void Rebuild();

  std::map<std::string, api::PriorityClass, std::less<>> pod_classes_;
  std::map<std::string, api::WorkloadPriorityClass, std::less<>> workload_classes_;
  jobs::PriorityTable table_;
};

}  // namespace berth::control
