#pragma once

#include <functional>
#include <string_view>
#include <utility>
#include <vector>

#include "api/meta/object.h"
#include "schema/describe.h"

namespace berth::workload {

// Handlers of API objects by kind: the one place where an object is dispatched on its kind.
class ObjectHandlers {
 public:
  using OnDeleted = std::function<void(std::string_view namespace_name, std::string_view name)>;

  template <class T>
  struct Handler {
    // `before` is the previous state of the object; null if the object is new or it is unknown.
    std::function<void(const T& object, const T* before)> on_upsert;
    OnDeleted on_delete;
  };

  // A kind may have several handlers. They run in the order of their registration.
  template <class T>
  void Add(Handler<T> handler) {
    HandlersOf(T::KindInfo())
        .push_back({.on_upsert =
                        [on_upsert = std::move(handler.on_upsert)](const api::Object& object,
                                                                   const api::Object* before) {
                          on_upsert(*object.As<T>(), before == nullptr ? nullptr : before->As<T>());
                        },
                    .on_delete = std::move(handler.on_delete)});
  }

  // The same for a kind that is known at run time only.
  struct AnyHandler {
    std::function<void(const api::Object& object, const api::Object* before)> on_upsert;
    OnDeleted on_delete;
  };
  void Add(const schema::Kind& kind, AnyHandler handler) {
    HandlersOf(kind).push_back(std::move(handler));
  }

  // Objects of a kind without handlers are ignored. `before` is of the same kind as the object.
  void OnUpsert(const api::Object& object, const api::Object* before = nullptr) const;
  void OnDelete(const schema::Kind& kind, std::string_view namespace_name,
                std::string_view name) const;

  // In the order of registration.
  std::vector<const schema::Kind*> Kinds() const;

 private:
  struct Row {
    const schema::Kind* kind;
    std::vector<AnyHandler> handlers;
  };

  std::vector<AnyHandler>& HandlersOf(const schema::Kind& kind);
  // Null if the kind has no handlers.
  const Row* FindRow(const schema::Kind& kind) const;

  std::vector<Row> rows_;
};

}  // namespace berth::workload
