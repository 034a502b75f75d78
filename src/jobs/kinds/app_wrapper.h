#pragma once

#include <string_view>

namespace berth::jobs::kinds {

// AppWrapper: pod sets of the wrapped objects, as declared or by their own descriptions.
inline constexpr std::string_view kAppWrapper = R"yaml(framework: workload.codeflare.dev/appwrapper
apiVersion: workload.codeflare.dev/v1beta2
kind: AppWrapper
plural: appwrappers
suspend: spec.suspend
derives: AppWrapper
injects: PodSetInfos
active: [{condition: QuotaReserved}]
finished:
- {when: [{path: status.phase, in: [Succeeded]}], success: true, message: the AppWrapper has succeeded}
- when:
  - {path: status.phase, in: [Failed]}
  - {condition: ResourcesDeployed, not: true}
  message: the AppWrapper has failed
ready: {when: [{condition: PodsReady}]}
managedBy: {path: spec.managedBy, controller: workload.codeflare.dev/appwrapper-controller}
prebuilt: true
)yaml";

}  // namespace berth::jobs::kinds
