#include <algorithm>

#include "api/cluster_queue.h"
#include "api/local_queue.h"
#include "api/namespace.h"
#include "api/problem_report.h"
#include "api/selector.h"
#include "api/well_known.h"
#include "lint/checks.h"

namespace berth::lint {
namespace {

// The labels of a namespace, with the one that the API server adds.
api::Labels LabelsOf(const api::Namespace& space) {
  api::Labels labels = space.metadata.labels;
  labels.Set(api::kNamespaceNameLabel, space.metadata.name);
  return labels;
}

void CheckSelector(const Catalog& catalog, const Entry& entry, const api::ClusterQueue& queue,
                   Report& report) {
  constexpr std::string_view kRule = "namespace-selector-matches-nothing";
  constexpr std::string_view kField = "spec.namespaceSelector";
  const auto& spec = queue.spec.namespace_selector;
  if (!spec) {
    report.Warn(entry, kRule,
                {.field = std::string(kField),
                 .message = "without a selector no namespace may use this queue",
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
  report.Warn(entry, kRule,
              {.field = std::string(kField),
               .message = "none of the " + std::to_string(seen) + " namespaces given has " +
                          selector->ToString() + ", so no job may use this queue",
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
                          api::Quoted(space->metadata.name) + ", so jobs of this queue wait",
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
