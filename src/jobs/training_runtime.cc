#include "jobs/training_runtime.h"

namespace berth::jobs {

TrainingRuntimeName RuntimeNamedBy(const json::value& train_job) {
  constexpr std::string_view kForAll = kTrainingRuntimeKinds[0].kind;
  static_assert(!kTrainingRuntimeKinds[0].is_namespaced);
  TrainingRuntimeName runtime{.kind = json::TextAt(train_job, "spec.runtimeRef.kind"),
                              .name = json::TextAt(train_job, "spec.runtimeRef.name")};
  if (runtime.kind.empty()) runtime.kind = kForAll;
  if (runtime.kind != kForAll) runtime.namespace_ = json::TextAt(train_job, "metadata.namespace");
  return runtime;
}

}  // namespace berth::jobs
