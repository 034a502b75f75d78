#include "workload/state/object_handlers.h"

#include <algorithm>

namespace berth::workload {

std::vector<ObjectHandlers::AnyHandler>& ObjectHandlers::HandlersOf(const schema::Kind& kind) {
  const auto row = std::ranges::find(rows_, &kind, &Row::kind);
  if (row != rows_.end()) return row->handlers;
  return rows_.emplace_back(Row{.kind = &kind, .handlers = {}}).handlers;
}

const ObjectHandlers::Row* ObjectHandlers::FindRow(const schema::Kind& kind) const {
  const auto row = std::ranges::find(rows_, &kind, &Row::kind);
  return row == rows_.end() ? nullptr : &*row;
}

void ObjectHandlers::OnUpsert(const api::Object& object, const api::Object* before) const {
  const Row* row = FindRow(object.kind());
  if (row == nullptr) return;
  for (const AnyHandler& handler : row->handlers) handler.on_upsert(object, before);
}

void ObjectHandlers::OnDelete(const schema::Kind& kind, std::string_view namespace_name,
                              std::string_view name) const {
  const Row* row = FindRow(kind);
  if (row == nullptr) return;
  for (const AnyHandler& handler : row->handlers) handler.on_delete(namespace_name, name);
}

std::vector<const schema::Kind*> ObjectHandlers::Kinds() const {
  std::vector<const schema::Kind*> kinds;
  for (const Row& row : rows_) kinds.push_back(row.kind);
  return kinds;
}

}  // namespace berth::workload
