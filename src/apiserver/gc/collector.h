#pragma once

#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>

#include "apiserver/gc/collector_index.h"
#include "apiserver/handler/api_handler.h"

namespace berth::apiserver {

// Garbage collector and namespace controller, as in Kubernetes:
//   - An object whose owners are all gone is deleted. References to some owners that are gone
//     are removed.
//   - Foreground deletion: dependents are deleted first; the owner follows when no blocking
//     dependent is left.
//   - Orphan: the owner reference is removed from dependents, then the owner is deleted.
//   - A terminating namespace is emptied, then removed.
//   - A terminating CustomResourceDefinition is removed after all its objects.
//   - A terminating pod is removed when its grace period expires, if it still exists.
//   - Events expire after an hour.
// Runs on its own thread and works only from stored state, so it resumes after a restart.
class Collector {
 public:
  struct Options {
    base::Duration event_life = base::Duration::Seconds(3600);
    base::Duration sweep_interval = base::Duration::Seconds(30);
    base::Duration retry_delay = base::Duration::Milliseconds(500);
  };

  // The handler must outlive the collector.
  explicit Collector(ApiHandler& handler);
  Collector(ApiHandler& handler, Options options);
  ~Collector();
  Collector(const Collector&) = delete;
  Collector& operator=(const Collector&) = delete;

 private:
  void Run();
  void Wake();
  // Blocks until there is work; false at shutdown.
  bool Wait();

  void CatchUp();
  void Reload();
  void OnChange(const ObjectId& id, const Text& text, bool is_removal, const Item& previous);
  void ExamineAll();
  void Examine(const ObjectId& id);
  void ExamineOwners(const ObjectId& id, const Item& item, const json::value& object);
  void ExamineDeletion(const ObjectId& id, const Item& item, const json::value& object);
  void ReleaseDependents(const ObjectId& id, const json::value& object);
  void FinishForeground(const ObjectId& id, const json::value& object);
  void FinishNamespace(const ObjectId& id, const Item& item, const json::value& object);
  void FinishDefinition(const ObjectId& id, const json::value& object);
  void Sweep();
  void SweepEvents();
  void SweepPods();

  enum class OwnerState : uint8_t { kGone, kWaiting, kSolid };
  OwnerState StateOf(const OwnerRef& owner, const std::string& namespace_) const;

  void DeleteAll(const std::string& collection, const std::string& namespace_);
  void Delete(const ObjectId& id, const json::value& object, store::Propagation propagation,
              std::optional<int64_t> grace = {});
  void PatchMetadata(const ObjectId& id, const json::value& object, std::string_view key,
                     json::value value);
  void RemoveOwners(const ObjectId& id, const json::value& object,
                    const std::set<std::string>& uids);
  void DropFinalizer(const ObjectId& id, const json::value& object, std::string_view finalizer);
  ApiHandler::Done Retrying(const ObjectId& id);

  ApiHandler& handler_;
  Options options_;
  OwnerIndex index_;
  Revision position_ = 0;
  std::set<ObjectId> dirty_;
  // Terminating namespaces, definitions and foreground owners whose dependents still exist.
  std::set<ObjectId> waiting_;

  // Objects to examine again after a failed write. Answers may arrive after the collector is
  // destroyed.
  struct Retries {
    std::mutex mutex;
    std::set<ObjectId> objects;

    void Add(const ObjectId& id);
    std::set<ObjectId> Take();
  };
  std::shared_ptr<Retries> retries_ = std::make_shared<Retries>();
  bool has_retries_ = false;

  std::mutex mutex_;  // guards the following
  std::condition_variable changed_;
  bool has_changes_ = true;
  bool is_stopping_ = false;

  Storage::ListenerId listener_ = 0;
  std::thread thread_;
};

}  // namespace berth::apiserver
