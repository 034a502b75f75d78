#pragma once

// The schema of generator files.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "quantity/quantity.h"
#include "schema/describe.h"
#include "simulate/trace/generated_nodes.h"

namespace berth::simulate {

inline constexpr std::string_view kConstraintRequired = "required";
inline constexpr std::string_view kConstraintPreferred = "preferred";
inline constexpr std::string_view kConstraintBalanced = "balanced";  // in slices
inline constexpr std::string_view kConstraintUnconstrained = "unconstrained";
inline constexpr std::string_view kTopologyConstraints[] = {
    kConstraintRequired, kConstraintPreferred, kConstraintBalanced, kConstraintUnconstrained};

struct GeneratedJob {
  std::string class_name;
  int64_t runtime_ms = 0;
  int32_t priority = 0;
  quantity::Quantity request;
  int32_t pod_count = 1;
  std::optional<std::string> tas_constraint;
  std::optional<std::string> tas_level;
  std::optional<int32_t> slice_size;
  schema::Extra extra;

  static const schema::Struct& Description();
};

struct GeneratedJobs {
  int32_t count = 0;
  int64_t creation_interval_ms = 0;
  std::vector<GeneratedJob> workloads;
  schema::Extra extra;

  static const schema::Struct& Description();
};

struct GeneratedQueues {
  std::string class_name;
  int32_t count = 0;
  quantity::Quantity nominal_quota;
  std::optional<quantity::Quantity> borrowing_limit;
  std::optional<std::string> reclaim_within_cohort;
  std::optional<std::string> within_cluster_queue;
  std::vector<GeneratedJobs> workloads_sets;
  schema::Extra extra;

  static const schema::Struct& Description();
};

struct GeneratedCohorts {
  std::string class_name;
  int32_t count = 0;
  std::vector<GeneratedQueues> queues_sets;
  schema::Extra extra;

  static const schema::Struct& Description();
};

struct GeneratorFile {
  std::optional<GeneratedTopology> topology;
  std::optional<GeneratedFlavor> resource_flavor;
  std::vector<GeneratedNodes> nodes;
  std::vector<GeneratedCohorts> cohorts;
  schema::Extra extra;

  static const schema::Struct& Description();
};

}  // namespace berth::simulate
