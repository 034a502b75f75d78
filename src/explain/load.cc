#include "explain/load.h"

#include <algorithm>
#include <map>

#include "api/problem_report.h"
#include "base/suggest.h"
#include "explain/phrases.h"
#include "schema/defaults.h"
#include "workload/convert_workload.h"

namespace berth::explain {
namespace {

using workload::NamespacedName;

// What an API server would fill in.
class Completion {
 public:
  api::Object Complete(const api::Object& read) {
    api::Object object = read.Clone();
    schema::ApplyDefaults(object.kind().structure(), object.value());
    auto* metadata = const_cast<api::ObjectMeta*>(object.metadata());
    if (metadata == nullptr) return object;
    if (!object.kind().is_namespaced) {
      metadata->namespace_.clear();
    } else if (metadata->namespace_.empty()) {
      metadata->namespace_ = "default";
    }
    if (object.As<api::Workload>() != nullptr) GiveUid(*metadata);
    return object;
  }

 private:
  // A uid that stands in two files is that of a copy.
  void GiveUid(api::ObjectMeta& metadata) {
    const std::string name = NamespacedName(metadata);
    std::string& uid = metadata.uid;
    if (uid.empty()) uid = metadata.namespace_ + "-" + metadata.name;
    const auto [known, is_new] = owners_.try_emplace(uid, name);
    if (!is_new && known->second != name) uid = name;
  }

  std::map<std::string, std::string> owners_;  // of uids
};

bool IsCalled(const api::Workload& workload, std::string_view name, std::string_view space) {
  if (!space.empty() && workload.metadata.namespace_ != space) return false;
  return workload.metadata.name == name;
}

bool IsOwnedBy(const api::Workload& workload, std::string_view name, std::string_view space) {
  if (!space.empty() && workload.metadata.namespace_ != space) return false;
  return std::ranges::any_of(workload.metadata.owner_references,
                             [&](const auto& owner) { return owner.name == name; });
}

std::string NameHint(std::string_view wanted, const std::vector<const api::Workload*>& all) {
  constexpr size_t kMostNamed = 10;
  if (all.empty())
    return "there are no Workloads in these files: add the output of `kubectl get workloads -A -o "
           "yaml`";
  std::vector<std::string> names;
  for (const api::Workload* w : all) {
    names.push_back(NamespacedName(w->metadata));
  }
  std::vector<std::string_view> candidates(names.begin(), names.end());
  for (const api::Workload* w : all) candidates.push_back(w->metadata.name);
  std::string near = base::DidYouMean(wanted, candidates);
  if (!near.empty()) return near;
  const size_t count = names.size();
  if (count > kMostNamed) names.resize(kMostNamed);
  return (count == 1 ? "there is " : "there are ") + Listed(names, count);
}

}  // namespace

std::unique_ptr<workload::EngineFeed> Load(const api::Configuration& configuration,
                                           const api::FeatureGates& gates,
                                           std::span<const api::Manifest> manifests,
                                           base::Time now) {
  auto feed = std::make_unique<workload::EngineFeed>(configuration, gates);
  Completion completion;
  for (const api::Manifest& manifest : manifests) {
    if (manifest.object) feed->Apply(completion.Complete(*manifest.object));
  }
  feed->Sync(now);
  return feed;
}

base::Result<const api::Workload*> FindWorkload(const workload::EngineFeed& feed,
                                                std::string_view name) {
  const size_t slash = name.find('/');
  const std::string_view space = slash == std::string_view::npos ? "" : name.substr(0, slash);
  const std::string_view bare = slash == std::string_view::npos ? name : name.substr(slash + 1);
  std::vector<const api::Workload*> all, called, owned;
  feed.ForEachWorkload([&](const api::Workload& workload) {
    all.push_back(&workload);
    if (IsCalled(workload, bare, space)) called.push_back(&workload);
    if (IsOwnedBy(workload, bare, space)) owned.push_back(&workload);
  });
  const std::vector<const api::Workload*>& found = called.empty() ? owned : called;
  if (found.size() == 1) return found.front();
  if (found.empty())
    return std::unexpected(
        base::Error{"there is no Workload " + api::Quoted(name), NameHint(name, all), {}});
  std::vector<std::string> names;
  for (const api::Workload* workload : found) names.push_back(NamespacedName(workload->metadata));
  return std::unexpected(base::Error{"several Workloads are meant by " + api::Quoted(name),
                                     "which one: " + Listed(names, names.size(), "or") + "?",
                                     {}});
}

}  // namespace berth::explain
