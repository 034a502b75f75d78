#include "simulate/input.h"

#include <algorithm>

#include "schema/defaults.h"
#include "schema/encode.h"

namespace berth::simulate {
namespace {

std::string KeyOf(const JobDescription& job) {
  std::string key = job.namespace_ + '/' + job.queue + '/' + job.label + '/' +
                    std::to_string(job.count) + '/' + std::to_string(job.priority);
  for (const auto& [resource, amount] : job.requests) {
    key += '/' + resource + '=';
    amount.AppendTo(key);
  }
  if (job.topology) key += '/' + schema::Encode(*job.topology);
  return key;
}

uint64_t HashOfKey(std::string_view key) {
  uint64_t hash = key.size();
  for (const char c : key) hash = base::MixHash(hash, static_cast<unsigned char>(c));
  return hash;
}

api::Workload ToWorkload(const JobDescription& job) {
  api::Workload workload;
  workload.metadata.namespace_ = job.namespace_;
  workload.spec.queue_name = job.queue;
  workload.spec.priority = job.priority;
  api::PodSet& pods = workload.spec.pod_sets.emplace_back();
  pods.name = api::kDefaultPodSetName;
  pods.count = job.count;
  pods.topology_request = job.topology;
  api::Container& container = pods.template_.spec.containers.emplace_back();
  container.name = "main";
  container.resources.requests = job.requests;
  schema::ApplyDefaults(api::Workload::KindInfo().structure(), &workload);
  return workload;
}

}  // namespace

void SortJobs(Input& input) { std::ranges::stable_sort(input.jobs, {}, &Job::arrival); }

std::string NameOf(const Input& input, uint32_t job) {
  if (!input.jobs[job].name.empty()) return input.jobs[job].name;
  const JobKind& kind = input.kinds[input.jobs[job].kind];
  const std::string& label = kind.label.empty() ? "job" : kind.label;
  return kind.workload.metadata.namespace_ + '/' + label + '-' + std::to_string(job);
}

uint32_t KindTable::KindOf(const JobDescription& job) {
  std::string key = KeyOf(job);
  const uint64_t hash = HashOfKey(key);
  const uint32_t known = index_.Find(hash, [&](uint32_t i) { return keys_[i] == key; });
  if (known != base::HashIndex::kNone) return kind_of_[known];
  index_.Insert(hash, static_cast<uint32_t>(keys_.size()));
  keys_.push_back(std::move(key));
  kind_of_.push_back(static_cast<uint32_t>(input_.kinds.size()));
  input_.kinds.push_back({.workload = ToWorkload(job), .label = job.label});
  return kind_of_.back();
}

}  // namespace berth::simulate
