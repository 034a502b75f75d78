#pragma once

// The life of a Workload as a cluster still knows it: its conditions, and the Events about it.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/core/event.h"
#include "api/kueue/workload.h"
#include "base/error.h"
#include "base/time.h"
#include "ctl/text_table.h"

namespace berth::ctl {

struct LifeStep {
  base::Time time;
  std::string what;    // "Created", the type of a condition, the name of a check, or "Event"
  std::string status;  // of the condition or check; "" for others
  std::string reason;
  std::string message;
  int64_t count = 1;  // of the Event
};

// Oldest first. An Event that says what a condition says is left out.
std::vector<LifeStep> LifeOf(const api::Workload& workload, std::span<const api::Event> events);

TextTable LifeTable(std::span<const LifeStep> life);
std::string LifeJson(const api::Workload& workload, std::span<const LifeStep> life);

// The Workload of this name, or the newest one of a job of this name. `kind`: of the job; "" for
// any, and for Workloads.
base::Result<const api::Workload*> FindWorkload(std::span<const api::Workload> workloads,
                                                std::string_view kind, std::string_view name);

}  // namespace berth::ctl
