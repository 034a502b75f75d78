#pragma once

#include <vector>

#include "engine/admission_trial.h"
#include "engine/explanation.h"

namespace berth::engine {

// The single changes that would admit the workload of the trial, each tried with the code that
// decides. Works as long as the trial is not exhausted.
//
// Amounts are the smallest that do, found by halving; of several resources that must grow together,
// none could grow less. `searches` says which flavors were tried and what is short there.
std::vector<Remedy> FindRemedies(AdmissionTrial& trial, const std::vector<FlavorSearch>& searches,
                                 WorkloadId blocked_by);

}  // namespace berth::engine
