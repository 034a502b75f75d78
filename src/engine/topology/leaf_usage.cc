#include "engine/topology/leaf_usage.h"

#include "base/check.h"

namespace berth::engine {

uint32_t LeafUsage::AddArray() {
  arrays_.push_back({.amounts = AmountTable(columns_)});
  return static_cast<uint32_t>(arrays_.size() - 1);
}

NodeColumn LeafUsage::AddColumn() {
  for (Array& array : arrays_) array.amounts.AddColumn();
  return static_cast<NodeColumn>(columns_++);
}

void LeafUsage::Add(const UsageArrays& arrays, DomainPathId path, NodeColumn column,
                    base::Int128 amount) {
  const uint32_t index = arrays.Of(layer_);
  Array& array = arrays_[index];
  array.amounts.GrowTo(path.index() + 1);
  array.amounts.Add(path.index(), column, amount);
  array.log.Add(path.value());
  if (open_trials_ == 0) {
    array.is_lasting = true;
    return;
  }
  journal_.push_back({.amount = amount, .array = index, .path = path, .column = column});
  ++array.changes;
}

void LeafUsage::Clear(uint32_t array) {
  CHECK(open_trials_ == 0);
  arrays_[array].amounts.Clear();
  arrays_[array].log.Clear();
  arrays_[array].is_lasting = false;
}

TopologyTrial::~TopologyTrial() {
  while (usage_.journal_.size() > mark_) {
    const LeafUsage::Change& change = usage_.journal_.back();
    LeafUsage::Array& array = usage_.arrays_[change.array];
    array.amounts.Add(change.path.index(), change.column, -change.amount);
    array.log.Add(change.path.value());
    --array.changes;
    usage_.journal_.pop_back();
  }
  usage_.layer_ = outer_layer_;
  --usage_.open_trials_;
}

}  // namespace berth::engine
