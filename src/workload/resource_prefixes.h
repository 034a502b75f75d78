#pragma once

// Which resources a list of exclusion prefixes means (KEP-5800), made ready for many questions.

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash_index.h"

namespace berth::workload {

// A list of prefixes; what a single one means is api::PrefixExcludes. Most prefixes can only be the
// whole name or what stands before its slash, so that they are looked up; those that end in neither
// letter nor digit are bare beginnings and are tried one by one. So Find costs two look-ups and a
// step for each bare beginning, however long the list is. It allocates nothing.
class ResourcePrefixes {
 public:
  ResourcePrefixes() = default;
  explicit ResourcePrefixes(std::span<const std::string> prefixes);

  bool empty() const { return prefixes_.empty(); }
  // The longest listed prefix that means the resource; null if there is none.
  const std::string* Find(std::string_view resource) const;

 private:
  // The listed prefix of this very text; null if there is none.
  const std::string* FindText(std::string_view text) const;

  // Two bits for the hash of each, so that most questions end in one line of memory: lists of
  // thousands of queues are never all in the cache.
  std::array<uint64_t, 8> bits_ = {};
  std::vector<std::string> prefixes_;  // sorted, each once
  base::HashIndex by_text_;
  std::vector<uint32_t> beginnings_;  // those that are bare, the longest first
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
