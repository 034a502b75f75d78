#include "simulate/trace/generator_rules.h"

#include <string>

#include "api/meta/problem_report.h"
#include "base/int128.h"
#include "simulate/trace/node_generator.h"

namespace berth::simulate {
namespace {

// Bounds memory.
constexpr int64_t kMaxJobs = 20'000'000;
constexpr int64_t kMaxQueues = 100'000;

class GeneratorRules {
 public:
  schema::Problems Check(const GeneratorFile& file) {
    if (file.cohorts.empty() && file.nodes.empty() && !file.topology)
      report_.Required("cohorts", "file generates nothing", "write cohorts, nodes or a topology");
    CheckNodes(file);
    if (file.resource_flavor) CheckFlavor(*file.resource_flavor);
    for (size_t i = 0; i < file.cohorts.size(); ++i) {
      auto at = report_.In("cohorts", i);
      CheckCohorts(file.cohorts[i]);
    }
    if (jobs_ > kMaxJobs)
      report_.Invalid("cohorts", "these are more than " + std::to_string(kMaxJobs) + " jobs");
    if (queues_ > kMaxQueues)
      report_.Invalid("cohorts", "these are more than " + std::to_string(kMaxQueues) + " queues");
    return std::move(report_).Take();
  }

 private:
  void CheckNodes(const GeneratorFile& file) {
    NodeRules rules(report_);
    if (file.topology) {
      auto in = report_.In("topology");
      rules.CheckTopology(*file.topology);
    }
    for (size_t i = 0; i < file.nodes.size(); ++i) {
      auto at = report_.In("nodes", i);
      rules.CheckPool(file.nodes[i], i);
    }
    rules.CheckTotal();
  }

  void CheckFlavor(const GeneratedFlavor& flavor) {
    auto in = report_.In("resourceFlavor");
    if (flavor.topology_name && !flavor.node_label)
      report_.Required("nodeLabel", "a flavor with a Topology selects its nodes by a label");
  }

  void CheckCohorts(const GeneratedCohorts& cohorts) {
    for (size_t i = 0; i < cohorts.queues_sets.size(); ++i) {
      const GeneratedQueues& queues = cohorts.queues_sets[i];
      auto at = report_.In("queuesSets", i);
      const base::Int128 count = base::Int128{cohorts.count} * queues.count;
      queues_ += count;
      CheckAmount("nominalQuota", queues.nominal_quota);
      if (queues.borrowing_limit) CheckAmount("borrowingLimit", *queues.borrowing_limit);
      for (size_t j = 0; j < queues.workloads_sets.size(); ++j) {
        auto in = report_.In("workloadsSets", j);
        CheckJobs(queues.workloads_sets[j], count);
      }
    }
  }

  void CheckJobs(const GeneratedJobs& jobs, base::Int128 queues) {
    jobs_ += queues * jobs.count * static_cast<int64_t>(jobs.workloads.size());
    for (size_t i = 0; i < jobs.workloads.size(); ++i) {
      auto at = report_.In("workloads", i);
      CheckAmount("request", jobs.workloads[i].request);
      CheckPlacement(jobs.workloads[i]);
    }
  }

  void CheckPlacement(const GeneratedJob& job) {
    const std::string constraint = job.tas_constraint.value_or("");
    const bool has_level = !constraint.empty() && constraint != kConstraintUnconstrained;
    if (has_level && !job.tas_level)
      report_.Required("tasLevel", "constraint " + constraint + " needs a level",
                       "write the node label of the level");
    if (!has_level && job.tas_level)
      report_.Invalid("tasLevel", "no constraint uses this level",
                      "write tasConstraint: required, preferred or balanced");
    if (constraint == kConstraintBalanced && !job.slice_size)
      report_.Required("sliceSize", "constraint balanced needs a number of pods in each slice");
    if (constraint != kConstraintBalanced && job.slice_size)
      report_.Invalid("sliceSize", "only constraint balanced has slices");
    if (job.slice_size && *job.slice_size > job.pod_count)
      report_.Invalid("sliceSize", "must be at most podCount, " + std::to_string(job.pod_count));
  }

  void CheckAmount(std::string_view field, const quantity::Quantity& amount) {
    constexpr int64_t kMost = 1'000'000'000'000;
    if (amount.Sign() < 0) report_.Invalid(field, "must not be negative");
    if (amount > quantity::Quantity::FromInt(kMost))
      report_.Invalid(field, "must be at most " + std::to_string(kMost));
  }

  api::ProblemReport report_;
  base::Int128 jobs_ = 0;
  base::Int128 queues_ = 0;
};

}  // namespace

schema::Problems CheckGenerator(const GeneratorFile& file) { return GeneratorRules().Check(file); }

}  // namespace berth::simulate
