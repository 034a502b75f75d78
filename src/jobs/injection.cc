#include "jobs/injection.h"

#include <algorithm>

#include "api/kueue/well_known.h"
#include "api/meta/problem_report.h"
#include "schema/decode.h"
#include "schema/encode.h"

namespace berth::jobs {
namespace {

using Texts = base::FlatMap<std::string>;

Texts TextsAt(const json::value& root, std::string_view path) {
  Texts texts;
  const json::value* at = json::FindAt(root, path);
  if (at == nullptr || !at->is_object()) return texts;
  for (const auto& member : at->get_object()) {
    if (const json::string* text = member.value().if_string())
      texts.Set(json::View(member.key()), std::string(json::View(*text)));
  }
  return texts;
}

json::object ToObject(const Texts& texts) {
  json::object object;
  for (const auto& [key, value] : texts) object[json::BoostView(key)] = value;
  return object;
}

json::value ToTree(const api::Toleration& toleration) {
  const auto tree = json::Parse(schema::Encode(toleration));
  return tree ? *tree : json::value(json::object());
}

json::array ToArray(const std::vector<api::Toleration>& tolerations) {
  json::array list;
  for (const api::Toleration& toleration : tolerations) list.push_back(ToTree(toleration));
  return list;
}

json::array GatesToArray(const std::vector<std::string>& gates) {
  json::array list;
  for (const std::string& gate : gates) list.push_back(json::object{{"name", gate}});
  return list;
}

// The list at the path, created if missing.
json::array* MakeList(json::value& root, std::string_view path) {
  json::value* at = json::MakeAt(root, path);
  if (at == nullptr) return nullptr;
  if (at->is_null()) at->emplace_array();
  return at->if_array();
}

void SetOrErase(json::value& root, std::string_view path, json::value value, bool is_empty) {
  if (is_empty) {
    json::EraseAt(root, path);
  } else if (json::value* at = json::MakeAt(root, path)) {
    *at = std::move(value);
  }
}

std::expected<void, StartFailure> AddTexts(const Texts& more, std::string_view path,
                                           json::value& root) {
  if (more.empty()) return {};
  Texts texts = TextsAt(root, path);
  std::string key;
  if (!MergeTexts(more, texts, key)) {
    return std::unexpected(
        StartFailure{.error = {.message = std::string(path) + "[" + key + "] is " +
                                          api::Quoted(*texts.Find(key)) + " in the job and " +
                                          api::Quoted(*more.Find(key)) + " in its admission",
                               .hint = "remove it from the job",
                               .place = {}},
                     .is_permanent = true});
  }
  if (json::value* at = json::MakeAt(root, path)) *at = ToObject(texts);
  return {};
}

void AddTolerations(const std::vector<api::Toleration>& more, std::string_view path,
                    json::value& root) {
  if (more.empty()) return;
  json::array* list = MakeList(root, path);
  if (list == nullptr) return;
  for (const api::Toleration& toleration : more) {
    const bool is_there = std::ranges::any_of(*list, [&](const json::value& there) {
      const auto read = schema::Decode<api::Toleration>(json::Print(there));
      return read && SameToleration(*read, toleration);
    });
    if (!is_there) list->push_back(ToTree(toleration));
  }
}

void AddGates(const std::vector<std::string>& more, std::string_view path, json::value& root) {
  if (more.empty()) return;
  json::array* list = MakeList(root, path);
  if (list == nullptr) return;
  for (const std::string& gate : more) {
    const bool is_there = std::ranges::any_of(
        *list, [&](const json::value& there) { return json::TextAt(there, "name") == gate; });
    if (!is_there) list->push_back(json::object{{"name", gate}});
  }
}

// Removes Workload names of an earlier admission of an elastic job from the template.
void DropStale(const InjectionPaths& paths, const PodSetInfo& info, const StartOptions& options,
               json::value& root) {
  if (!options.has_elastic_jobs) return;
  const bool is_elastic = info.annotations.Contains(api::kWorkloadSliceNameAnnotation);
  for (std::string_view key : {api::kWorkloadSliceNameAnnotation, api::kWorkloadAnnotation}) {
    if (!is_elastic || !info.annotations.Contains(key)) continue;
    json::EraseAt(root, paths.annotations + "[" + std::string(key) + "]");
  }
}

}  // namespace

InjectionPaths InjectionPaths::InTemplate(std::string_view path) {
  const std::string dot = path.empty() ? std::string() : std::string(path) + ".";
  return {.annotations = dot + "metadata.annotations",
          .labels = dot + "metadata.labels",
          .node_selector = dot + "spec.nodeSelector",
          .tolerations = dot + "spec.tolerations",
          .scheduling_gates = dot + "spec.schedulingGates"};
}

InjectionPaths InjectionPaths::InSparkRole(std::string_view path) {
  const std::string dot = std::string(path) + ".";
  return {.annotations = dot + "annotations",
          .labels = dot + "labels",
          .node_selector = dot + "nodeSelector",
          .tolerations = dot + "tolerations",
          .scheduling_gates = dot + "template.spec.schedulingGates"};
}

std::expected<void, StartFailure> Inject(const InjectionPaths& paths, const PodSetInfo& info,
                                         const StartOptions& options, json::value& root) {
  DropStale(paths, info, options, root);
  for (const auto& [texts, path] :
       {std::pair(&info.annotations, &paths.annotations), std::pair(&info.labels, &paths.labels),
        std::pair(&info.node_selector, &paths.node_selector)}) {
    const auto added = AddTexts(*texts, *path, root);
    if (!added) return added;
  }
  AddTolerations(info.tolerations, paths.tolerations, root);
  AddGates(info.scheduling_gates, paths.scheduling_gates, root);
  return {};
}

void Restore(const InjectionPaths& paths, const PodSetInfo& info,
             const std::vector<std::string>& own_labels, json::value& root) {
  Texts labels = info.labels;
  const Texts present = TextsAt(root, paths.labels);
  for (const std::string& label : own_labels) {
    if (const std::string* value = present.Find(label)) labels.Set(label, *value);
  }
  SetOrErase(root, paths.annotations, ToObject(info.annotations), info.annotations.empty());
  SetOrErase(root, paths.labels, ToObject(labels), labels.empty());
  SetOrErase(root, paths.node_selector, ToObject(info.node_selector), info.node_selector.empty());
  SetOrErase(root, paths.tolerations, ToArray(info.tolerations), info.tolerations.empty());
  SetOrErase(root, paths.scheduling_gates, GatesToArray(info.scheduling_gates),
             info.scheduling_gates.empty());
}

json::object ToPodSetInfo(const PodSetInfo& info) {
  json::object object;
  const auto set = [&](std::string_view name, json::value value, bool is_empty) {
    if (!is_empty) object[json::BoostView(name)] = std::move(value);
  };
  set("annotations", ToObject(info.annotations), info.annotations.empty());
  set("labels", ToObject(info.labels), info.labels.empty());
  set("nodeSelector", ToObject(info.node_selector), info.node_selector.empty());
  set("tolerations", ToArray(info.tolerations), info.tolerations.empty());
  set("schedulingGates", GatesToArray(info.scheduling_gates), info.scheduling_gates.empty());
  return object;
}

}  // namespace berth::jobs
