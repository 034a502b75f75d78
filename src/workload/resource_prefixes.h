#pragma once

// Which resources a list of exclusion prefixes means (KEP-5800), made ready for many questions.

#include <cstddef>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace berth::workload {

// A list of prefixes; what a single one means is api::PrefixExcludes. Find costs one binary search
// and a step for each listed prefix that the resource's name begins with; it allocates nothing.
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
// What nobody uses any more is forgotten now and then, so that sharing costs the same however many
// lists there are.
class ResourcePrefixPool {
 public:
  std::shared_ptr<const ResourcePrefixes> Share(std::span<const std::string> prefixes);
  // How many lists are remembered.
  size_t size() const { return lists_.size(); }

 private:
  std::map<std::vector<std::string>, std::weak_ptr<const ResourcePrefixes>> lists_;
  size_t most_ = 16;  // lists before the unused ones are forgotten
};

}  // namespace berth::workload
