#pragma once

// Where in a topology the pods of a pod set run. An assignment can name tens of thousands of nodes,
// so the API packs it: domains come in slices, and in each slice what the values of one level have
// in common is written once.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "schema/describe.h"

namespace berth::api {

// One domain and the number of pods in it.
struct TopologyDomain {
  std::vector<std::string> values;  // of the labels of the assignment's levels
  int32_t count = 0;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const TopologyDomain&, const TopologyDomain&) = default;
};

// A value for each domain of a slice: prefix + root + suffix.
struct IndividualLevelValues {
  std::optional<std::string> prefix;
  std::optional<std::string> suffix;
  std::vector<std::string> roots;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const IndividualLevelValues&, const IndividualLevelValues&) = default;
};

// The values of one level, either the same for all domains of a slice or one for each.
struct LevelValues {
  std::optional<std::string> universal;
  std::optional<IndividualLevelValues> individual;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const LevelValues&, const LevelValues&) = default;
};

// The number of pods, either the same for all domains of a slice or one for each.
struct DomainPodCounts {
  std::optional<int32_t> universal;
  std::optional<std::vector<int32_t>> individual;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const DomainPodCounts&, const DomainPodCounts&) = default;
};

struct TopologyAssignmentSlice {
  int32_t domain_count = 0;
  std::vector<LevelValues> values_per_level;
  DomainPodCounts pod_counts;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const TopologyAssignmentSlice&, const TopologyAssignmentSlice&) = default;
};

struct TopologyAssignment {
  std::vector<std::string> levels;  // node labels, the widest level first
  std::vector<TopologyAssignmentSlice> slices;
  std::vector<TopologyDomain> former_domains;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const TopologyAssignment&, const TopologyAssignment&) = default;
};

// More domains do not go into one slice.
inline constexpr size_t kMaxDomainsPerSlice = 100'000;

// Packs domains in their order. Each should have a value for every level; missing ones become "".
TopologyAssignment PackTopologyAssignment(std::vector<std::string> levels,
                                          const std::vector<TopologyDomain>& domains);

// The opposite. Of assignments that break the API's rules, what is missing reads as "" or 0.
// Domains of a slice that nothing tells apart are one domain.
std::vector<TopologyDomain> UnpackTopologyAssignment(const TopologyAssignment& assignment);

}  // namespace berth::api

// Compiled once, in topology_assignment.cc.
extern template class std::vector<berth::api::LevelValues>;
extern template class std::vector<berth::api::TopologyAssignmentSlice>;
extern template class std::vector<berth::api::TopologyDomain>;
