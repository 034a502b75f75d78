#include "engine/topology/leaf_usage.h"

#include <algorithm>

#include "base/check.h"
#include "quantity/amount.h"

namespace berth::engine {

SpaceIndex LeafUsage::AddSpace() {
  spaces_.emplace_back();
  return static_cast<SpaceIndex>(spaces_.size() - 1);
}

// The journal refers to cells by index, so columns are never added inside a trial.
NodeColumn LeafUsage::AddColumn() {
  CHECK(open_trials_ == 0);
  const size_t wider = columns_ + 1;
  for (std::vector<int64_t>& space : spaces_) {
    std::vector<int64_t> cells(space.size() / columns_ * wider);
    for (size_t i = 0; i < space.size(); ++i) cells[i / columns_ * wider + i % columns_] = space[i];
    space = std::move(cells);
  }
  columns_ = wider;
  return static_cast<NodeColumn>(wider - 1);
}

void LeafUsage::Reserve(SpaceIndex space, DomainPathId path) {
  const size_t size = (path.index() + 1) * columns_;
  if (spaces_[space].size() < size) spaces_[space].resize(size);
}

void LeafUsage::Add(SpaceIndex space, DomainPathId path, NodeColumn column, int64_t amount) {
  Reserve(space, path);
  const size_t index = path.index() * columns_ + column;
  int64_t& cell = spaces_[space][index];
  if (open_trials_ > 0) journal_.push_back({space, static_cast<uint32_t>(index), cell});
  cell = quantity::SaturatingAdd(cell, amount);
}

void LeafUsage::Clear(SpaceIndex space) {
  CHECK(open_trials_ == 0);
  std::ranges::fill(spaces_[space], 0);
}

void TopologyTrial::Undo() {
  while (usage_.journal_.size() > mark_) {
    const LeafUsage::Before& before = usage_.journal_.back();
    usage_.spaces_[before.space][before.index] = before.amount;
    usage_.journal_.pop_back();
  }
}

}  // namespace berth::engine
