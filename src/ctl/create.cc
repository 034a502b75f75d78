#include "ctl/create.h"

#include <algorithm>
#include <utility>

#include "api/meta/names.h"
#include "ctl/flag_values.h"

namespace berth::ctl {
namespace {

std::string OrElse(const std::string& text, std::string_view otherwise) {
  return text.empty() ? std::string(otherwise) : text;
}

// KEY[=VALUE][:EFFECT].
struct TaintSpec {
  std::string key;
  std::string value;
  std::string effect;
};

base::Error BadTaint(std::string_view what, const std::string& text, const std::string& why) {
  const bool is_taint = what == "taint";
  return {.message = "invalid " + std::string(what) + " spec: \"" + text + "\"" +
                     (why.empty() ? "" : ", " + why),
          .hint = is_taint ? "write KEY[=VALUE]:EFFECT, such as key1=value:NoSchedule"
                           : "write KEY[=VALUE][:EFFECT] or :EFFECT, such as key1=value:NoSchedule",
          .place = {}};
}

base::Result<TaintSpec> SplitTaint(std::string_view what, const std::string& text) {
  const std::vector<std::string> parts = SplitAt(text, ':');
  const std::vector<std::string> pair =
      parts.empty() ? std::vector<std::string>() : SplitAt(parts[0], '=');
  if (parts.empty() || parts.size() > 2 || pair.size() > 2)
    return std::unexpected(BadTaint(what, text, {}));
  TaintSpec spec{.key = pair.empty() ? "" : pair[0],
                 .value = pair.size() < 2 ? "" : pair[1],
                 .effect = parts.size() < 2 ? "" : parts[1]};
  if (!spec.effect.empty() &&
      std::ranges::find(api::kTaintEffects, spec.effect) == std::ranges::end(api::kTaintEffects))
    return std::unexpected(
        BadTaint(what, text, "the effect is NoSchedule, PreferNoSchedule or NoExecute"));
  if (!spec.key.empty() && !api::IsLabelKey(spec.key))
    return std::unexpected(BadTaint(what, text, "the key is no label key"));
  if (!api::IsLabelValue(spec.value))
    return std::unexpected(BadTaint(what, text, "the value is no label value"));
  return spec;
}

base::Result<api::Taint> ReadTaint(const std::string& text) {
  auto spec = SplitTaint("taint", text);
  if (!spec) return std::unexpected(spec.error());
  if (spec->key.empty()) return std::unexpected(BadTaint("taint", text, "it has no key"));
  if (spec->effect.empty()) return std::unexpected(BadTaint("taint", text, "it has no effect"));
  return api::Taint{.key = spec->key, .value = spec->value, .effect = spec->effect};
}

base::Result<api::Toleration> ReadToleration(const std::string& text) {
  auto spec = SplitTaint("toleration", text);
  if (!spec) return std::unexpected(spec.error());
  if (spec->key.empty() && !spec->value.empty())
    return std::unexpected(BadTaint("toleration", text, "it has a value without a key"));
  const bool is_equal = !spec->value.empty();
  return api::Toleration{
      .key = spec->key,
      .op = std::string(is_equal ? api::kTolerationEqual : api::kTolerationExists),
      .value = spec->value,
      .effect = spec->effect};
}

base::Result<std::vector<api::Taint>> ReadTaints(const std::vector<std::string>& given) {
  std::vector<api::Taint> taints;
  for (const std::string& text : AllValues(given)) {
    auto taint = ReadTaint(text);
    if (!taint) return std::unexpected(taint.error());
    for (const api::Taint& other : taints)
      if (other.key == taint->key && other.effect == taint->effect)
        return base::Fail("duplicated taints with the same key and effect: \"" + text + "\"",
                          "give each key and effect once");
    taints.push_back(std::move(*taint));
  }
  return taints;
}

base::Result<std::vector<api::Toleration>> ReadTolerations(const std::vector<std::string>& given) {
  std::vector<api::Toleration> tolerations;
  for (const std::string& text : AllValues(given)) {
    auto toleration = ReadToleration(text);
    if (!toleration) return std::unexpected(toleration.error());
    tolerations.push_back(std::move(*toleration));
  }
  return tolerations;
}

}  // namespace

base::Result<api::ClusterQueue> MakeClusterQueue(const ClusterQueueFlags& flags) {
  auto selector = ReadKeyValues(flags.namespace_selector, "--namespace-selector");
  if (!selector) return std::unexpected(selector.error());
  auto groups = ReadQuotaFlags(flags.quotas);
  if (!groups) return std::unexpected(groups.error());
  api::ClusterQueue queue;
  queue.metadata.name = flags.name;
  queue.spec.resource_groups = std::move(*groups);
  if (!flags.cohort.empty()) queue.spec.cohort_name = flags.cohort;
  queue.spec.queueing_strategy = OrElse(flags.queueing_strategy, api::kBestEffortFifo);
  queue.spec.namespace_selector.emplace().match_labels = std::move(*selector);
  api::ClusterQueuePreemption& preemption = queue.spec.preemption.emplace();
  preemption.reclaim_within_cohort = OrElse(flags.reclaim_within_cohort, api::kPreemptNever);
  preemption.within_cluster_queue =
      OrElse(flags.preemption_within_cluster_queue, api::kPreemptNever);
  return queue;
}

api::LocalQueue MakeLocalQueue(const LocalQueueFlags& flags, const std::string& namespace_name) {
  api::LocalQueue queue;
  queue.metadata.name = flags.name;
  queue.metadata.namespace_ = namespace_name;
  queue.spec.cluster_queue = flags.cluster_queue;
  return queue;
}

base::Result<api::ResourceFlavor> MakeResourceFlavor(const ResourceFlavorFlags& flags) {
  auto labels = ReadKeyValues(flags.node_labels, "--node-labels");
  if (!labels) return std::unexpected(labels.error());
  auto taints = ReadTaints(flags.node_taints);
  if (!taints) return std::unexpected(taints.error());
  auto tolerations = ReadTolerations(flags.tolerations);
  if (!tolerations) return std::unexpected(tolerations.error());
  api::ResourceFlavor flavor;
  flavor.metadata.name = flags.name;
  flavor.spec.node_labels = std::move(*labels);
  flavor.spec.node_taints = std::move(*taints);
  flavor.spec.tolerations = std::move(*tolerations);
  return flavor;
}

}  // namespace berth::ctl
