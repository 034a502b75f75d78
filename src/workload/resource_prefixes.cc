#include "workload/resource_prefixes.h"

#include <algorithm>
#include <utility>

namespace berth::workload {
namespace {

bool IsLetterOrDigit(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

std::vector<std::string> SortedOnce(std::span<const std::string> prefixes) {
  std::vector<std::string> sorted(prefixes.begin(), prefixes.end());
  std::erase(sorted, "");
  std::ranges::sort(sorted);
  const auto repeated = std::ranges::unique(sorted);
  sorted.erase(repeated.begin(), repeated.end());
  return sorted;
}

}  // namespace

bool PrefixMeans(std::string_view prefix, std::string_view resource) {
  if (prefix.empty() || !resource.starts_with(prefix)) return false;
  if (resource.size() == prefix.size()) return true;
  return resource[prefix.size()] == '/' || !IsLetterOrDigit(prefix.back());
}

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
  while (candidate != kNone && !PrefixMeans(prefixes_[candidate], resource)) {
    candidate = shorter_[candidate];
  }
  return candidate == kNone ? nullptr : &prefixes_[candidate];
}

std::shared_ptr<const ResourcePrefixes> ResourcePrefixPool::Share(
    std::span<const std::string> prefixes) {
  std::erase_if(lists_, [](const auto& entry) { return entry.second.expired(); });
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
