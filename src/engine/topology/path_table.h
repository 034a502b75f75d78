#pragma once

// The leaf domains that placements name, each by one or several values. Their ids last: placements
// of workloads hold them whatever becomes of the nodes. About 30 bytes each beside the names.

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "base/fnv.h"
#include "base/hash_index.h"
#include "engine/ids.h"
#include "engine/topology/topology_forest.h"

namespace berth::engine {

class PathTable {
 public:
  // `names` must outlive this.
  explicit PathTable(LabelNames& names) : names_(names) {}

  DomainPathId Intern(std::span<const LabelNameId> values) {
    const uint64_t hash = HashOf(values);
    const uint32_t known = ids_.Find(
        hash, [&](uint32_t id) { return std::ranges::equal(ValuesOf(DomainPathId(id)), values); });
    if (known != base::HashIndex::kNone) return DomainPathId(known);
    const DomainPathId id(static_cast<uint32_t>(ends_.size()));
    for (const LabelNameId value : values) values_.push_back(names_.Acquire(value));
    ends_.push_back(static_cast<uint32_t>(values_.size()));
    ids_.Insert(hash, id.value());
    return id;
  }

  // Valid until the next call of Intern.
  std::span<const LabelNameId> ValuesOf(DomainPathId path) const {
    const size_t begin = path.index() == 0 ? 0 : ends_[path.index() - 1];
    return std::span(values_).subspan(begin, ends_[path.index()] - begin);
  }

 private:
  static uint64_t HashOf(std::span<const LabelNameId> values) {
    uint64_t hash = base::kFnvOffsetBasis;
    for (const LabelNameId value : values) hash = base::FnvMix(hash, value.value());
    return hash;
  }

  LabelNames& names_;
  std::vector<LabelNameId> values_;  // of all paths, concatenated
  std::vector<uint32_t> ends_;       // of each path
  base::HashIndex ids_;              // by values
};

}  // namespace berth::engine
