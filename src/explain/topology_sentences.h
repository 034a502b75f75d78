#pragma once

// Sentences and tables about topologies.

#include <string>
#include <vector>

#include "explain/report.h"

namespace berth::explain {

// Why the pods have no place, a sentence; "" if they have one.
std::string NoRoomText(const Report& report, const engine::TopologySearch& search);

// Why the topology of a flavor, or its absence, does not match the request of the pods.
std::string TopologyMismatchText(const Report& report, engine::FlavorId flavor);

// Flavors whose topology was not considered, since the files have no nodes; "" if there are none.
std::string UncheckedTopologyText(const Report& report);

// "flavor gpu for podset main: 16 pods in one domain of level example.com/rack".
std::string TopologyTitle(const Report& report, const engine::TopologySearch& search);
// The domains with the most room at each level, in rows of a table with its head. Empty if the
// topology has no domains.
std::vector<std::vector<std::string>> RoomTable(const Report& report,
                                                const engine::TopologySearch& search);
// Nodes that are left out, and nodes without room; a sentence each.
std::vector<std::string> NodeLines(const Report& report, const engine::TopologySearch& search);

// "b1/r2", the domain of a path.
std::string DomainText(const std::vector<std::string>& path);

// The remedies of a topology.
std::string TopologyRemedyText(const Report& report, const engine::Remedy& remedy);

}  // namespace berth::explain
