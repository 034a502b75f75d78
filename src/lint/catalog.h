#pragma once

#include <deque>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/configuration.h"
#include "api/feature_gates.h"
#include "api/manifest.h"

namespace berth::lint {

// One of the objects that are looked at.
struct Entry {
  const api::Manifest* manifest;
  // With defaults. Absent where the manifest has none.
  std::optional<api::Object> object;

  const api::ObjectMeta& metadata() const { return manifest->metadata(); }
};

// All objects that are linted, with their defaults, found by kind and name. An object that could
// not be read is known by its name, so that what refers to it is not blamed.
class Catalog {
 public:
  // The manifests must outlive the catalog. The gates are those of the first Configuration among
  // them; where there is none, the given ones.
  Catalog(std::span<const api::Manifest> manifests, const api::FeatureGates& gates);

  const std::deque<Entry>& entries() const { return entries_; }
  const api::FeatureGates& gates() const { return gates_; }
  // The first Configuration, or one of defaults only.
  const api::Configuration& configuration() const { return configuration_; }

  // Calls visit(entry, object) for every object of the kind that could be read.
  template <class T, class Visit>
  void ForEach(Visit visit) const {
    for (const Entry* entry : All(T::KindInfo())) {
      if (entry->object) visit(*entry, *entry->object->template As<T>());
    }
  }

  // Every entry of the kind, in the order of the input.
  const std::vector<const Entry*>& All(const schema::Kind& kind) const;

  // The first with this name, whatever its namespace; null if there is none.
  const Entry* Find(const schema::Kind& kind, std::string_view name) const;
  // The object of that name, null also if it could not be read.
  template <class T>
  const T* Find(std::string_view name) const {
    const Entry* entry = Find(T::KindInfo(), name);
    return entry != nullptr && entry->object ? entry->object->template As<T>() : nullptr;
  }

  // Whether a name of this kind points at nothing. Never if the catalog has no object of the kind
  // at all: they may simply be elsewhere.
  bool IsMissing(const schema::Kind& kind, std::string_view name) const;

  // `did you mean "x"?`, or all names if they are few, or "".
  std::string Suggest(const schema::Kind& kind, std::string_view name) const;

 private:
  std::deque<Entry> entries_;  // stay where they are
  std::map<const schema::Kind*, std::vector<const Entry*>> by_kind_;
  std::map<std::pair<const schema::Kind*, std::string_view>, const Entry*> by_name_;
  api::FeatureGates gates_;
  api::Configuration configuration_;
};

}  // namespace berth::lint
