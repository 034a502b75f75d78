#pragma once

#include <deque>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/config/configuration.h"
#include "api/config/feature_gates.h"
#include "api/meta/manifest.h"

namespace berth::lint {

// An object of the set.
struct Entry {
  const api::Manifest* manifest;
  // With defaults. Absent if the manifest could not be read.
  std::optional<api::Object> object;

  const api::ObjectMeta& metadata() const { return manifest->metadata(); }
};

// The objects of a set, with defaults, by kind and name. Includes the names of unreadable objects,
// so that references to them are not reported.
class Catalog {
 public:
  // The manifests must outlive the catalog. `gates` applies if they have no Configuration.
  Catalog(std::span<const api::Manifest> manifests, const api::FeatureGates& gates);

  const std::deque<Entry>& entries() const { return entries_; }
  const api::FeatureGates& gates() const { return gates_; }
  // The first Configuration; if there is none, the defaults.
  const api::Configuration& configuration() const { return configuration_; }

  // Calls visit(entry, object) for every readable object of the kind.
  template <class T, class Visit>
  void ForEach(Visit visit) const {
    for (const Entry* entry : All(T::KindInfo())) {
      if (entry->object) visit(*entry, *entry->object->template As<T>());
    }
  }

  // Every entry of the kind, in the order of the input.
  const std::vector<const Entry*>& All(const schema::Kind& kind) const;

  // The first with this name, in any namespace; null if there is none.
  const Entry* Find(const schema::Kind& kind, std::string_view name) const;
  // Null if there is no such object, or it could not be read.
  template <class T>
  const T* Find(std::string_view name) const {
    const Entry* entry = Find(T::KindInfo(), name);
    return entry != nullptr && entry->object ? entry->object->template As<T>() : nullptr;
  }

  // Whether a reference to this kind is dangling. False if the set has no object of the kind: it
  // may be incomplete.
  bool IsMissing(const schema::Kind& kind, std::string_view name) const;

  // `did you mean "x"?`, or all names if there are few, or "".
  std::string Suggest(const schema::Kind& kind, std::string_view name) const;

 private:
  std::deque<Entry> entries_;  // stable addresses
  std::map<const schema::Kind*, std::vector<const Entry*>> by_kind_;
  std::map<std::pair<const schema::Kind*, std::string_view>, const Entry*> by_name_;
  api::FeatureGates gates_;
  api::Configuration configuration_;
};

}  // namespace berth::lint
