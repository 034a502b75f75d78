#pragma once

// The topology assignment of a pod set. An assignment may have tens of thousands of nodes, so the
// API compresses it: domains are grouped into slices, and a slice stores the common parts of values
// once.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "schema/describe.h"

namespace berth::api {

// A domain and its number of pods.
struct TopologyDomain {
  std::vector<std::string> values;  // per level of the assignment
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

// The values of one level: one for all domains of a slice, or one per domain.
struct LevelValues {
  std::optional<std::string> universal;
  std::optional<IndividualLevelValues> individual;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const LevelValues&, const LevelValues&) = default;
};

// The number of pods: one for all domains of a slice, or one per domain.
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
  std::vector<std::string> levels;  // node labels, widest level first
  std::vector<TopologyAssignmentSlice> slices;
  std::vector<TopologyDomain> previous_domains;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const TopologyAssignment&, const TopologyAssignment&) = default;
};

// Maximum number of domains in a slice.
inline constexpr size_t kMaxDomainsPerSlice = 100'000;
inline constexpr size_t kMaxSlices = 1000;

// Where a list of domains is cut into slices. Every choice keeps their order.
enum class SliceCuts : uint8_t {
  kFewest,    // only where a slice is full
  kByPrefix,  // also where names of another prefix begin, if the JSON is shorter then
};

// Compresses domains in their order. Missing values of levels become "".
TopologyAssignment PackTopologyAssignment(std::vector<std::string> levels,
                                          const std::vector<TopologyDomain>& domains,
                                          SliceCuts cuts = SliceCuts::kFewest);

// The inverse. Missing values of invalid assignments read as "" or 0. Indistinguishable domains of
// a slice are merged.
std::vector<TopologyDomain> UnpackTopologyAssignment(const TopologyAssignment& assignment);

}  // namespace berth::api

// Compiled once, in topology_assignment.cc.
extern template class std::vector<berth::api::LevelValues>;
extern template class std::vector<berth::api::TopologyAssignmentSlice>;
extern template class std::vector<berth::api::TopologyDomain>;
