#pragma once

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string_view>
#include <vector>

#include "store/informer.h"
#include "store/store.h"

namespace berth::control {

// The informers of a controller: one per resource, and one more for a resource of which other parts
// are needed of other objects. Everything runs on the executor.
class KindWatches {
 public:
  struct Hooks {
    std::function<void()> on_synced;  // is_synced may have become true
    std::function<void(std::string_view)> log;
  };
  using OnChange = std::function<void(const store::Change&)>;

  // The store and the executor must outlive this.
  KindWatches(store::Store& store, store::Executor& executor, Hooks hooks);
  ~KindWatches();

  void Watch(const store::Resource& resource, OnChange on_change, store::Selection selection = {});
  // For a kind that may be defined later. It counts as synced while it is undefined.
  void WatchOptional(const store::Resource& resource, OnChange on_change);
  // Keeps of each object what the projection leaves. Beside a watch of the same resource, for which
  // IsWatched and Find stand.
  void WatchReduced(const store::Resource& resource, store::Selection selection,
                    store::Projection project, OnChange on_change);

  bool IsWatched(const store::Resource& resource) const { return informers_.contains(resource); }
  // Every kind was listed or is undefined.
  bool is_synced() const;
  // Null if there is none. The resource must be watched. Valid until the executor's next task.
  const store::Object* Find(const store::Resource& resource, const store::ObjectName& name) const;

 private:
  store::Informer::Handlers HandlersOf(const store::Resource& resource, OnChange on_change) const;
  void LogFailure(const store::Resource& resource, const store::Failure& failure) const;

  store::Store& store_;
  store::Executor& executor_;
  Hooks hooks_;
  std::map<store::Resource, std::unique_ptr<store::Informer>> informers_;
  std::vector<std::unique_ptr<store::Informer>> reduced_;
  std::set<store::Resource> undefined_;
};

}  // namespace berth::control
