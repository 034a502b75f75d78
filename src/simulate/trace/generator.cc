#include "simulate/trace/generator.h"

#include <optional>
#include <utility>

#include "api/core/namespace.h"
#include "api/core/node.h"
#include "api/kueue/cluster_queue.h"
#include "api/kueue/local_queue.h"
#include "api/kueue/resource_flavor.h"
#include "api/kueue/topology.h"
#include "api/meta/source.h"
#include "schema/decode.h"
#include "schema/defaults.h"
#include "schema/validate.h"
#include "schema/yaml/to_json.h"
#include "simulate/trace/generator_rules.h"
#include "simulate/trace/node_generator.h"

namespace berth::simulate {
namespace {

constexpr std::string_view kCpu = "cpu";

schema::Problems OneProblem(base::Error error) {
  return {{.type = schema::ProblemType::kSyntax,
           .field = {},
           .message = std::move(error.message),
           .hint = std::move(error.hint),
           .place = std::move(error.place)}};
}

std::expected<api::Source, schema::Problems> ReadSource(std::string_view text,
                                                        const std::string& file) {
  base::Result<std::vector<schema::YamlDocument>> documents =
      schema::YamlToJson(text, {.file = file});
  if (!documents) return std::unexpected(OneProblem(documents.error()));
  if (documents->size() != 1)
    return std::unexpected(OneProblem({.message = "a generator file is one document, this has " +
                                                  std::to_string(documents->size()),
                                       .hint = "it begins with cohorts: or nodes:",
                                       .place = {file, 1, 1}}));
  return api::Source{.file = file,
                     .json = std::move(documents->front().json),
                     .map = std::move(documents->front().map)};
}

template <class T>
api::Object Complete(T value) {
  api::Object object(T::KindInfo());
  schema::ApplyDefaults(value);
  *object.As<T>() = std::move(value);
  return object;
}

std::optional<api::PodSetTopologyRequest> TopologyRequestOf(const GeneratedJob& job) {
  if (!job.tas_constraint) return std::nullopt;
  api::PodSetTopologyRequest request;
  if (*job.tas_constraint == kConstraintRequired) request.required = job.tas_level;
  if (*job.tas_constraint == kConstraintPreferred) request.preferred = job.tas_level;
  if (*job.tas_constraint == kConstraintUnconstrained) request.unconstrained = true;
  if (*job.tas_constraint == kConstraintBalanced) {
    request.pod_set_slice_required_topology = job.tas_level;
    request.pod_set_slice_size = job.slice_size;
  }
  return request;
}

class Generator {
 public:
  explicit Generator(Input& input) : input_(input), kinds_(input) {}

  void Make(const GeneratorFile& file) {
    if (file.resource_flavor) flavor_ = file.resource_flavor->name;
    if (!file.cohorts.empty() || file.resource_flavor) MakeFlavor(file.resource_flavor);
    if (file.topology) {
      MakeTopology(*file.topology);
      MakePool(PoolOf(*file.topology, file.resource_flavor));
    }
    for (const GeneratedNodes& pool : file.nodes) MakePool(pool);
    for (const GeneratedCohorts& cohorts : file.cohorts) {
      for (int32_t i = 0; i < cohorts.count; ++i) {
        const std::string cohort = cohorts.class_name + "-" + std::to_string(i);
        for (size_t set = 0; set < cohorts.queues_sets.size(); ++set)
          MakeQueues(cohorts.queues_sets[set], set, cohort);
      }
    }
  }

 private:
  void MakeFlavor(const std::optional<GeneratedFlavor>& given) {
    api::ResourceFlavor flavor;
    flavor.metadata.name = flavor_;
    if (given && given->node_label)
      flavor.spec.node_labels.Set(*given->node_label, std::string(kValueOfFlavorLabel));
    if (given) flavor.spec.topology_name = given->topology_name;
    input_.objects.push_back(Complete(std::move(flavor)));
  }

  void MakeTopology(const GeneratedTopology& given) {
    api::Topology topology;
    topology.metadata.name = given.name;
    for (const GeneratedTopologyLevel& level : given.levels)
      topology.spec.levels.push_back({.node_label = level.node_label, .extra = {}});
    input_.objects.push_back(Complete(std::move(topology)));
  }

  void MakePool(const GeneratedNodes& pool) {
    if (!pool.fails_after.empty()) AddFailures(pool);
    for (api::Node& node : MakeNodes(pool)) {
      api::Object object(api::Node::KindInfo());
      *object.As<api::Node>() = std::move(node);
      input_.objects.push_back(std::move(object));
    }
  }

  void AddFailures(const GeneratedNodes& pool) {
    FailingNodes& failing = input_.failing_nodes.emplace_back();
    failing.first = static_cast<uint32_t>(input_.objects.size());
    failing.count = static_cast<uint32_t>(NodeCountOf(pool));
    failing.fails_after = *Distribution::Parse(pool.fails_after);
    if (!pool.repaired_after.empty())
      failing.repaired_after = *Distribution::Parse(pool.repaired_after);
  }

  void MakeQueues(const GeneratedQueues& queues, size_t set, const std::string& cohort) {
    for (int32_t i = 0; i < queues.count; ++i) {
      const std::string name =
          queues.class_name + "-" + std::to_string(set) + "-" + std::to_string(i) + "-" + cohort;
      MakeQueue(queues, name, cohort);
      for (const GeneratedJobs& jobs : queues.workloads_sets) MakeJobs(jobs, name);
    }
  }

  void MakeQueue(const GeneratedQueues& queues, const std::string& name,
                 const std::string& cohort) {
    api::ClusterQueue queue;
    queue.metadata.name = name;
    queue.spec.cohort_name = cohort;
    queue.spec.namespace_selector.emplace();
    queue.spec.preemption.emplace();
    queue.spec.preemption->reclaim_within_cohort = queues.reclaim_within_cohort;
    queue.spec.preemption->within_cluster_queue = queues.within_cluster_queue;
    api::ResourceGroup& group = queue.spec.resource_groups.emplace_back();
    group.covered_resources = {std::string(kCpu)};
    api::FlavorQuotas& flavor = group.flavors.emplace_back();
    flavor.name = flavor_;
    api::ResourceQuota& quota = flavor.resources.emplace_back();
    quota.name = kCpu;
    quota.nominal_quota = queues.nominal_quota;
    quota.borrowing_limit = queues.borrowing_limit;
    input_.objects.push_back(Complete(std::move(queue)));

    api::Namespace space;
    space.metadata.name = name;
    space.metadata.labels.Set("kubernetes.io/metadata.name", name);
    input_.objects.push_back(Complete(std::move(space)));

    api::LocalQueue local;
    local.metadata.name = name;
    local.metadata.namespace_ = name;
    local.spec.cluster_queue = name;
    input_.objects.push_back(Complete(std::move(local)));
  }

  void MakeJobs(const GeneratedJobs& jobs, const std::string& queue) {
    std::vector<uint32_t> kinds;
    for (const GeneratedJob& job : jobs.workloads) {
      JobDescription description{.namespace_ = queue,
                                 .queue = queue,
                                 .label = job.class_name,
                                 .count = job.pod_count,
                                 .priority = job.priority,
                                 .requests = {},
                                 .topology = TopologyRequestOf(job)};
      description.requests.Set(kCpu, job.request);
      kinds.push_back(kinds_.KindOf(description));
    }
    base::Time arrival = input_.start;
    const base::Duration interval = base::Duration::Milliseconds(jobs.creation_interval_ms);
    for (int32_t i = 0; i < jobs.count; ++i) {
      for (size_t j = 0; j < kinds.size(); ++j) {
        arrival = arrival + interval;
        input_.jobs.push_back(
            {.arrival = arrival,
             .run_time = base::Duration::Milliseconds(jobs.workloads[j].runtime_ms),
             .kind = kinds[j],
             .name = {}});
      }
    }
  }

  Input& input_;
  KindTable kinds_;
  std::string flavor_ = "default";
};

}  // namespace

std::expected<GeneratorFile, schema::Problems> ReadGenerator(std::string_view text,
                                                             const std::string& file) {
  std::expected<api::Source, schema::Problems> source = ReadSource(text, file);
  if (!source) return std::unexpected(std::move(source.error()));
  GeneratorFile read;
  schema::Problems problems =
      schema::Decoder().Decode(source->json, GeneratorFile::Description(), &read,
                               {.is_strict = true, .file = file, .source_map = &*source->map});
  if (problems.empty()) problems = schema::Validate(read);
  if (problems.empty()) problems = CheckGenerator(read);
  for (schema::Problem& problem : problems) {
    if (problem.place == base::Place{}) problem.place = api::Locate(*source, problem.field);
  }
  if (!problems.empty()) return std::unexpected(std::move(problems));
  return read;
}

schema::Problems AddGenerated(std::string_view text, const std::string& file, Input& input) {
  const std::expected<GeneratorFile, schema::Problems> read = ReadGenerator(text, file);
  if (!read) return read.error();
  Generator(input).Make(*read);
  return {};
}

}  // namespace berth::simulate
