#include "workload/topology/too_large_placement.h"

#include "schema/encode.h"
#include "workload/convert/convert_topology.h"

namespace berth::workload {

size_t BytesOf(const engine::PodSetPlacement& placement, const engine::Engine& engine,
               api::SliceCuts cuts) {
  return schema::Encode(ToTopologyAssignment(engine, placement.flavor, placement.domains, cuts))
      .size();
}

std::string TooLargePlacementMessage() {
  return "Topology assignment of the pods takes more than " +
         std::to_string(engine::kMostPlacementBytes / 1024) +
         " KiB in the status of the Workload; split the job into smaller ones, or use a Topology "
         "whose lowest level is wider";
}

}  // namespace berth::workload
