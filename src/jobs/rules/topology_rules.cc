#include <algorithm>
#include <map>

#include "api/kueue/well_known.h"
#include "api/meta/names.h"
#include "jobs/injection.h"
#include "jobs/rules/job_rules_parts.h"
#include "jobs/workload_for.h"

namespace berth::jobs {
namespace {

using api::ProblemReport;
using api::Quoted;

// The annotations of one template.
class TopologyAnnotations {
 public:
  TopologyAnnotations(const api::ObjectMeta& metadata, std::string path, ProblemReport& report)
      : annotations_(metadata.annotations), path_(std::move(path)), report_(report) {}

  const std::string* Find(std::string_view key) const { return annotations_.Find(key); }
  bool Has(std::string_view key) const { return Find(key) != nullptr; }
  const std::string& path() const { return path_; }
  std::string At(std::string_view key) const { return path_ + "[" + std::string(key) + "]"; }

  void CheckLevel(std::string_view key) const {
    const std::string* level = Find(key);
    if (level == nullptr || api::IsLabelKey(*level)) return;
    report_.Invalid(At(key), Quoted(*level) + " is not a node label", "name a level of a Topology");
  }

  void Forbid(std::string_view key, std::string_view other) const {
    if (Has(other))
      report_.Forbidden(At(key), "must not be combined with " + std::string(other), "remove one");
  }

 private:
  const base::FlatMap<std::string>& annotations_;
  std::string path_;
  ProblemReport& report_;
};

void CheckOneLevel(const TopologyAnnotations& a, ProblemReport& report) {
  const int levels = a.Has(api::kRequiredTopologyAnnotation) +
                     a.Has(api::kPreferredTopologyAnnotation) +
                     a.Has(api::kUnconstrainedTopologyAnnotation);
  if (levels > 1) {
    report.Invalid(a.path(), "requests a topology in " + std::to_string(levels) + " ways",
                   "keep one of " + std::string(api::kRequiredTopologyAnnotation) + ", " +
                       std::string(api::kPreferredTopologyAnnotation) + " and " +
                       std::string(api::kUnconstrainedTopologyAnnotation));
  }
  a.CheckLevel(api::kRequiredTopologyAnnotation);
  a.CheckLevel(api::kPreferredTopologyAnnotation);
  a.CheckLevel(api::kSliceRequiredTopologyAnnotation);
  const std::string* any = a.Find(api::kUnconstrainedTopologyAnnotation);
  constexpr std::string_view kBooleans[] = {"1", "t", "T", "true",  "TRUE",  "True",
                                            "0", "f", "F", "false", "FALSE", "False"};
  if (any != nullptr && std::ranges::find(kBooleans, *any) == std::end(kBooleans))
    report.Invalid(a.At(api::kUnconstrainedTopologyAnnotation),
                   Quoted(*any) + " is neither true nor false", "write \"true\"");
}

// The pods of a pod set; nullopt if they are not known, as from one pod of a group.
using Bound = std::optional<int32_t>;

std::string PodsText(int32_t count) {
  return std::to_string(count) + (count == 1 ? " pod of the pod set" : " pods of the pod set");
}

bool IsNumber(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

void CheckGroupName(const TopologyAnnotations& a, ProblemReport& report) {
  const std::string* name = a.Find(api::kPodSetGroupNameAnnotation);
  if (name == nullptr) return;
  if (IsNumber(*name))
    report.Invalid(a.At(api::kPodSetGroupNameAnnotation), "a group cannot be named by a number",
                   "choose a name");
  a.Forbid(api::kPodSetGroupNameAnnotation, api::kSliceSizeAnnotation);
  a.Forbid(api::kPodSetGroupNameAnnotation, api::kSliceRequiredTopologyAnnotation);
  if (!a.Has(api::kRequiredTopologyAnnotation) && !a.Has(api::kPreferredTopologyAnnotation)) {
    report.Forbidden(a.At(api::kPodSetGroupNameAnnotation),
                     "a group of pod sets needs a topology to share",
                     "add " + std::string(api::kRequiredTopologyAnnotation) + " or " +
                         std::string(api::kPreferredTopologyAnnotation));
  }
}

void CheckSlices(const TopologyAnnotations& a, const Bound& bound, ProblemReport& report) {
  const std::string field = a.At(api::kSliceSizeAnnotation);
  const std::string* size = a.Find(api::kSliceSizeAnnotation);
  const bool has_level = a.Has(api::kSliceRequiredTopologyAnnotation);
  if (size != nullptr) {
    const auto number = json::IntOf(*size);
    if (!number || *number < 1)
      report.Invalid(field, Quoted(*size) + " is not a positive number",
                     "write how many of the pods share a domain");
    else if (bound && *number > *bound)
      report.Invalid(field, Quoted(*size) + " is more than the " + PodsText(*bound),
                     "write how many of them share a domain");
    if (!has_level)
      report.Forbidden(field, "a size of slices needs a topology for them",
                       "add " + std::string(api::kSliceRequiredTopologyAnnotation));
  } else if (has_level) {
    report.Required(field, "must be set: the number of pods that share a domain",
                    "write a number such as \"8\"");
  }
}

void CheckLayer(const json::value& layer, const json::value* above, const std::string& field,
                ProblemReport& report) {
  const std::string level = json::TextAt(layer, "topology");
  const int32_t size = json::IntAt(layer, "size").value_or(0);
  if (!api::IsLabelKey(level))
    report.Invalid(field + ".topology", Quoted(level) + " is not a node label",
                   "name a level of a Topology");
  if (size < 1) {
    report.Invalid(field + ".size", "must be 1 or more");
  } else if (above != nullptr && json::IntAt(*above, "size").value_or(0) % size != 0) {
    report.Invalid(field + ".size", "does not divide the size of the enclosing layer",
                   "choose a divisor of the enclosing size");
  }
}

void CheckLayers(const TopologyAnnotations& a, const Bound& bound, const JobRules& rules,
                 ProblemReport& report) {
  constexpr std::string_view kKey = api::kSliceTopologyConstraintsAnnotation;
  const std::string* text = a.Find(kKey);
  if (text == nullptr) return;
  const std::string field = a.At(kKey);
  if (!rules.gates.IsOn(api::Gate::kTASMultiLayerTopology)) {
    report.Forbidden(field, "has no effect", "turn on the feature gate TASMultiLayerTopology");
    return;
  }
  a.Forbid(kKey, api::kSliceRequiredTopologyAnnotation);
  a.Forbid(kKey, api::kSliceSizeAnnotation);
  if (a.Has(api::kPodSetGroupNameAnnotation)) a.Forbid(api::kPodSetGroupNameAnnotation, kKey);
  const auto list = json::Parse(*text);
  if (!list || !list->is_array() || list->get_array().empty() || list->get_array().size() > 3) {
    report.Invalid(field, "is not a list of one to three layers",
                   "write JSON such as [{\"topology\":\"rack\",\"size\":8}]");
    return;
  }
  std::map<std::string, size_t> seen;
  const json::array& layers = list->get_array();
  for (size_t i = 0; i < layers.size(); ++i) {
    const std::string at = field + "[" + std::to_string(i) + "]";
    CheckLayer(layers[i], i == 0 ? nullptr : &layers[i - 1], at, report);
    if (!seen.try_emplace(json::TextAt(layers[i], "topology"), i).second)
      report.Duplicate(at + ".topology", "is the level of another layer already", "remove one");
  }
  if (const auto size = json::IntAt(layers[0], "size"); size && bound && *size > *bound)
    report.Invalid(field, std::to_string(*size) + " is more than the " + PodsText(*bound),
                   "write a smaller size of the widest layer");
}

bool ShareTopology(const api::PodSetTopologyRequest& a, const api::PodSetTopologyRequest& b) {
  return (a.required || a.preferred) && a.required == b.required && a.preferred == b.preferred;
}

// The path of the annotations in a template.
std::string AnnotationsPath(const Integration& integration, const JobPodSet& set) {
  const std::string& path = set.source_path.empty() ? set.template_path : set.source_path;
  return integration.injects == kInjectsSparkFields ? InjectionPaths::InSparkRole(path).annotations
                                                    : InjectionPaths::InTemplate(path).annotations;
}

void CheckGroup(const Integration& integration, const std::string& name,
                const std::vector<const JobPodSet*>& members, ProblemReport& report) {
  const auto all = [&](const std::string& message, const std::string& hint) {
    for (const JobPodSet* member : members)
      report.Invalid(AnnotationsPath(integration, *member) + "[" +
                         std::string(api::kPodSetGroupNameAnnotation) + "]",
                     message, hint);
  };
  if (members.size() != 2) {
    all("the group " + Quoted(name) + " has " + std::to_string(members.size()) + " pod sets",
        "a group has two");
    return;
  }
  const api::PodSet& a = members[0]->pod_set;
  const api::PodSet& b = members[1]->pod_set;
  if (a.count != 1 && b.count != 1)
    all("neither pod set of the group " + Quoted(name) + " is a single pod",
        "one of the two must have one pod");
  if (!ShareTopology(*a.topology_request, *b.topology_request))
    all("the pod sets of the group " + Quoted(name) + " request different topologies",
        "write the same annotation in both templates");
}

// Groups of pod sets: two sets each, one of them a single pod, with the same topology.
void CheckGroups(const Integration& integration, const std::vector<JobPodSet>& pod_sets,
                 ProblemReport& report) {
  std::map<std::string, std::vector<const JobPodSet*>> groups;
  for (const JobPodSet& set : pod_sets) {
    const auto& request = set.pod_set.topology_request;
    if (request && request->pod_set_group_name)
      groups[*request->pod_set_group_name].push_back(&set);
  }
  for (const auto& [name, members] : groups) CheckGroup(integration, name, members, report);
}

// Whether a job of this kind may have several pod sets. Those of a pod group are in several pods.
bool MayHaveGroups(const Integration& integration) {
  return integration.pod_sets.size() != 1 || !integration.pod_sets.front().each.empty() ||
         !integration.derives.empty();
}

bool IsPod(const Integration& integration) { return integration.suspension == kSuspendedByGate; }

// For kinds whose pod sets have no metadata, such as pods, reads the metadata of the object.
api::ObjectMeta TemplateMetadata(const Integration& integration, const json::value& job,
                                 const JobPodSet& set) {
  const bool is_shown = set.rule == nullptr || set.rule->has_metadata;
  if (is_shown) return set.pod_set.template_.metadata;
  const json::value* at = IsPod(integration) ? &job : json::FindAt(job, set.template_path);
  return at == nullptr ? api::ObjectMeta() : MetadataOf(*at).value_or(api::ObjectMeta());
}

void CheckTemplate(const Integration& integration, const json::value& job, const JobPodSet& set,
                   const JobRules& rules, ProblemReport& report) {
  const Bound bound = IsPod(integration) ? std::nullopt : Bound(set.pod_set.count.value_or(1));
  const api::ObjectMeta metadata = TemplateMetadata(integration, job, set);
  const TopologyAnnotations annotations(metadata, AnnotationsPath(integration, set), report);
  CheckOneLevel(annotations, report);
  CheckGroupName(annotations, report);
  CheckSlices(annotations, bound, report);
  CheckLayers(annotations, bound, rules, report);
}

}  // namespace

void ValidateTopology(const Integration& integration, const json::value& job, const JobRules& rules,
                      ProblemReport& report) {
  // Invalid annotations are reported below; do not fail on them here.
  PodSetOptions options = rules.pod_sets;
  options.has_topology = false;
  const auto sets = PodSetsOf(integration, job, options);
  if (!sets) return;
  ProblemReport own;
  for (const JobPodSet& set : *sets) CheckTemplate(integration, job, set, rules, own);
  schema::Problems problems = std::move(own).Take();
  if (problems.empty() && MayHaveGroups(integration)) {
    const auto with_requests = PodSetsOf(integration, job, rules.pod_sets);
    if (with_requests) CheckGroups(integration, *with_requests, report);
  }
  for (schema::Problem& problem : problems)
    report.Add(problem.type, problem.field, std::move(problem.message), std::move(problem.hint));
}

}  // namespace berth::jobs
