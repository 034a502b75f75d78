#include "jobs/pods/pod_sets.h"

#include <algorithm>
#include <limits>
#include <map>

#include "api/kueue/well_known.h"
#include "api/meta/problem_report.h"
#include "base/text.h"
#include "jobs/derive/derive.h"
#include "jobs/job_state.h"
#include "schema/thread_decoder.h"

namespace berth::jobs {
namespace {

// Applies a rule to one place of the object.
class PodSetReader {
 public:
  PodSetReader(const Integration& integration, const PodSetRule& rule, const PodSetOptions& options)
      : integration_(integration), rule_(rule), options_(options) {}

  // `path` is the path of `at`, "" for the object itself.
  base::Result<JobPodSet> Read(const json::value& at, const std::string& path) const {
    JobPodSet set{.template_path = Joined(path, rule_.template_), .rule = &rule_};
    const json::value* source = json::FindAt(at, rule_.template_);
    static const json::value kNothing = json::object();
    auto pods = ReadTemplate(source == nullptr ? kNothing : *source, set.template_path);
    if (!pods) return std::unexpected(pods.error());
    SetCounts(at, set);
    const auto request = Topology(pods->metadata.annotations, at);
    if (!request) return std::unexpected(request.error());
    set.pod_set.topology_request = *request;
    set.pod_set.name =
        rule_.name.empty() ? PodSetName(json::TextAt(at, rule_.name_path)) : rule_.name;
    set.pod_set.template_ = Shown(*std::move(pods));
    return set;
  }

 private:
  static std::string Joined(const std::string& path, const std::string& more) {
    return path.empty() || more.empty() ? path + more : path + "." + more;
  }

  void SetCounts(const json::value& at, JobPodSet& set) const {
    const int32_t count = CountOf(rule_.count, at);
    set.pod_set.count = count;
    const bool is_grouped = !rule_.sub_group_count.empty() && rule_.count.size() > 1;
    set.replicas = is_grouped ? CountOf({rule_.count.front()}, at) : count;
    set.pods_per_replica =
        is_grouped ? CountOf({rule_.count.begin() + 1, rule_.count.end()}, at) : 1;
    if (options_.has_partial_admission && !rule_.min_count.empty())
      set.pod_set.min_count = json::IntOf(json::TextAt(at, rule_.min_count));
  }

  base::Result<std::optional<api::PodSetTopologyRequest>> Topology(
      const base::FlatMap<std::string>& annotations, const json::value& at) const {
    TopologyIndices indices{.pod_index_label = rule_.pod_index_label,
                            .sub_group_index_label = rule_.sub_group_index_label};
    if (!rule_.sub_group_count.empty())
      indices.sub_group_count = json::IntAt(at, rule_.sub_group_count).value_or(1);
    return TopologyRequest(annotations, indices, options_);
  }

  // The template as it appears in the Workload.
  api::PodTemplateSpec Shown(api::PodTemplateSpec pods) const {
    if (!rule_.has_metadata) pods.metadata = {};
    for (const std::string& label : integration_.hidden_labels) pods.metadata.labels.Erase(label);
    DropRepeatedVariables(pods.spec);
    return pods;
  }

  const Integration& integration_;
  const PodSetRule& rule_;
  const PodSetOptions& options_;
};

base::Result<void> AddByRule(const PodSetReader& reader, const PodSetRule& rule,
                             const json::value& job, PodSetList& all) {
  const auto add = [&](const json::value& at, const std::string& path) -> base::Result<void> {
    auto set = reader.Read(at, path);
    if (!set) return std::unexpected(set.error());
    all.push_back(*std::move(set));
    return {};
  };
  if (rule.each.empty()) return add(job, "");
  const json::value* list = json::FindAt(job, rule.each);
  const json::array* elements = list == nullptr ? nullptr : list->if_array();
  if (elements == nullptr) return {};
  for (size_t i = 0; i < elements->size(); ++i) {
    auto added = add((*elements)[i], rule.each + "[" + std::to_string(i) + "]");
    if (!added) return added;
  }
  return {};
}

base::Result<PodSetList> Derive(const Integration& integration, const json::value& job,
                                const PodSetOptions& options, PodSetList sets) {
  if (integration.derives == kDerivesRayCluster)
    return DeriveRayCluster(integration, job, options, std::move(sets));
  if (integration.derives == kDerivesRayJob)
    return DeriveRayJob(integration, job, options, std::move(sets));
  if (integration.derives == kDerivesAppWrapper) return DeriveAppWrapper(job, options);
  if (integration.derives == kDerivesTrainJob) return DeriveTrainJob(job, options);
  if (integration.derives == kDerivesSpark) return DeriveSparkApplication(job, options);
  return sets;
}

// --- Topology ----------------------------------------------------------------------------------

using Annotations = base::FlatMap<std::string>;

base::Error BadAnnotation(std::string_view name, std::string_view value, std::string must) {
  return {.message = "annotation " + std::string(name) + " is " + api::Quoted(value),
          .hint = std::move(must),
          .place = {}};
}

struct SliceList {
  std::vector<api::SliceTopologyConstraint> slices;
  schema::Extra extra;

  static const schema::Struct& Description() {
    static constexpr schema::Field kFields[] = {
        schema::Member<&SliceList::slices>("slices", "Slices within slices.")};
    static constexpr auto kStruct =
        schema::Describe<SliceList>("SliceList", "The annotation's list.", kFields);
    return kStruct;
  }
};

base::Result<void> ReadSlices(const Annotations& annotations, const PodSetOptions& options,
                              api::PodSetTopologyRequest& request) {
  const std::string* layers = annotations.Find(api::kSliceTopologyConstraintsAnnotation);
  if (layers != nullptr && options.has_multi_layer_topology) {
    const auto list = schema::Decode<SliceList>("{\"slices\":" + *layers + "}");
    if (!list || list->slices.empty() || list->slices.size() > 3) {
      return std::unexpected(BadAnnotation(api::kSliceTopologyConstraintsAnnotation, *layers,
                                           "write a JSON list of one to three "
                                           "{\"topology\":…,\"size\":…}"));
    }
    request.podset_slice_required_topology_constraints = list->slices;
    return {};
  }
  const std::string* level = annotations.Find(api::kSliceRequiredTopologyAnnotation);
  const std::string* size = annotations.Find(api::kSliceSizeAnnotation);
  if (level == nullptr || size == nullptr) return {};
  const auto number = json::IntOf(*size);
  if (!number)
    return std::unexpected(BadAnnotation(api::kSliceSizeAnnotation, *size, "write a number"));
  request.pod_set_slice_required_topology = *level;
  request.pod_set_slice_size = number;
  return {};
}

// Returns whether one of the three annotations is set.
base::Result<bool> ReadLevel(const Annotations& annotations, api::PodSetTopologyRequest& request) {
  if (const std::string* level = annotations.Find(api::kRequiredTopologyAnnotation)) {
    request.required = *level;
  } else if (const std::string* wish = annotations.Find(api::kPreferredTopologyAnnotation)) {
    request.preferred = *wish;
  } else if (const std::string* any = annotations.Find(api::kUnconstrainedTopologyAnnotation)) {
    request.unconstrained = base::ParseBool(*any);
    if (!request.unconstrained)
      return std::unexpected(
          BadAnnotation(api::kUnconstrainedTopologyAnnotation, *any, "write \"true\""));
  } else {
    return false;
  }
  return true;
}

bool HasSlices(const Annotations& annotations) {
  return (annotations.Contains(api::kSliceRequiredTopologyAnnotation) &&
          annotations.Contains(api::kSliceSizeAnnotation)) ||
         annotations.Contains(api::kSliceTopologyConstraintsAnnotation);
}

void DropRepeated(std::vector<api::EnvVar>& variables) {
  std::vector<api::EnvVar> kept;
  std::map<std::string, size_t> places;
  for (api::EnvVar& variable : variables) {
    const auto [place, is_new] = places.try_emplace(variable.name, kept.size());
    if (is_new) {
      kept.push_back(std::move(variable));
    } else {
      kept[place->second] = std::move(variable);
    }
  }
  variables = std::move(kept);
}

}  // namespace

PodSetOptions PodSetOptions::From(const api::FeatureGates& gates) {
  return {.has_topology = gates.IsOn(api::Gate::kTopologyAwareScheduling),
          .has_multi_layer_topology = gates.IsOn(api::Gate::kTASMultiLayerTopology),
          .has_partial_admission = gates.IsOn(api::Gate::kPartialAdmission)};
}

base::Result<std::vector<JobPodSet>> PodSetsOf(const Integration& integration,
                                               const json::value& job,
                                               const PodSetOptions& options) {
  PodSetList sets;
  for (const PodSetRule& rule : integration.pod_sets) {
    if (!std::ranges::all_of(rule.when, [&](const Test& test) { return Holds(test, job); }))
      continue;
    const auto added = AddByRule(PodSetReader(integration, rule, options), rule, job, sets);
    if (!added) return std::unexpected(added.error());
  }
  return Derive(integration, job, options, std::move(sets));
}

base::Result<std::vector<api::PodSet>> PodSets(const Integration& integration,
                                               const json::value& job,
                                               const PodSetOptions& options) {
  auto sets = PodSetsOf(integration, job, options);
  if (!sets) return std::unexpected(sets.error());
  std::vector<api::PodSet> plain;
  for (JobPodSet& set : *sets) plain.push_back(std::move(set.pod_set));
  return plain;
}

std::string PodSetName(std::string_view name) {
  std::string lower(name);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

int32_t CountOf(const std::vector<CountFactor>& factors, const json::value& at) {
  constexpr int64_t kMost = std::numeric_limits<int32_t>::max();
  int64_t product = 1;
  for (const CountFactor& factor : factors) {
    int64_t number = json::IntAt(at, factor.path).value_or(factor.default_);
    if (!factor.at_most.empty())
      number = std::min<int64_t>(number, json::IntAt(at, factor.at_most).value_or(number));
    number = std::max<int64_t>(number + factor.plus, factor.at_least);
    product = std::clamp<int64_t>(product * std::clamp<int64_t>(number, 0, kMost), 0, kMost);
  }
  return static_cast<int32_t>(product);
}

base::Result<api::PodTemplateSpec> ReadTemplate(const json::value& value, std::string_view path) {
  api::PodTemplateSpec pods;
  // Of a pod, read only the fields of a template.
  std::string text = "{";
  for (std::string_view field : {"metadata", "spec"}) {
    const json::value* part = json::FindAt(value, field);
    if (part == nullptr) continue;
    text.append(text.size() > 1 ? ",\"" : "\"").append(field).append("\":");
    json::PrintTo(text, *part);
  }
  text += '}';
  const schema::Problems problems =
      schema::ThreadDecoder().Decode(text, api::PodTemplateSpec::Description(), &pods);
  for (const schema::Problem& problem : problems) {
    const std::string field =
        path.empty() ? problem.field : std::string(path) + "." + problem.field;
    return base::Fail(field + ": " + problem.message, problem.hint);
  }
  return pods;
}

base::Result<std::optional<api::PodSetTopologyRequest>> TopologyRequest(
    const base::FlatMap<std::string>& annotations, const TopologyIndices& indices,
    const PodSetOptions& options) {
  if (!options.has_topology) return std::nullopt;
  api::PodSetTopologyRequest request;
  const auto has_level = ReadLevel(annotations, request);
  if (!has_level) return std::unexpected(has_level.error());
  if (!*has_level && !HasSlices(annotations) && indices.empty()) return std::nullopt;
  const auto slices = ReadSlices(annotations, options, request);
  if (!slices) return std::unexpected(slices.error());
  if (!indices.pod_index_label.empty()) request.pod_index_label = indices.pod_index_label;
  if (!indices.sub_group_index_label.empty())
    request.sub_group_index_label = indices.sub_group_index_label;
  request.sub_group_count = indices.sub_group_count;
  const std::string* group = annotations.Find(api::kPodSetGroupNameAnnotation);
  if (group != nullptr && (request.required || request.preferred))
    request.pod_set_group_name = *group;
  return request;
}

void DropRepeatedVariables(api::PodSpec& pod) {
  for (api::Container& container : pod.containers) DropRepeated(container.env);
  for (api::Container& container : pod.init_containers) DropRepeated(container.env);
}

}  // namespace berth::jobs
