#include "control/report/controller_event.h"

namespace berth::control {

WorkloadCreated MadeFor(const json::value& job, std::string_view kind,
                        const api::Workload& workload) {
  const json::value* generation = json::Find(job, {"metadata", "generation"});
  return {
      .job_kind = kind,
      .job_created_at = base::ParseTime(json::StringAt(job, {"metadata", "creationTimestamp"}))
                            .value_or(workload.metadata.creation_timestamp.value_or(base::Time())),
      .job_generation =
          generation != nullptr && generation->is_int64() ? generation->get_int64() : 0,
      .workload = &workload};
}

}  // namespace berth::control
