#include <algorithm>

#include "api/core/namespace.h"
#include "api/kueue/cluster_queue.h"
#include "api/kueue/local_queue.h"
#include "api/kueue/well_known.h"
#include "api/meta/problem_report.h"
#include "api/meta/selector.h"
#include "lint/checks.h"

namespace berth::lint {
namespace {

// The labels of a namespace, with the name label that the API server adds.
api::Labels LabelsOf(const api::Namespace& space) {
  api::Labels labels = space.metadata.labels;
  labels.Set(api::kNamespaceNameLabel, space.metadata.name);
  return labels;
}

void CheckSelector(const Catalog& catalog, const Entry& entry, const api::ClusterQueue& queue,
                   Report& report) {
  constexpr std::string_view kSelectorRule = "namespace-selector-matches-nothing";
  constexpr std::string_view kField = "spec.namespaceSelector";
  const auto& spec = queue.spec.namespace_selector;
  if (!spec) {
    report.Warn(entry, kSelectorRule,
                {.field = std::string(kField),
                 .message = "namespaceSelector is not set: no namespace may use this queue",
                 .hint = "write namespaceSelector: {} for all namespaces"});
    return;
  }
  const auto selector = api::Selector::Compile(*spec);
  if (!selector || selector->is_everything()) return;
  size_t seen = 0;
  bool is_matched = false;
  catalog.ForEach<api::Namespace>([&](const Entry&, const api::Namespace& space) {
    ++seen;
    is_matched = is_matched || selector->Matches(LabelsOf(space));
  });
  if (seen == 0 || is_matched) return;
  report.Warn(entry, kSelectorRule,
              {.field = std::string(kField),
               .message = "namespaceSelector " + selector->ToString() + " matches none of " +
                          std::to_string(seen) + " namespaces: no job may use this queue",
               .hint = "label a namespace, or write namespaceSelector: {} for all of them"});
}

void CheckLocalQueue(const Catalog& catalog, const Entry& entry, const api::LocalQueue& local,
                     Report& report) {
  const std::string name = local.spec.cluster_queue.value_or("");
  const auto* queue = catalog.Find<api::ClusterQueue>(name);
  const auto* space = catalog.Find<api::Namespace>(local.metadata.namespace_);
  if (queue == nullptr || space == nullptr || !queue->spec.namespace_selector) return;
  const auto selector = api::Selector::Compile(*queue->spec.namespace_selector);
  if (!selector || selector->Matches(LabelsOf(*space))) return;
  report.Warn(entry, "namespace-not-selected",
              {.field = "spec.clusterQueue",
               .message = "ClusterQueue " + api::Quoted(name) + " does not select namespace " +
                          api::Quoted(space->metadata.name) + ": jobs of this queue stay pending",
               .hint = "the namespace needs " + selector->ToString()});
}

}  // namespace

void CheckNamespaceSelectors(const Catalog& catalog, Report& report) {
  catalog.ForEach<api::ClusterQueue>([&](const Entry& entry, const api::ClusterQueue& queue) {
    CheckSelector(catalog, entry, queue, report);
  });
  catalog.ForEach<api::LocalQueue>([&](const Entry& entry, const api::LocalQueue& queue) {
    CheckLocalQueue(catalog, entry, queue, report);
  });
}

}  // namespace berth::lint
