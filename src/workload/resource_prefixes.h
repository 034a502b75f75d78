#pragma once

// Which resources an exclusion prefix means (KEP-5800), made ready for many questions.

#include <cstddef>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace berth::workload {

// The rule for one prefix. It means the resource of this very name, those whose names go on with
// '/', and, if it ends in neither letter nor digit, those that begin with it. So `example.com`
// means `example.com/gpu` and not `example.community/gpu`, `hugepages-` means `hugepages-2Mi`, and
// `ephemeral` does not mean `ephemeral-storage`. An empty prefix means nothing.
bool PrefixMeans(std::string_view prefix, std::string_view resource);

// A list of prefixes. Find costs one binary search and a step for each listed prefix that the
// resource's name begins with; it allocates nothing.
class ResourcePrefixes {
 public:
  ResourcePrefixes() = default;
  explicit ResourcePrefixes(std::span<const std::string> prefixes);

  bool empty() const { return prefixes_.empty(); }
  // The longest listed prefix that means the resource; null if there is none.
  const std::string* Find(std::string_view resource) const;

 private:
  static constexpr size_t kNone = static_cast<size_t>(-1);

  std::vector<std::string> prefixes_;  // sorted, each once
  std::vector<size_t> shorter_;        // of each, the longest other that it begins with, or kNone
};

// Compiles each list once: queues with the same prefixes share them as long as one of them exists.
class ResourcePrefixPool {
 public:
  std::shared_ptr<const ResourcePrefixes> Share(std::span<const std::string> prefixes);

 private:
  std::map<std::vector<std::string>, std::weak_ptr<const ResourcePrefixes>> lists_;
};

}  // namespace berth::workload
