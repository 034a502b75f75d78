#pragma once

// The jobs of all watched kinds, in their newest known versions.

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>

#include "control/write/object_writer.h"
#include "jobs/integration.h"
#include "json/json.h"
#include "store/object.h"
#include "store/resource.h"

namespace berth::control {

// A job among the jobs of all kinds.
struct JobKey {
  const jobs::Integration* integration = nullptr;
  std::string namespace_;
  std::string name;

  friend auto operator<=>(const JobKey& a, const JobKey& b) {
    return std::tie(a.integration->framework, a.namespace_, a.name) <=>
           std::tie(b.integration->framework, b.namespace_, b.name);
  }
  friend bool operator==(const JobKey& a, const JobKey& b) { return (a <=> b) == 0; }
};

store::Resource ResourceOf(const jobs::Integration& integration);

class JobCache {
 public:
  struct Job {
    store::Object text;
    json::value tree;  // without managedFields
  };

  // A watch event; `object` is null if the job was deleted. Returns whether the cache changed:
  // known and older versions are ignored.
  bool OnWatchEvent(const JobKey& key, const store::Object* object);

  // Null if the job is not known.
  const Job* Find(const JobKey& key) const;
  const JobKey* FindByUid(std::string_view uid) const;
  // Nullopt if no job of the kind was ever known.
  std::optional<JobKey> FindKey(const ObjectKey& key) const;
  void ForEach(const std::function<void(const JobKey&, const Job&)>& visit) const;

 private:
  bool OnUpsert(const JobKey& key, const store::Object& object);
  bool OnDelete(const JobKey& key);

  std::map<JobKey, Job> jobs_;
  std::map<std::string, JobKey, std::less<>> by_uid_;
  std::map<std::string, const jobs::Integration*> integrations_;  // by resource
};

}  // namespace berth::control
