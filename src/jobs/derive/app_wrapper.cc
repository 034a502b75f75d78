#include "jobs/derive/derive.h"
#include "jobs/integration_set.h"

namespace berth::jobs {
namespace {

constexpr std::string_view kAnnotationPrefix = "workload.codeflare.dev.appwrapper/";

// A pod set declared by the AppWrapper; the path begins at the wrapped object.
struct Declared {
  std::string path;
  int32_t replicas = 1;
  TopologyIndices indices;
};

std::string DeclaredAnnotation(const json::value& declared, std::string_view name) {
  return json::TextAt(declared,
                      "annotations[" + std::string(kAnnotationPrefix) + std::string(name) + "]");
}

// "template.spec.template" is the path "spec.template" of the wrapped object.
std::optional<std::string> WithinWrapped(std::string_view path) {
  constexpr std::string_view kTemplate = "template";
  if (!path.starts_with(kTemplate)) return std::nullopt;
  path.remove_prefix(kTemplate.size());
  if (path.starts_with('.')) {
    path.remove_prefix(1);
  } else if (!path.empty() && !path.starts_with('[')) {
    return std::nullopt;
  }
  if (!json::Path::Parse(path)) return std::nullopt;
  return std::string(path);
}

base::Result<std::vector<Declared>> ReadDeclared(const json::array& list) {
  std::vector<Declared> all;
  for (const json::value& entry : list) {
    const std::string text = json::TextAt(entry, "path");
    const auto path = WithinWrapped(text);
    if (!path)
      return base::Fail("podSets: " + text + " is not a path in the wrapped object",
                        "write a path that begins with template, such as template.spec.template");
    all.push_back(
        {.path = *path,
         .replicas = json::IntAt(entry, "replicas").value_or(1),
         .indices = {
             .pod_index_label = DeclaredAnnotation(entry, "tas-pod-index-label"),
             .sub_group_index_label = DeclaredAnnotation(entry, "tas-sub-group-index-label"),
             .sub_group_count = json::IntOf(DeclaredAnnotation(entry, "tas-sub-group-count"))}});
  }
  return all;
}

// Pod sets of a wrapped object without a declaration, by the description of its kind, if any.
base::Result<PodSetList> Inferred(const json::value& wrapped, const PodSetOptions& options) {
  const IntegrationSet& known =
      options.integrations == nullptr ? IntegrationSet::BuiltIn() : *options.integrations;
  const Integration* integration =
      known.Find(json::TextAt(wrapped, "apiVersion"), json::TextAt(wrapped, "kind"));
  // Nested wrappers are not supported: recursion must end.
  if (integration == nullptr || integration->derives == kDerivesAppWrapper) return PodSetList();
  return PodSetsOf(*integration, wrapped, options);
}

base::Result<PodSetList> FromDeclared(const json::value& wrapped, const json::array& list,
                                      const PodSetOptions& options) {
  const auto all = ReadDeclared(list);
  if (!all) return std::unexpected(all.error());
  PodSetList sets;
  for (const Declared& declared : *all) {
    const json::value* source = json::FindAt(wrapped, declared.path);
    if (source == nullptr) continue;
    auto pods = ReadTemplate(*source, declared.path);
    if (!pods) return std::unexpected(pods.error());
    const auto request = TopologyRequest(pods->metadata.annotations, declared.indices, options);
    if (!request) return std::unexpected(request.error());
    JobPodSet& set = sets.emplace_back();
    set.template_path = declared.path;
    set.pod_set.count = declared.replicas;
    set.replicas = declared.replicas;
    set.pod_set.topology_request = *request;
    pods->metadata = {.labels = pods->metadata.labels, .annotations = pods->metadata.annotations};
    set.pod_set.template_ = *std::move(pods);
  }
  return sets;
}

base::Result<PodSetList> OfComponent(const json::value& component, const PodSetOptions& options) {
  const json::value* wrapped = json::FindAt(component, "template");
  if (wrapped == nullptr) return PodSetList();
  const json::value* declared = json::FindAt(component, "podSets");
  if (declared != nullptr && declared->is_array() && !declared->get_array().empty())
    return FromDeclared(*wrapped, declared->get_array(), options);
  return Inferred(*wrapped, options);
}

}  // namespace

base::Result<PodSetList> DeriveAppWrapper(const json::value& job, const PodSetOptions& options) {
  PodSetList all;
  const json::value* components = json::FindAt(job, "spec.components");
  if (components == nullptr || !components->is_array()) return all;
  const std::string name = json::TextAt(job, "metadata.name");
  const json::array& list = components->get_array();
  for (size_t i = 0; i < list.size(); ++i) {
    auto sets = OfComponent(list[i], options);
    if (!sets) return sets;
    for (JobPodSet& set : *sets) {
      set.pod_set.name = PodSetName(name + "-" + std::to_string(all.size()));
      set.pod_set.min_count.reset();
      const std::string component = "spec.components[" + std::to_string(i) + "]";
      set.source_path = component + ".template." + set.template_path;
      set.template_path = component;
      set.rule = nullptr;
      DropRepeatedVariables(set.pod_set.template_.spec);
      all.push_back(std::move(set));
    }
  }
  return all;
}

}  // namespace berth::jobs
