#pragma once

// Where the embedded server keeps its objects: a durable map from ids to JSON in which every write
// has a revision, with the recent history for watches and for lists that are read in pages.
//
// A write goes through three states. Proposed: it has its revision, and later proposals build on
// it; nobody else sees it. Durable: its batch is in the journal. Published: reads and watches see
// it, and whoever proposed it is told. So nothing is ever seen that could still be lost, and many
// writers share one wait for the disk.
//
// Reads come from memory. The memory that is held is the text of each object once, a fixed part for
// each, and the texts of former versions within the bounds of Options.
//
// Threads: every function may be called by any thread.

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "apiserver/storage_journal.h"
#include "base/error.h"

namespace berth::apiserver {

// A version of an object. Without text there is no such object.
struct Item {
  Revision revision = 0;
  Text text;

  explicit operator bool() const { return text != nullptr; }
};

// One published write.
struct Change {
  Revision revision = 0;
  ObjectId id;
  Text text;  // the object now; of a removal, its last state with the removal's revision in it
  bool is_removal = false;
  Item previous;  // what it replaced or removed; none if it was created
};
using ChangePtr = std::shared_ptr<const Change>;

// JSON with a hole for the digits of the revision, which is known last.
struct Draft {
  std::string text;
  size_t hole = 0;
};

struct Proposal {
  ObjectId id;
  Revision expected = 0;  // the revision that it replaces or removes; 0 if it must not exist
  Draft draft;
  bool is_removal = false;
  // Another object that must still have the revision that it had when this was thought up: the
  // namespace that something is created in.
  std::optional<ObjectId> guard;
  Revision guard_expected = 0;
};

// Some objects of one collection, in the order of namespace and name.
struct RangeQuery {
  std::string collection;
  std::string namespace_;  // "" is all
  // Begins after this one.
  std::optional<std::pair<std::string, std::string>> after;
  size_t limit = 0;          // 0 is all
  Revision at_revision = 0;  // 0 is the newest
};
struct RangeItem {
  std::string namespace_;
  std::string name;
  Item item;
};
struct Range {
  std::vector<RangeItem> items;
  Revision revision = 0;  // of the whole
  size_t remaining = 0;   // objects in the range after the last item
};

class Storage {
 public:
  struct Options {
    std::string data_dir;  // "" keeps everything in memory only
    // How much history is kept: at most so many changes, and of their former texts so many bytes
    // or half of what the objects themselves take, whichever is more.
    size_t most_changes = 100'000;
    size_t history_bytes = 32 << 20;
  };
  using Done = std::move_only_function<void(base::Result<Item>)>;

  static base::Result<std::unique_ptr<Storage>> Open(const Options& options);
  // For tests that need a journal of their own; null is memory only.
  static base::Result<std::unique_ptr<Storage>> Open(const Options& options,
                                                     std::unique_ptr<Journal> journal);
  // What was proposed is finished first.
  ~Storage();
  Storage(const Storage&) = delete;
  Storage& operator=(const Storage&) = delete;

  // --- Writing ---

  // The object as the next proposal will find it, durable or not.
  Item Head(const ObjectId& id) const;

  // False, and nothing else happens, if the object or the guard is not at the revision that the
  // proposal expects. Otherwise `done` is called once, on any thread, possibly before this returns:
  // with the new version when it is durable and published (of a removal, the last state), or with
  // what keeps the journal from storing it. Then every proposal that was not durable yet fails.
  bool Propose(Proposal proposal, Done done);

  // --- Reading what is published ---

  Item Get(const ObjectId& id) const;
  // Nullopt if the revision is too old for the history that is kept.
  std::optional<Range> Read(const RangeQuery& query) const;
  Revision revision() const;
  // Changes after this revision are still known.
  Revision oldest() const;
  // How many objects there are in a collection.
  size_t Count(const std::string& collection) const;

  struct Changes {
    std::vector<ChangePtr> changes;
    Revision reached = 0;  // up to here nothing of the collection is left out
  };
  // The published changes after a revision, at most so many, of one collection or, if that is "",
  // of all; nullopt if some of these are forgotten. What else is written does not make it more
  // work.
  std::optional<Changes> ChangesAfter(Revision revision, size_t most,
                                      std::string_view collection = {}) const;

  // --- Listening ---

  // Calls `wake` after each publishing of something of a collection, or of anything if that is "",
  // on any thread. It must be quick, and must not call Listen or Unlisten. Once Unlisten has
  // returned it is not called any more.
  using ListenerId = uint64_t;
  ListenerId Listen(std::string_view collection, std::function<void()> wake);
  void Unlisten(ListenerId id);

 private:
  using Key = std::string;  // namespace and name, ordered by namespace first
  struct Proposed {
    Journal::Row row;
    Done done;
  };
  using Collection = std::map<Key, Item>;
  // What the log has of one collection.
  struct CollectionLog {
    std::deque<ChangePtr> changes;
    Revision forgotten = 0;  // the last that is not among them any more
  };
  using Listeners = std::map<ListenerId, std::function<void()>>;

  explicit Storage(const Options& options, std::unique_ptr<Journal> journal);

  base::Result<void> Load();
  void RunCommits();
  void CommitBatch(std::vector<Proposed> batch, std::vector<Revision> forgotten,
                   Revision compacted);
  void FailAll(std::vector<Proposed> batch, const base::Error& error);
  void Publish(std::vector<Proposed> batch);
  void WakeListeners(const std::set<std::string, std::less<>>& collections);

  // The caller holds the mutex.
  Item HeadLocked(const ObjectId& id) const;
  Item GetLocked(const ObjectId& id) const;
  bool HoldsLocked(const Proposal& proposal) const;
  Item ProposeLocked(Proposal proposal, Done& done);
  void ApplyLocked(const Journal::Row& row, bool is_logged);
  void LogLocked(ChangePtr change);
  void ClearLogLocked();
  void CompactLocked();
  void ForgetOldestLocked();
  Revision OldestLocked() const;
  std::optional<Changes> ChangesOfAllLocked(Revision revision, size_t most) const;
  Collection UndoneLocked(const RangeQuery& query) const;

  Options options_;
  std::unique_ptr<Journal> journal_;

  mutable std::shared_mutex mutex_;  // everything down to the listeners
  std::map<std::string, Collection, std::less<>> collections_;
  std::deque<ChangePtr> log_;  // revisions without gaps, the last is revision_
  std::map<std::string, CollectionLog, std::less<>> logs_;  // the same, by collection
  Revision unlogged_ = 0;  // up to here nothing was ever in the log
  Revision revision_ = 0;
  Revision proposed_ = 0;             // the last revision that was given away
  size_t live_bytes_ = 0;             // of all objects
  size_t former_bytes_ = 0;           // of versions that only the log holds
  std::vector<Revision> to_forget_;   // rows that the journal may drop
  std::map<ObjectId, Item> pending_;  // newer than what is published; without text: removed
  std::vector<Proposed> queue_;
  bool is_closing_ = false;
  std::condition_variable_any has_work_;

  std::mutex listeners_mutex_;
  std::map<std::string, Listeners, std::less<>> listeners_;  // by collection
  ListenerId next_listener_ = 1;

  std::thread committer_;  // last: it uses all of the above
};

}  // namespace berth::apiserver
