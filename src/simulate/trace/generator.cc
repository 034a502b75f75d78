#include "simulate/trace/generator.h"

#include <optional>
#include <utility>

#include "api/core/namespace.h"
#include "api/kueue/cluster_queue.h"
#include "api/kueue/local_queue.h"
#include "api/kueue/resource_flavor.h"
#include "api/meta/problem_report.h"
#include "api/meta/source.h"
#include "base/int128.h"
#include "schema/decode.h"
#include "schema/defaults.h"
#include "schema/validate.h"
#include "schema/yaml/to_json.h"
#include "simulate/trace/generator_file.h"

namespace berth::simulate {
namespace {

constexpr std::string_view kFlavor = "default";
constexpr std::string_view kCpu = "cpu";
// Bounds memory.
constexpr int64_t kMaxJobs = 20'000'000;
constexpr int64_t kMaxQueues = 100'000;

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
                                       .hint = "it begins with cohorts:",
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

// Rules that cross fields.
class GeneratorRules {
 public:
  schema::Problems Check(const GeneratorFile& file) {
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
    }
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

class Generator {
 public:
  explicit Generator(Input& input) : input_(input), kinds_(input) {}

  void Make(const GeneratorFile& file) {
    api::ResourceFlavor flavor;
    flavor.metadata.name = kFlavor;
    input_.objects.push_back(Complete(std::move(flavor)));
    for (const GeneratedCohorts& cohorts : file.cohorts) {
      for (int32_t i = 0; i < cohorts.count; ++i) {
        const std::string cohort = cohorts.class_name + "-" + std::to_string(i);
        for (size_t set = 0; set < cohorts.queues_sets.size(); ++set)
          MakeQueues(cohorts.queues_sets[set], set, cohort);
      }
    }
  }

 private:
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
    flavor.name = kFlavor;
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
                                 .requests = {}};
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
};

}  // namespace

schema::Problems AddGenerated(std::string_view text, const std::string& file, Input& input) {
  std::expected<api::Source, schema::Problems> source = ReadSource(text, file);
  if (!source) return std::move(source.error());
  GeneratorFile read;
  schema::Problems problems =
      schema::Decoder().Decode(source->json, GeneratorFile::Description(), &read,
                               {.is_strict = true, .file = file, .source_map = &*source->map});
  if (problems.empty()) problems = schema::Validate(read);
  if (problems.empty()) problems = GeneratorRules().Check(read);
  for (schema::Problem& problem : problems) {
    if (problem.place == base::Place{}) problem.place = api::Locate(*source, problem.field);
  }
  if (problems.empty()) Generator(input).Make(read);
  return problems;
}

}  // namespace berth::simulate
