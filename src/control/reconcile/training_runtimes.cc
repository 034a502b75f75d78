#include "control/reconcile/training_runtimes.h"

#include <utility>

#include "control/reconcile/job_cache.h"

namespace berth::control {

void TrainingRuntimes::OnChange(const jobs::TrainingRuntimeKind& kind,
                                const store::Change& change) {
  const store::Object& any = change.after != nullptr ? *change.after : *change.before;
  jobs::TrainingRuntimeName key{
      .kind = std::string(kind.kind), .namespace_ = any.namespace_, .name = any.name};
  runtimes_.erase(key);
  if (change.after == nullptr) return;
  if (auto tree = json::Parse(change.after->text()))
    runtimes_.emplace(std::move(key), std::move(*tree));
}

const json::value* TrainingRuntimes::FindFor(const json::value& train_job) const {
  const auto found = runtimes_.find(jobs::RuntimeNamedBy(train_job));
  return found == runtimes_.end() ? nullptr : &found->second;
}

store::Resource ResourceOf(const jobs::Integration& integration,
                           const jobs::TrainingRuntimeKind& kind) {
  store::Resource resource = ResourceOf(integration);
  resource.plural = kind.plural;
  resource.kind = kind.kind;
  resource.is_namespaced = kind.is_namespaced;
  return resource;
}

}  // namespace berth::control
