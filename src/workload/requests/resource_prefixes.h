#pragma once

// Compiled lists of exclusion prefixes (KEP-5800).

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/kueue/resource_prefix.h"
#include "base/hash_index.h"

namespace berth::workload {

// A compiled list of prefixes. api::PrefixExcludes defines the match of a single one. Most prefixes
// can only be the whole name or the part before its slash, so they are looked up in a hash table;
// prefixes that match any beginning (api::PrefixMatch) are tried one by one. Find costs two lookups
// and a step for each of the latter, however long the list is, and does not allocate.
class ResourcePrefixes {
 public:
  ResourcePrefixes() = default;
  explicit ResourcePrefixes(std::span<const std::string> prefixes,
                            api::PrefixMatch match = api::PrefixMatch::kWholeSegments);

  bool empty() const { return prefixes_.empty(); }
  // The longest prefix that matches the resource; null if there is none.
  const std::string* Find(std::string_view resource) const;

 private:
  // The prefix with exactly this text; null if there is none.
  const std::string* FindText(std::string_view text) const;

  // A Bloom filter with two bits per prefix, so that most lookups touch one cache line: lists of
  // thousands of queues do not all fit in the cache.
  std::array<uint64_t, 8> bits_ = {};
  std::vector<std::string> prefixes_;  // sorted, unique
  base::HashIndex by_text_;
  std::vector<uint32_t>
      beginnings_;  // indices of prefixes that match any beginning, the longest first
};

// Shares compiled lists between queues with the same prefixes. Unused lists are collected when
// their number has doubled, so the amortized cost does not depend on the number of lists.
class ResourcePrefixPool {
 public:
  std::shared_ptr<const ResourcePrefixes> Share(std::span<const std::string> prefixes);
  // The number of cached lists, including unused ones.
  size_t size() const { return lists_.size(); }

 private:
  std::map<std::vector<std::string>, std::weak_ptr<const ResourcePrefixes>> lists_;
  size_t most_ = 16;  // lists before the unused ones are collected
};

}  // namespace berth::workload
