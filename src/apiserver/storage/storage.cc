#include "apiserver/storage/storage.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace berth::apiserver {
namespace {

// Sorts before every character of a name, so that keys sort by namespace, then name.
constexpr char kSeparator = '\x01';

std::string KeyOf(std::string_view namespace_, std::string_view name) {
  std::string key;
  key.reserve(namespace_.size() + 1 + name.size());
  key += namespace_;
  key += kSeparator;
  key += name;
  return key;
}

RangeItem ItemOf(const std::string& key, const Item& item) {
  const size_t at = key.find(kSeparator);
  return {.namespace_ = key.substr(0, at), .name = key.substr(at + 1), .item = item};
}

// The bytes of a change held only by the log.
size_t PreviousBytes(const Change& change) {
  return (change.previous ? change.previous.text->size() : 0) +
         (change.is_removal ? change.text->size() : 0);
}

// The keys of a query: from `begin` (exclusive if is_open) while they have the prefix.
struct KeyRange {
  explicit KeyRange(const RangeQuery& query)
      : prefix(query.namespace_.empty() ? "" : query.namespace_ + kSeparator), begin(prefix) {
    if (!query.after) return;
    begin = KeyOf(query.after->first, query.after->second);
    is_open = true;
  }

  template <class Map>
  auto First(const Map& map) const {
    return is_open ? map.upper_bound(begin) : map.lower_bound(begin);
  }
  bool Has(const std::string& key) const { return key.starts_with(prefix); }

  std::string prefix;
  std::string begin;
  bool is_open = false;
};

// Visits the union of two maps; `over` wins.
template <class Map, class Visit>
void WalkMerged(const Map& under, const Map& over, const KeyRange& range, Visit visit) {
  auto a = range.First(under);
  auto b = range.First(over);
  while (true) {
    const bool has_a = a != under.end() && range.Has(a->first);
    const bool has_b = b != over.end() && range.Has(b->first);
    if (!has_a && !has_b) return;
    const bool takes_b = has_b && (!has_a || b->first <= a->first);
    if (takes_b && has_a && b->first == a->first) ++a;
    const auto& entry = takes_b ? *b++ : *a++;
    if (entry.second) visit(entry.first, entry.second);
  }
}

}  // namespace

base::Result<std::unique_ptr<Storage>> Storage::Open(const Options& options) {
  if (options.data_dir.empty()) return Open(options, nullptr);
  auto journal = OpenSqliteJournal(options.data_dir);
  if (!journal) return std::unexpected(journal.error());
  return Open(options, std::move(*journal));
}

base::Result<std::unique_ptr<Storage>> Storage::Open(const Options& options,
                                                     std::unique_ptr<Journal> journal) {
  std::unique_ptr<Storage> storage(new Storage(options, std::move(journal)));
  if (storage->journal_ == nullptr) return storage;
  if (auto loaded = storage->Load(); !loaded) return std::unexpected(loaded.error());
  storage->committer_ = std::thread([s = storage.get()] { s->RunCommits(); });
  return storage;
}

Storage::Storage(const Options& options, std::unique_ptr<Journal> journal)
    : options_(options), journal_(std::move(journal)) {}

Storage::~Storage() {
  {
    const std::unique_lock lock(mutex_);
    is_closing_ = true;
  }
  has_work_.notify_all();
  if (committer_.joinable()) committer_.join();
}

base::Result<void> Storage::Load() {
  const auto compacted = journal_->Compacted();
  if (!compacted) return std::unexpected(compacted.error());
  const auto loaded = journal_->Load([&](const Journal::Row& row) {
    const std::unique_lock lock(mutex_);
    ApplyLocked(row, row.revision > *compacted);
  });
  if (!loaded) return loaded;
  const std::unique_lock lock(mutex_);
  // The newest write may have been a removal that is compacted.
  if (revision_ < *compacted) ClearLogLocked();
  revision_ = proposed_ = std::max(revision_, *compacted);
  unlogged_ = OldestLocked();
  CompactLocked();
  return {};
}

// --- Writing ---------------------------------------------------------------------------------

Item Storage::GetLocked(const ObjectId& id) const {
  const auto collection = collections_.find(id.collection);
  if (collection == collections_.end()) return {};
  const auto found = collection->second.find(KeyOf(id.namespace_, id.name));
  return found == collection->second.end() ? Item{} : found->second;
}

Item Storage::HeadLocked(const ObjectId& id) const {
  const auto found = pending_.find(id);
  return found == pending_.end() ? GetLocked(id) : found->second;
}

Item Storage::Head(const ObjectId& id) const {
  const std::shared_lock lock(mutex_);
  Item item = HeadLocked(id);
  return item ? item : Item{};
}

bool Storage::MatchesHeadLocked(const Proposal& proposal) const {
  const auto is_at = [this](const ObjectId& id, Revision expected) {
    const Item item = HeadLocked(id);
    return (item ? item.revision : 0) == expected;
  };
  return is_at(proposal.id, proposal.expected) &&
         (!proposal.guard || is_at(*proposal.guard, proposal.guard_expected));
}

bool Storage::Propose(Proposal proposal, Done done) {
  Item stored;
  std::string collection;
  {
    const std::unique_lock lock(mutex_);
    if (!MatchesHeadLocked(proposal)) return false;
    if (journal_ == nullptr) collection = proposal.id.collection;
    stored = ProposeLocked(std::move(proposal), done);
  }
  if (journal_ != nullptr) {
    has_work_.notify_one();
    return true;
  }
  WakeListeners({collection});
  done(std::move(stored));
  return true;
}

Item Storage::ProposeLocked(Proposal proposal, Done& done) {
  const Revision revision = ++proposed_;
  std::string text = std::move(proposal.draft.text);
  text.insert(proposal.draft.hole, std::to_string(revision));
  text.shrink_to_fit();
  Journal::Row row{.revision = revision,
                   .id = std::move(proposal.id),
                   .value = std::make_shared<const std::string>(std::move(text)),
                   .is_removal = proposal.is_removal};
  const Item item{.revision = revision, .text = row.value};
  if (journal_ == nullptr) {
    ApplyLocked(row, true);
    CompactLocked();
    return item;
  }
  pending_[row.id] = row.is_removal ? Item{.revision = revision} : item;
  queue_.push_back({.row = std::move(row), .done = std::move(done)});
  return item;
}

void Storage::RunCommits() {
  while (true) {
    std::vector<Proposed> batch;
    std::vector<Revision> deleted;
    Revision compacted = 0;
    {
      std::unique_lock lock(mutex_);
      has_work_.wait(lock, [this] { return is_closing_ || !queue_.empty(); });
      if (queue_.empty()) return;
      batch.swap(queue_);
      deleted.swap(to_delete_);
      compacted = OldestLocked();
    }
    CommitBatch(std::move(batch), std::move(deleted), compacted);
  }
}

void Storage::CommitBatch(std::vector<Proposed> batch, std::vector<Revision> deleted,
                          Revision compacted) {
  std::vector<Journal::Row> rows;
  rows.reserve(batch.size());
  for (const Proposed& proposed : batch) rows.push_back(proposed.row);
  const auto committed =
      journal_->Commit({.rows = rows, .deleted = deleted, .compacted = compacted});
  if (committed) return Publish(std::move(batch));
  {
    const std::unique_lock lock(mutex_);
    to_delete_.insert(to_delete_.end(), deleted.begin(), deleted.end());
  }
  FailAll(std::move(batch), committed.error());
}

// Later proposals may build on the failed batch, so they fail, too.
void Storage::FailAll(std::vector<Proposed> batch, const base::Error& error) {
  {
    const std::unique_lock lock(mutex_);
    std::ranges::move(std::exchange(queue_, {}), std::back_inserter(batch));
    pending_.clear();
    proposed_ = revision_;
  }
  for (Proposed& proposed : batch) proposed.done(std::unexpected(error));
}

void Storage::Publish(std::vector<Proposed> batch) {
  std::set<std::string, std::less<>> collections;
  for (const Proposed& proposed : batch) collections.insert(proposed.row.id.collection);
  {
    const std::unique_lock lock(mutex_);
    for (const Proposed& proposed : batch) {
      ApplyLocked(proposed.row, true);
      const auto pending = pending_.find(proposed.row.id);
      if (pending->second.revision == proposed.row.revision) pending_.erase(pending);
    }
    CompactLocked();
  }
  WakeListeners(collections);
  for (Proposed& proposed : batch)
    proposed.done(Item{.revision = proposed.row.revision, .text = proposed.row.value});
}

void Storage::ApplyLocked(const Journal::Row& row, bool is_logged) {
  Collection& collection = collections_[row.id.collection];
  const auto [at, is_new] = collection.try_emplace(KeyOf(row.id.namespace_, row.id.name));
  Item previous = std::exchange(at->second, Item{.revision = row.revision, .text = row.value});
  if (previous) live_bytes_ -= previous.text->size();
  if (row.is_removal) {
    collection.erase(at);
  } else {
    live_bytes_ += row.value->size();
  }
  revision_ = row.revision;
  if (!is_logged) return;
  LogLocked(std::make_shared<const Change>(Change{.revision = row.revision,
                                                  .id = row.id,
                                                  .text = row.value,
                                                  .is_removal = row.is_removal,
                                                  .previous = std::move(previous)}));
}

void Storage::LogLocked(ChangePtr change) {
  // A gap in the journal ends the history before it.
  if (!log_.empty() && log_.back()->revision + 1 != change->revision) ClearLogLocked();
  previous_bytes_ += PreviousBytes(*change);
  logs_[change->id.collection].changes.push_back(change);
  log_.push_back(std::move(change));
}

void Storage::ClearLogLocked() {
  log_.clear();
  logs_.clear();
  previous_bytes_ = 0;
}

void Storage::CompactLocked() {
  const size_t max_bytes = std::max(options_.history_bytes, live_bytes_ / 2);
  while (!log_.empty() && (log_.size() > options_.max_changes || previous_bytes_ > max_bytes))
    DropOldestLocked();
}

void Storage::DropOldestLocked() {
  const Change& change = *log_.front();
  previous_bytes_ -= PreviousBytes(change);
  CollectionLog& log = logs_[change.id.collection];
  log.changes.pop_front();
  log.compacted = change.revision;
  if (journal_ != nullptr) {
    if (change.previous) to_delete_.push_back(change.previous.revision);
    if (change.is_removal) to_delete_.push_back(change.revision);
  }
  log_.pop_front();
}

// --- Reading ------------------------------------------------------------------------------------

Item Storage::Get(const ObjectId& id) const {
  const std::shared_lock lock(mutex_);
  return GetLocked(id);
}

Revision Storage::revision() const {
  const std::shared_lock lock(mutex_);
  return revision_;
}

Revision Storage::OldestLocked() const {
  return log_.empty() ? revision_ : log_.front()->revision - 1;
}

Revision Storage::oldest() const {
  const std::shared_lock lock(mutex_);
  return OldestLocked();
}

size_t Storage::Count(const std::string& collection) const {
  const std::shared_lock lock(mutex_);
  const auto found = collections_.find(collection);
  return found == collections_.end() ? 0 : found->second.size();
}

// Objects changed since the query's revision, as of that revision.
Storage::Collection Storage::UndoneLocked(const RangeQuery& query) const {
  Collection undone;
  if (query.at_revision == 0) return undone;
  for (auto change = log_.rbegin();
       change != log_.rend() && (*change)->revision > query.at_revision; ++change)
    if ((*change)->id.collection == query.collection)
      undone[KeyOf((*change)->id.namespace_, (*change)->id.name)] = (*change)->previous;
  return undone;
}

std::optional<Range> Storage::Read(const RangeQuery& query) const {
  static const Collection kNone;
  const std::shared_lock lock(mutex_);
  if (query.at_revision != 0 && query.at_revision < OldestLocked()) return std::nullopt;
  const auto found = collections_.find(query.collection);
  Range range{.revision = query.at_revision != 0 ? query.at_revision : revision_};
  WalkMerged(found == collections_.end() ? kNone : found->second, UndoneLocked(query),
             KeyRange(query), [&](const std::string& key, const Item& item) {
               if (query.limit != 0 && range.items.size() == query.limit) {
                 ++range.remaining;
               } else {
                 range.items.push_back(ItemOf(key, item));
               }
             });
  return range;
}

std::optional<Storage::Changes> Storage::ChangesOfAllLocked(Revision revision, size_t limit) const {
  const Revision oldest = OldestLocked();
  if (revision < oldest) return std::nullopt;
  Changes found{.reached = revision};
  for (auto at = static_cast<size_t>(revision - oldest);
       at < log_.size() && found.changes.size() < limit; ++at) {
    found.changes.push_back(log_[at]);
    found.reached = log_[at]->revision;
  }
  return found;
}

std::optional<Storage::Changes> Storage::ChangesAfter(Revision revision, size_t limit,
                                                      std::string_view collection) const {
  const std::shared_lock lock(mutex_);
  if (collection.empty()) return ChangesOfAllLocked(revision, limit);
  if (revision < unlogged_) return std::nullopt;
  Changes found{.reached = std::max(revision, revision_)};
  const auto log = logs_.find(collection);
  if (log == logs_.end()) return found;
  if (revision < log->second.compacted) return std::nullopt;
  const std::deque<ChangePtr>& changes = log->second.changes;
  auto at = std::ranges::upper_bound(changes, revision, {}, &Change::revision);
  while (at != changes.end() && found.changes.size() < limit) found.changes.push_back(*at++);
  if (at != changes.end())
    found.reached = found.changes.empty() ? revision : found.changes.back()->revision;
  return found;
}

// --- Listening -------------------------------------------------------------------------------

Storage::ListenerId Storage::Listen(std::string_view collection, std::function<void()> wake) {
  const std::lock_guard lock(listeners_mutex_);
  listeners_[std::string(collection)].emplace(next_listener_, std::move(wake));
  return next_listener_++;
}

void Storage::Unlisten(ListenerId id) {
  const std::lock_guard lock(listeners_mutex_);
  for (auto& [collection, listeners] : listeners_) listeners.erase(id);
}

void Storage::WakeListeners(const std::set<std::string, std::less<>>& collections) {
  const std::lock_guard lock(listeners_mutex_);
  const auto wake_all = [this](std::string_view collection) {
    const auto found = listeners_.find(collection);
    if (found == listeners_.end()) return;
    for (const auto& [id, wake] : found->second) wake();
  };
  wake_all("");
  for (const std::string& collection : collections) wake_all(collection);
}

}  // namespace berth::apiserver
