#include <algorithm>
#include <map>

#include "api/kueue/well_known.h"
#include "api/meta/names.h"
#include "jobs/rules/job_rules_parts.h"

namespace berth::jobs {
namespace {

using api::ProblemReport;
using api::Quoted;

// The annotations of one template.
class TopologyAnnotations {
 public:
  TopologyAnnotations(const api::ObjectMeta& metadata, const std::string& template_path,
                      ProblemReport& report)
      : annotations_(metadata.annotations),
        path_((template_path.empty() ? "" : template_path + ".") + "metadata.annotations"),
        report_(report) {}

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

void CheckSlices(const TopologyAnnotations& a, int32_t count, ProblemReport& report) {
  const std::string field = a.At(api::kSliceSizeAnnotation);
  const std::string* size = a.Find(api::kSliceSizeAnnotation);
  const bool has_level = a.Has(api::kSliceRequiredTopologyAnnotation);
  if (size != nullptr) {
    const auto number = json::IntOf(*size);
    if (!number || *number < 1 || *number > count)
      report.Invalid(field, Quoted(*size) + " is not between 1 and " + std::to_string(count),
                     "write how many of the pods share a domain");
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
    report.Invalid(field + ".size", "does not divide the size of the layer around it",
                   "choose a size of which that is a multiple");
  }
}

void CheckLayers(const TopologyAnnotations& a, int32_t count, const JobRules& rules,
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
  if (json::IntAt(layers[0], "size").value_or(0) > count)
    report.Invalid(field, "the widest layer has more pods than the pod set",
                   "write at most " + std::to_string(count));
}

bool ShareTopology(const api::PodSetTopologyRequest& a, const api::PodSetTopologyRequest& b) {
  return (a.required || a.preferred) && a.required == b.required && a.preferred == b.preferred;
}

std::string GroupField(const JobPodSet& set) {
  return set.template_path + ".metadata.annotations[" +
         std::string(api::kPodSetGroupNameAnnotation) + "]";
}

void CheckGroup(const std::string& name, const std::vector<const JobPodSet*>& members,
                ProblemReport& report) {
  const auto all = [&](const std::string& message, const std::string& hint) {
    for (const JobPodSet* member : members) report.Invalid(GroupField(*member), message, hint);
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

}  // namespace

void ValidateTopology(const api::ObjectMeta& metadata, const std::string& template_path,
                      int32_t count, const JobRules& rules, ProblemReport& report) {
  const TopologyAnnotations annotations(metadata, template_path, report);
  CheckOneLevel(annotations, report);
  CheckGroupName(annotations, report);
  CheckSlices(annotations, count, report);
  CheckLayers(annotations, count, rules, report);
}

void ValidatePodSetGroups(const std::vector<JobPodSet>& pod_sets, ProblemReport& report) {
  std::map<std::string, std::vector<const JobPodSet*>> groups;
  for (const JobPodSet& set : pod_sets) {
    const auto& request = set.pod_set.topology_request;
    if (request && request->pod_set_group_name)
      groups[*request->pod_set_group_name].push_back(&set);
  }
  for (const auto& [name, members] : groups) CheckGroup(name, members, report);
}

}  // namespace berth::jobs
