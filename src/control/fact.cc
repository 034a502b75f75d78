#include "control/fact.h"

namespace berth::control {

WorkloadMade MadeFor(const store::json::value& job, std::string_view kind,
                     const api::Workload& workload) {
  const store::json::value* generation = store::FindJson(job, {"metadata", "generation"});
  return {
      .job_kind = kind,
      .job_created_at = base::ParseTime(store::JsonStringAt(job, {"metadata", "creationTimestamp"}))
                            .value_or(workload.metadata.creation_timestamp.value_or(base::Time())),
      .job_generation =
          generation != nullptr && generation->is_int64() ? generation->get_int64() : 0,
      .workload = &workload};
}

}  // namespace berth::control
