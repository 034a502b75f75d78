#include "lint/topology_requests.h"

#include <algorithm>

#include "api/kueue/topology.h"
#include "api/kueue/well_known.h"
#include "api/kueue/workload.h"
#include "jobs/pods/pod_sets.h"
#include "lint/report.h"

namespace berth::lint {
namespace {

// Names the fields of a request in one of its two forms.
class RequestFields {
 public:
  RequestFields(const QueuedJob& job, const PodSetAt& pods) {
    is_workload_ = job.entry->object && job.entry->object->As<api::Workload>() != nullptr;
    const std::string& at = pods.template_field;
    if (is_workload_)
      prefix_ = at.substr(0, at.rfind('.')) + ".topologyRequest.";
    else
      prefix_ = (at.empty() ? "" : at + ".") + "metadata.annotations[";
  }

  bool is_workload() const { return is_workload_; }
  std::string At(std::string_view field, std::string_view annotation) const {
    return is_workload_ ? prefix_ + std::string(field) : prefix_ + std::string(annotation) + "]";
  }
  std::string OfLayer(size_t index) const {
    const std::string list =
        At("podsetSliceRequiredTopologyConstraints", api::kSliceTopologyConstraintsAnnotation);
    return is_workload_ ? ElementField(list, index) + ".topology" : list;
  }

 private:
  bool is_workload_ = false;
  std::string prefix_;
};

void AddLevels(const RequestFields& fields, TopologyRequestAt& at) {
  const api::PodSetTopologyRequest& request = at.request;
  const auto add = [&](const std::optional<std::string>& level, std::string field) {
    if (level && !level->empty()) at.levels.push_back({*level, std::move(field)});
  };
  add(request.required, fields.At("required", api::kRequiredTopologyAnnotation));
  add(request.preferred, fields.At("preferred", api::kPreferredTopologyAnnotation));
  add(request.pod_set_slice_required_topology,
      fields.At("podSetSliceRequiredTopology", api::kSliceRequiredTopologyAnnotation));
  const auto& layers = request.podset_slice_required_topology_constraints;
  for (size_t i = 0; i < layers.size(); ++i) add(layers[i].topology, fields.OfLayer(i));
}

const api::Topology* TopologyOf(const Catalog& catalog, const api::ResourceFlavor& flavor) {
  return catalog.Find<api::Topology>(*flavor.spec.topology_name);
}

}  // namespace

std::optional<TopologyRequestAt> TopologyRequestOf(const Catalog& catalog, const QueuedJob& job,
                                                   const PodSetAt& pods) {
  const jobs::PodSetOptions options = jobs::PodSetOptions::From(catalog.gates());
  const RequestFields fields(job, pods);
  std::optional<api::PodSetTopologyRequest> request = pods.pod_set.topology_request;
  if (!fields.is_workload()) {
    const auto read =
        jobs::TopologyRequest(pods.pod_set.template_.metadata.annotations, {}, options);
    if (!read) return std::nullopt;
    request = *read;
  }
  if (!request || !options.has_topology) return std::nullopt;
  TopologyRequestAt at{.request = *std::move(request), .field = {}, .levels = {}};
  AddLevels(fields, at);
  at.field = at.levels.empty() ? fields.At("unconstrained", api::kUnconstrainedTopologyAnnotation)
                               : at.levels.front().field;
  return at;
}

bool QueueFlavor::HasLevel(std::string_view level) const {
  return std::ranges::find(levels, level) != levels.end();
}

std::optional<std::vector<QueueFlavor>> FlavorsOf(const Catalog& catalog,
                                                  const JobRequests& requests,
                                                  const QueuedJob& job) {
  const api::ClusterQueue* queue = requests.QueueOf(job);
  if (queue == nullptr || queue->spec.admission_checks_strategy) return std::nullopt;
  std::vector<QueueFlavor> flavors;
  for (const api::ResourceGroup& group : queue->spec.resource_groups) {
    for (const api::FlavorQuotas& quotas : group.flavors) {
      const auto* flavor = catalog.Find<api::ResourceFlavor>(quotas.name);
      if (flavor == nullptr) return std::nullopt;
      QueueFlavor& added = flavors.emplace_back(
          QueueFlavor{.flavor = flavor, .levels = {}, .covered = &group.covered_resources});
      if (!flavor->spec.topology_name) continue;
      const api::Topology* topology = TopologyOf(catalog, *flavor);
      if (topology == nullptr || topology->spec.levels.empty()) return std::nullopt;
      for (const api::TopologyLevel& level : topology->spec.levels)
        added.levels.push_back(level.node_label);
    }
  }
  return flavors;
}

}  // namespace berth::lint
