#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "api/kueue/workload.h"
#include "engine/ids.h"
#include "workload/state/object_map.h"

namespace berth::workload {

struct WorkloadEntry {
  api::Workload object;
  engine::WorkloadId id;       // none: the engine does not know it
  bool is_changed = false;     // the object or a dependency changed since the last Sync
  bool is_applied = false;     // the object itself did
  bool must_describe = false;  // the engine's spec of it is outdated
};

// Workloads by namespaced name, and which of them changed since the last Sync.
class WorkloadCache {
 public:
  // Replaces the object and marks the entry as changed.
  void Set(WorkloadEntry& entry, const api::Workload& workload, bool must_describe);
  void MarkChanged(WorkloadEntry& entry, bool must_describe);
  // Removes the uid of the entry's object from the index.
  void EraseUid(const WorkloadEntry& entry);

  ObjectMap<WorkloadEntry>& entries() { return entries_; }
  const ObjectMap<WorkloadEntry>& entries() const { return entries_; }
  // Null if there is none.
  const api::Workload* Find(std::string_view namespaced_name) const;
  const api::Workload* FindByUid(const std::string& uid) const;

  // In the order of their changes. Workloads that were deleted since are among them.
  const std::vector<std::string>& changed() const { return changed_; }
  void ClearChanges() { changed_.clear(); }

 private:
  ObjectMap<WorkloadEntry> entries_;
  std::unordered_map<std::string, std::string> name_by_uid_;
  std::vector<std::string> changed_;
};

// Whether the engine's spec of the workload is the same for both states. Most updates change only
// messages, counts and conditions that repeat a decision of the engine.
bool IsSameForEngine(const api::Workload& a, const api::Workload& b);

}  // namespace berth::workload
