#pragma once

// The embedded server's storage: a durable map from ids to JSON. Every write has a revision; recent
// history serves watches and paginated lists.
//
// A write passes through three states. Proposed: it has a revision, and later proposals build on
// it, but it is not visible. Durable: its batch is in the journal (group commit). Published: reads
// and watches see it, and its proposer is notified. Visible writes are therefore never lost, and
// concurrent writers share one fsync.
//
// Reads are served from memory, which holds each object's text once plus previous versions within
// the bounds of Options.
//
// Thread-safe.

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

#include "apiserver/storage/journal.h"
#include "base/error.h"

namespace berth::apiserver {

// A version of an object; without text, no such object.
struct Item {
  Revision revision = 0;
  Text text;

  explicit operator bool() const { return text != nullptr; }
};

// One published write.
struct Change {
  Revision revision = 0;
  ObjectId id;
  Text text;  // the object; for a removal, its last state with the removal's revision
  bool is_removal = false;
  Item previous;  // the replaced or removed version; empty for a create
};
using ChangePtr = std::shared_ptr<const Change>;

// JSON with a gap for the revision, which is assigned last.
struct Draft {
  std::string text;
  size_t hole = 0;
};

struct Proposal {
  ObjectId id;
  Revision expected = 0;  // the revision to replace or remove; 0 if the object must not exist
  Draft draft;
  bool is_removal = false;
  // Another object whose revision must be unchanged: the namespace of a create.
  std::optional<ObjectId> guard;
  Revision guard_expected = 0;
};

// Objects of one collection, ordered by namespace and name.
struct RangeQuery {
  std::string collection;
  std::string namespace_;  // "" for all
  // Exclusive lower bound.
  std::optional<std::pair<std::string, std::string>> after;
  size_t limit = 0;          // 0 for all
  Revision at_revision = 0;  // 0 for the newest
};
struct RangeItem {
  std::string namespace_;
  std::string name;
  Item item;
};
struct Range {
  std::vector<RangeItem> items;
  Revision revision = 0;  // of the snapshot
  size_t remaining = 0;   // objects after the last item
};

class Storage {
 public:
  struct Options {
    std::string data_dir;  // "" for memory only
    // Bounds of the history: the number of changes, and the bytes of previous versions, or half the
    // size of all objects if that is more.
    size_t max_changes = 100'000;
    size_t history_bytes = 32 << 20;
  };
  using Done = std::move_only_function<void(base::Result<Item>)>;

  static base::Result<std::unique_ptr<Storage>> Open(const Options& options);
  // Uses the given journal, for tests; null for memory only.
  static base::Result<std::unique_ptr<Storage>> Open(const Options& options,
                                                     std::unique_ptr<Journal> journal);
  // Finishes pending proposals.
  ~Storage();
  Storage(const Storage&) = delete;
  Storage& operator=(const Storage&) = delete;

  // --- Writing ---

  // The newest version, durable or not: the base of the next proposal.
  Item Head(const ObjectId& id) const;

  // Returns false without effect if the object or the guard is not at the expected revision.
  // Otherwise calls `done` once, on any thread, possibly before returning: with the new version
  // once it is durable and published (for a removal, the last state), or with the error of the
  // journal. An error fails every proposal that is not durable yet.
  bool Propose(Proposal proposal, Done done);

  // --- Published state ---

  Item Get(const ObjectId& id) const;
  // Nullopt if the revision is compacted.
  std::optional<Range> Read(const RangeQuery& query) const;
  Revision revision() const;
  // Changes after this revision are in the history.
  Revision oldest() const;
  // The number of objects in a collection.
  size_t Count(const std::string& collection) const;

  struct Changes {
    std::vector<ChangePtr> changes;
    Revision reached = 0;  // complete for the collection up to here
  };
  // Up to `limit` published changes after a revision, of one collection or, if "", of all; nullopt
  // if some are compacted. The cost does not depend on writes to other collections.
  std::optional<Changes> ChangesAfter(Revision revision, size_t limit,
                                      std::string_view collection = {}) const;

  // --- Listeners ---

  // Calls `wake` on any thread after each publication in a collection or, if "", in any. It must
  // not block or call Listen or Unlisten. It is not called after Unlisten returns.
  using ListenerId = uint64_t;
  ListenerId Listen(std::string_view collection, std::function<void()> wake);
  void Unlisten(ListenerId id);

 private:
  using Key = std::string;  // namespace and name; sorts by namespace first
  struct Proposed {
    Journal::Row row;
    Done done;
  };
  using Collection = std::map<Key, Item>;
  // The log of one collection.
  struct CollectionLog {
    std::deque<ChangePtr> changes;
    Revision compacted = 0;  // the last revision dropped from `changes`
  };
  using Listeners = std::map<ListenerId, std::function<void()>>;

  explicit Storage(const Options& options, std::unique_ptr<Journal> journal);

  base::Result<void> Load();
  void RunCommits();
  void CommitBatch(std::vector<Proposed> batch, std::vector<Revision> deleted, Revision compacted);
  void FailAll(std::vector<Proposed> batch, const base::Error& error);
  void Publish(std::vector<Proposed> batch);
  void WakeListeners(const std::set<std::string, std::less<>>& collections);

  // The caller holds the mutex.
  Item HeadLocked(const ObjectId& id) const;
  Item GetLocked(const ObjectId& id) const;
  bool MatchesHeadLocked(const Proposal& proposal) const;
  Item ProposeLocked(Proposal proposal, Done& done);
  void ApplyLocked(const Journal::Row& row, bool is_logged);
  void LogLocked(ChangePtr change);
  void ClearLogLocked();
  void CompactLocked();
  void DropOldestLocked();
  Revision OldestLocked() const;
  std::optional<Changes> ChangesOfAllLocked(Revision revision, size_t limit) const;
  Collection UndoneLocked(const RangeQuery& query) const;

  Options options_;
  std::unique_ptr<Journal> journal_;

  mutable std::shared_mutex mutex_;  // guards everything up to the listeners
  std::map<std::string, Collection, std::less<>> collections_;
  std::deque<ChangePtr> log_;                               // consecutive revisions up to revision_
  std::map<std::string, CollectionLog, std::less<>> logs_;  // the same by collection
  Revision unlogged_ = 0;                                   // never in the log up to here
  Revision revision_ = 0;
  Revision proposed_ = 0;             // the last assigned revision
  size_t live_bytes_ = 0;             // size of all objects
  size_t previous_bytes_ = 0;         // size of versions held only by the log
  std::vector<Revision> to_delete_;   // rows to delete from the journal
  std::map<ObjectId, Item> pending_;  // unpublished versions; without text: removed
  std::vector<Proposed> queue_;
  bool is_closing_ = false;
  std::condition_variable_any has_work_;

  std::mutex listeners_mutex_;
  std::map<std::string, Listeners, std::less<>> listeners_;  // by collection
  ListenerId next_listener_ = 1;

  std::thread committer_;  // last: uses all of the above
};

}  // namespace berth::apiserver
