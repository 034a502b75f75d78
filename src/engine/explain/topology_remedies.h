#pragma once

#include <vector>

#include "engine/cycle/admission_trial.h"
#include "engine/explain/explanation.h"

namespace berth::engine {

// Changes that would admit a workload whose pods have no place, each verified with the decision
// code. Only for podsets without room in the flavor that quota chose.
class TopologyRemedies {
 public:
  TopologyRemedies(AdmissionTrial& trial, const std::vector<TopologySearch>& searches,
                   std::vector<Remedy>& remedies)
      : trial_(trial), state_(trial.state()), searches_(searches), remedies_(remedies) {}

  // A wider level, a preferred level, or other slices: the nearest that is enough, of each kind.
  void TryOtherRequests();
  // The request of a podset that matches the flavor, tried by a caller with another shape: any
  // level of its topology or, if it has none, no topology.
  bool AdmitsSuiting(FlavorId flavor, const std::vector<uint32_t>& pod_sets);
  // Room that is freed on nodes, and nodes that are added.
  void TryMoreRoom();

 private:
  const PodSetTopology& RequestOf(const TopologySearch& search) const;
  bool AdmitsAs(uint32_t pod_set, PodSetTopology request);
  void TryWiderLevel(const TopologySearch& search);
  void TryPreferring(const TopologySearch& search);
  void TryWiderSliceLevel(const TopologySearch& search);
  void TrySmallerSlices(const TopologySearch& search);
  Remedy& Add(RemedyKind kind, const TopologySearch& search);

  AdmissionTrial& trial_;
  State& state_;
  const std::vector<TopologySearch>& searches_;
  std::vector<Remedy>& remedies_;
};

}  // namespace berth::engine
