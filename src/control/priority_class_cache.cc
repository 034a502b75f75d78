#include "control/priority_class_cache.h"

namespace berth::control {

void PriorityClassCache::AddHandlers(workload::ObjectHandlers& handlers) {
  const auto add = [&]<class T>(std::map<std::string, T, std::less<>>& classes) {
    handlers.Add<T>({.on_upsert =
                         [this, &classes](const T& priority, const T*) {
                           classes[priority.metadata.name] = priority;
                           Rebuild();
                         },
                     .on_delete =
                         [this, &classes](std::string_view, std::string_view name) {
                           classes.erase(std::string(name));
                           Rebuild();
                         }});
  };
  add(pod_classes_);
  add(workload_classes_);
}

void PriorityClassCache::Rebuild() {
  table_ = {};
  for (const auto& [name, priority] : pod_classes_) table_.Add(priority);
  for (const auto& [name, priority] : workload_classes_) table_.Add(priority);
}

}  // namespace berth::control
