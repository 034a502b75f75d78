#pragma once

#include <cstdint>
#include <vector>

#include "base/index_pool.h"
#include "base/pairing_heap.h"
#include "base/time.h"
#include "engine/ids.h"

namespace berth::engine {

// Workloads in back-off, ordered by end time.
class BackOffs {
 public:
  // Returns a ticket for Remove.
  uint32_t Add(WorkloadId id, base::Time until) {
    const uint32_t ticket = entries_.Make({.until = until, .workload = id});
    links_.resize(entries_.bound());
    heaps().Insert(heap_, ticket);
    return ticket;
  }
  void Remove(uint32_t ticket) {
    heaps().Remove(heap_, ticket);
    entries_.Free(ticket);
  }
  // A workload whose back-off is over at `now`; none if there is none.
  WorkloadId FindOver(base::Time now) const {
    if (heap_.empty() || entries_[heap_.top].until > now) return WorkloadId::None();
    return entries_[heap_.top].workload;
  }

 private:
  struct Entry {
    base::Time until;
    WorkloadId workload;
    friend auto operator<=>(const Entry&, const Entry&) = default;
  };
  struct EndsBefore {
    const base::IndexPool<Entry>& entries;
    bool operator()(uint32_t a, uint32_t b) const { return entries[a] < entries[b]; }
  };
  base::PairingHeaps<EndsBefore> heaps() { return {links_, EndsBefore{entries_}}; }

  base::IndexPool<Entry> entries_;
  std::vector<base::HeapLinks> links_;
  base::PairingHeap heap_;
};

}  // namespace berth::engine
