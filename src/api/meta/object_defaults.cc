#include "api/meta/object_defaults.h"

#include "api/batch/job.h"
#include "api/config/configuration.h"
#include "api/core/limit_range.h"
#include "schema/defaults.h"

namespace berth::api {

void ApplyDefaults(Object& object) {
  if (auto* configuration = object.As<Configuration>())
    return ApplyConfigurationDefaults(*configuration);
  if (auto* job = object.As<Job>()) ApplyDependentDefaults(job->spec);
  if (auto* range = object.As<LimitRange>()) ApplyDependentDefaults(range->spec);
  schema::ApplyDefaults(object.kind().structure(), object.value());
}

}  // namespace berth::api
