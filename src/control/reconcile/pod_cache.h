#pragma once

// The watched pods in their newest known versions, grouped into the units that wait as one.

#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "control/reconcile/pod_plan.h"
#include "store/object.h"

namespace berth::control {

// A single pod, or a group of pods.
struct PodUnitKey {
  std::string namespace_;
  std::string name;  // of the group, or of the pod
  bool is_group = false;

  friend auto operator<=>(const PodUnitKey&, const PodUnitKey&) = default;
};

class PodCache {
 public:
  struct Entry {
    KnownPod known;
    store::Object text;
    PodUnitKey unit;
  };

  // `reads_annotations`: a group's name may be given by an annotation.
  explicit PodCache(bool reads_annotations) : reads_annotations_(reads_annotations) {}

  // A watch event; `object` is null if the pod was deleted. Returns the units that changed: known
  // and older versions are ignored.
  std::vector<PodUnitKey> OnWatchEvent(const store::ObjectName& name, const store::Object* object);

  // The pods of the unit, by name; none if there is no such unit.
  PodUnit Find(const PodUnitKey& key) const;
  // The names of its pods; null if there is no such unit.
  const std::set<store::ObjectName>* FindNames(const PodUnitKey& key) const;
  // Null if there is no such pod.
  const Entry* FindPod(const store::ObjectName& name) const;
  const PodUnitKey* FindByUid(std::string_view uid) const;
  void ForEach(const std::function<void(const PodUnitKey&, const KnownPod&)>& visit) const;

 private:
  PodUnitKey UnitOf(const api::Pod& pod) const;
  void OnUpsert(const store::Object& object);
  void OnDelete(std::map<store::ObjectName, Entry>::iterator entry);

  const bool reads_annotations_;
  std::map<store::ObjectName, Entry> pods_;
  std::map<PodUnitKey, std::set<store::ObjectName>> units_;
  std::map<std::string, PodUnitKey, std::less<>> by_uid_;
};

}  // namespace berth::control
