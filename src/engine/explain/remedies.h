#pragma once

#include <vector>

#include "engine/cycle/admission_trial.h"
#include "engine/explain/explanation.h"

namespace berth::engine {

// The single changes that would admit the trial's workload, each verified with the decision code.
// Runs until the trial is exhausted.
//
// Amounts are minimal, found by bisection; of several resources that must grow together, none could
// grow less. `searches` lists the flavors tried and their shortfalls, `topologies` the room in
// those with a topology.
std::vector<Remedy> FindRemedies(AdmissionTrial& trial, const std::vector<FlavorSearch>& searches,
                                 const std::vector<TopologySearch>& topologies,
                                 WorkloadId blocked_by);

}  // namespace berth::engine
