#include "control/kind_watches.h"

#include <algorithm>
#include <string>
#include <utility>

namespace berth::control {
namespace {

// The longest time between the definition of an optional kind and its first list.
constexpr base::Duration kMaxDiscoveryDelay = base::Duration::Seconds(5);

}  // namespace

KindWatches::KindWatches(store::Store& store, store::Executor& executor, Hooks hooks)
    : store_(store), executor_(executor), hooks_(std::move(hooks)) {}

KindWatches::~KindWatches() = default;

void KindWatches::Watch(const store::Resource& resource, OnChange on_change,
                        store::Selection selection) {
  informers_[resource] =
      std::make_unique<store::Informer>(store_, executor_, resource, std::move(selection),
                                        HandlersOf(resource, std::move(on_change)));
}

void KindWatches::WatchReduced(const store::Resource& resource, store::Selection selection,
                               store::Projection project, OnChange on_change) {
  reduced_.push_back(std::make_unique<store::Informer>(
      store_, executor_, resource, std::move(selection), HandlersOf(resource, std::move(on_change)),
      store::Reflector::Options{.project = std::move(project)}));
}

store::Informer::Handlers KindWatches::HandlersOf(const store::Resource& resource,
                                                  OnChange on_change) const {
  return {.on_change = std::move(on_change),
          .on_synced = hooks_.on_synced,
          .on_failure = [this, resource](const store::Failure& failure) {
            LogFailure(resource, failure);
          }};
}

// A watch that starts later, such as that of nodes, stops a running controller until its list.
void KindWatches::LogFailure(const store::Resource& resource, const store::Failure& failure) const {
  hooks_.log("Cannot watch " + resource.plural + ": " + store::ToString(failure) +
             (is_synced() ? "" : "; nothing is reconciled until all kinds are listed"));
}

void KindWatches::WatchOptional(const store::Resource& resource, OnChange on_change) {
  const auto on_failure = [this, resource](const store::Failure& failure) {
    if (!failure.IsNotFound()) return LogFailure(resource, failure);
    if (undefined_.insert(resource).second) hooks_.on_synced();
  };
  informers_[resource] = std::make_unique<store::Informer>(
      store_, executor_, resource, store::Selection(),
      store::Informer::Handlers{.on_change = std::move(on_change),
                                .on_synced = hooks_.on_synced,
                                .on_failure = on_failure},
      store::Reflector::Options{.longest_pause = kMaxDiscoveryDelay});
}

bool KindWatches::is_synced() const {
  return std::ranges::all_of(informers_,
                             [this](const auto& watch) {
                               return watch.second->is_synced() || undefined_.contains(watch.first);
                             }) &&
         std::ranges::all_of(reduced_, [](const auto& watch) { return watch->is_synced(); });
}

const store::Object* KindWatches::Find(const store::Resource& resource,
                                       const store::ObjectName& name) const {
  return informers_.at(resource)->Find(name);
}

}  // namespace berth::control
