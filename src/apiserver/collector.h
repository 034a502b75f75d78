#pragma once

#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>

#include "apiserver/collector_index.h"
#include "apiserver/service.h"

namespace berth::apiserver {

// Finishes what deleting begins, as Kubernetes' garbage collector and namespace controller do:
//   - An object whose owners are all gone is deleted. Of several owners, those that are gone are
//     taken off.
//   - Foreground: what an object owns goes first; it follows when nothing is left that blocks it.
//   - Orphan: what an object owns loses this owner; then it goes.
//   - A namespace that is being deleted is emptied, and goes when it is empty.
//   - A CustomResourceDefinition that is being deleted goes after all objects of its kind.
//   - A pod that is being deleted goes when its grace period is over, should nobody remove it
//     before.
//   - Events go after an hour.
// It works on its own thread and only from what is stored, so it goes on after a restart.
class Collector {
 public:
  struct Options {
    base::Duration event_life = base::Duration::Seconds(3600);
    base::Duration sweep_interval = base::Duration::Seconds(30);
    base::Duration retry_delay = base::Duration::Milliseconds(500);
  };

  // The service must outlive it.
  explicit Collector(Service& service);
  Collector(Service& service, Options options);
  ~Collector();
  Collector(const Collector&) = delete;
  Collector& operator=(const Collector&) = delete;

 private:
  void Run();
  void Wake();
  // Waits until there is something to do; false at the end.
  bool Wait();

  void CatchUp();
  void Reload();
  void Note(const ObjectId& id, const Text& text, bool is_removal, const Item& previous);
  void ExamineAll();
  void Examine(const ObjectId& id);
  void ExamineOwners(const ObjectId& id, const Item& item, const store::json::value& object);
  void ExamineDeletion(const ObjectId& id, const Item& item, const store::json::value& object);
  void ReleaseDependents(const ObjectId& id, const store::json::value& object);
  void FinishForeground(const ObjectId& id, const store::json::value& object);
  void FinishNamespace(const ObjectId& id, const Item& item, const store::json::value& object);
  void FinishDefinition(const ObjectId& id, const store::json::value& object);
  void Sweep();
  void SweepEvents();
  void SweepPods();

  enum class OwnerState : uint8_t { kGone, kWaiting, kSolid };
  OwnerState StateOf(const OwnerRef& owner, const std::string& namespace_) const;

  void DeleteAll(const std::string& collection, const std::string& namespace_);
  void Delete(const ObjectId& id, const store::json::value& object, store::Propagation propagation,
              std::optional<int64_t> grace = {});
  void PatchMetadata(const ObjectId& id, const store::json::value& object, std::string_view key,
                     store::json::value value);
  void RemoveOwners(const ObjectId& id, const store::json::value& object,
                    const std::set<std::string>& uids);
  void DropFinalizer(const ObjectId& id, const store::json::value& object,
                     std::string_view finalizer);
  Service::Done Retrying(const ObjectId& id);

  Service& service_;
  Options options_;
  OwnerIndex index_;
  Revision position_ = 0;
  std::set<ObjectId> dirty_;
  // Namespaces, definitions and owners in foreground deletion that wait for others to go.
  std::set<ObjectId> waiting_;

  // Objects that a write failed for, to be looked at once more. Answers may come when the collector
  // is gone already.
  struct Retries {
    std::mutex mutex;
    std::set<ObjectId> objects;

    void Add(const ObjectId& id);
    std::set<ObjectId> Take();
  };
  std::shared_ptr<Retries> retries_ = std::make_shared<Retries>();
  bool has_retries_ = false;

  std::mutex mutex_;  // what follows
  std::condition_variable changed_;
  bool has_news_ = true;
  bool is_stopping_ = false;

  Storage::ListenerId listener_ = 0;
  std::thread thread_;
};

}  // namespace berth::apiserver
