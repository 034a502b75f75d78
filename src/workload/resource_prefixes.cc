#include "workload/resource_prefixes.h"

#include <algorithm>
#include <utility>

#include "api/resource_prefix.h"

namespace berth::workload {
namespace {

std::vector<std::string> SortedOnce(std::span<const std::string> prefixes) {
  std::vector<std::string> sorted(prefixes.begin(), prefixes.end());
  std::erase(sorted, "");
  std::ranges::sort(sorted);
  const auto repeated = std::ranges::unique(sorted);
  sorted.erase(repeated.begin(), repeated.end());
  return sorted;
}

}  // namespace

ResourcePrefixes::ResourcePrefixes(std::span<const std::string> prefixes)
    : prefixes_(SortedOnce(prefixes)), shorter_(prefixes_.size(), kNone) {
  for (size_t i = 1; i < prefixes_.size(); ++i) {
    size_t candidate = i - 1;
    while (candidate != kNone && !prefixes_[i].starts_with(prefixes_[candidate])) {
      candidate = shorter_[candidate];
    }
    shorter_[i] = candidate;
  }
}

// Every prefix of a name sorts before it, and all that sorts between the two begins with that
// prefix. So all candidates are on the way from the last entry not after the name to ever
// shorter ones.
const std::string* ResourcePrefixes::Find(std::string_view resource) const {
  const auto after = std::ranges::upper_bound(prefixes_, resource, std::less<>());
  size_t candidate = static_cast<size_t>(after - prefixes_.begin()) - 1;
  while (candidate != kNone && !api::PrefixExcludes(prefixes_[candidate], resource)) {
    candidate = shorter_[candidate];
  }
  return candidate == kNone ? nullptr : &prefixes_[candidate];
}

std::shared_ptr<const ResourcePrefixes> ResourcePrefixPool::Share(
    std::span<const std::string> prefixes) {
  if (lists_.size() >= most_) {
    std::erase_if(lists_, [](const auto& entry) { return entry.second.expired(); });
    most_ = std::max(most_, 2 * lists_.size());
  }
  std::vector<std::string> sorted = SortedOnce(prefixes);
  std::weak_ptr<const ResourcePrefixes>& entry = lists_[sorted];
  std::shared_ptr<const ResourcePrefixes> shared = entry.lock();
  if (shared == nullptr) {
    shared = std::make_shared<const ResourcePrefixes>(sorted);
    entry = shared;
  }
  return shared;
}

}  // namespace berth::workload
