#pragma once

#include <string_view>

namespace berth::jobs::kinds {

// TrainJob of Kubeflow Trainer. Its pods are those of the JobSet of its runtime, with the changes
// of the TrainJob.
inline constexpr std::string_view kTrainJob = R"yaml(framework: trainer.kubeflow.org/trainjob
apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainJob
plural: trainjobs
suspend: spec.suspend
derives: TrainJob
injects: RuntimePatches
active: [{each: status.jobsStatus, path: active}]
finished:
- {when: [{condition: Complete}], success: true}
- {when: [{condition: Failed}]}
ready:
  counted: {each: status.jobsStatus, add: [ready, succeeded]}
reclaimable: {statuses: status.jobsStatus, name: name, succeeded: succeeded}
managedBy: {path: spec.managedBy, controller: trainer.kubeflow.org/trainjob-controller}
stopsInSteps: true
prebuilt: true
)yaml";

}  // namespace berth::jobs::kinds
