#include "control/reconcile/job_cache.h"

#include <utility>

#include "json/path.h"
#include "store/resource_version.h"

namespace berth::control {

store::Resource ResourceOf(const jobs::Integration& integration) {
  const std::string_view api_version = integration.api_version;
  const size_t slash = api_version.find('/');
  return {.group = std::string(integration.group()),
          .version =
              std::string(slash == api_version.npos ? api_version : api_version.substr(slash + 1)),
          .plural = integration.plural,
          .kind = integration.kind,
          .is_namespaced = true};
}

bool JobCache::OnWatchEvent(const JobKey& key, const store::Object* object) {
  return object == nullptr ? OnDelete(key) : OnUpsert(key, *object);
}

bool JobCache::OnUpsert(const JobKey& key, const store::Object& object) {
  const auto known = jobs_.find(key);
  if (known != jobs_.end() && known->second.text.uid == object.uid &&
      !store::IsOlderVersion(known->second.text.resource_version, object.resource_version))
    return false;
  auto tree = json::Parse(object.text());
  if (!tree) return true;
  // Plans read the metadata often, and managedFields are much of it.
  if (json::value* metadata = json::Find(*tree, {"metadata"});
      metadata != nullptr && metadata->is_object())
    metadata->get_object().stable_erase("managedFields");
  if (known != jobs_.end() && known->second.text.uid != object.uid)
    by_uid_.erase(known->second.text.uid);
  by_uid_.insert_or_assign(object.uid, key);
  integrations_.insert_or_assign(ResourceOf(*key.integration).GroupResource(), key.integration);
  jobs_.insert_or_assign(key, Job{.text = object, .tree = std::move(*tree)});
  return true;
}

bool JobCache::OnDelete(const JobKey& key) {
  const auto known = jobs_.find(key);
  if (known == jobs_.end()) return false;
  by_uid_.erase(known->second.text.uid);
  jobs_.erase(known);
  return true;
}

const JobCache::Job* JobCache::Find(const JobKey& key) const {
  const auto found = jobs_.find(key);
  return found == jobs_.end() ? nullptr : &found->second;
}

const JobKey* JobCache::FindByUid(std::string_view uid) const {
  const auto found = by_uid_.find(uid);
  return found == by_uid_.end() ? nullptr : &found->second;
}

std::optional<JobKey> JobCache::FindKey(const ObjectKey& key) const {
  const auto found = integrations_.find(key.resource);
  if (found == integrations_.end()) return std::nullopt;
  return JobKey{.integration = found->second, .namespace_ = key.namespace_, .name = key.name};
}

void JobCache::ForEach(const std::function<void(const JobKey&, const Job&)>& visit) const {
  for (const auto& [key, job] : jobs_) visit(key, job);
}

}  // namespace berth::control
