#pragma once

#include <string_view>

namespace berth::jobs::kinds {

// SparkApplication: driver and executors, with templates derived from the application's fields.
inline constexpr std::string_view kSparkApplication =
    R"yaml(framework: sparkoperator.k8s.io/sparkapplication
apiVersion: sparkoperator.k8s.io/v1beta2
kind: SparkApplication
plural: sparkapplications
suspend: spec.suspend
derives: SparkApplication
injects: SparkFields
active: [{path: status.applicationState.state, in: [RUNNING]}]
finished:
- when: [{path: status.applicationState.state, in: [COMPLETED]}]
  success: true
  messagePath: status.applicationState.errorMessage
- when: [{path: status.applicationState.state, in: [FAILED, SUBMISSION_FAILED]}]
  messagePath: status.applicationState.errorMessage
ready:
  when: [{path: status.applicationState.state, in: [RUNNING]}]
  counted: {add: [status.executorState], in: [RUNNING, COMPLETED]}
  wanted: {add: [spec.executor.instances]}
)yaml";

}  // namespace berth::jobs::kinds
