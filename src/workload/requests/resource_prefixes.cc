#include "workload/requests/resource_prefixes.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <tuple>
#include <utility>

#include "api/kueue/resource_prefix.h"

namespace berth::workload {
namespace {

// Hashes eight bytes at a time: names are long and lookups frequent.
uint64_t HashOf(std::string_view text) {
  uint64_t hash = text.size();
  while (text.size() >= sizeof(uint64_t)) {
    uint64_t word;
    std::memcpy(&word, text.data(), sizeof(word));
    hash = base::MixHash(hash, word);
    text.remove_prefix(sizeof(word));
  }
  uint64_t rest = 0;
  if (!text.empty()) std::memcpy(&rest, text.data(), text.size());
  return base::MixHash(hash, rest);
}

using Bits = std::array<uint64_t, 8>;

constexpr size_t kWordBits = 64;
constexpr size_t kBitCount = std::tuple_size_v<Bits> * kWordBits;

size_t FirstBit(uint64_t hash) { return hash % kBitCount; }
size_t SecondBit(uint64_t hash) { return hash / kBitCount % kBitCount; }

bool HasBit(const Bits& bits, size_t bit) {
  return (bits[bit / kWordBits] >> (bit % kWordBits) & 1) != 0;
}

void SetBit(Bits& bits, size_t bit) { bits[bit / kWordBits] |= uint64_t{1} << (bit % kWordBits); }

// Whether the prefix matches every name that begins with it.
bool IsBareBeginning(std::string_view prefix, api::PrefixMatch match) {
  return api::PrefixExcludes(prefix, std::string(prefix) + "x", match);
}

std::vector<std::string> SortedUnique(std::span<const std::string> prefixes,
                                      api::PrefixMatch match) {
  std::vector<std::string> sorted(prefixes.begin(), prefixes.end());
  if (match == api::PrefixMatch::kWholeSegments) std::erase(sorted, "");
  std::ranges::sort(sorted);
  const auto repeated = std::ranges::unique(sorted);
  sorted.erase(repeated.begin(), repeated.end());
  return sorted;
}

}  // namespace

ResourcePrefixes::ResourcePrefixes(std::span<const std::string> prefixes, api::PrefixMatch match)
    : prefixes_(SortedUnique(prefixes, match)) {
  for (uint32_t i = 0; i < prefixes_.size(); ++i) {
    const uint64_t hash = HashOf(prefixes_[i]);
    SetBit(bits_, FirstBit(hash));
    SetBit(bits_, SecondBit(hash));
    by_text_.Insert(hash, i);
    if (IsBareBeginning(prefixes_[i], match)) beginnings_.push_back(i);
  }
  std::ranges::stable_sort(beginnings_, std::greater<>(),
                           [&](uint32_t i) { return prefixes_[i].size(); });
}

const std::string* ResourcePrefixes::FindText(std::string_view text) const {
  const uint64_t hash = HashOf(text);
  if (!HasBit(bits_, FirstBit(hash)) || !HasBit(bits_, SecondBit(hash))) return nullptr;
  const uint32_t found = by_text_.Find(hash, [&](uint32_t i) { return prefixes_[i] == text; });
  return found == base::HashIndex::kNone ? nullptr : &prefixes_[found];
}

const std::string* ResourcePrefixes::Find(std::string_view resource) const {
  if (prefixes_.empty()) return nullptr;
  if (const std::string* name = FindText(resource)) return name;
  const std::string* found = nullptr;
  for (const uint32_t i : beginnings_) {
    if (!resource.starts_with(prefixes_[i])) continue;
    found = &prefixes_[i];
    break;
  }
  for (size_t slash = resource.rfind('/'); slash != resource.npos && slash > 0;
       slash = resource.rfind('/', slash - 1)) {
    if (found != nullptr && found->size() >= slash) break;
    if (const std::string* domain = FindText(resource.substr(0, slash))) return domain;
  }
  return found;
}

std::shared_ptr<const ResourcePrefixes> ResourcePrefixPool::Share(
    std::span<const std::string> prefixes) {
  if (lists_.size() >= most_) {
    std::erase_if(lists_, [](const auto& entry) { return entry.second.expired(); });
    most_ = std::max(most_, 2 * lists_.size());
  }
  std::vector<std::string> sorted = SortedUnique(prefixes, api::PrefixMatch::kWholeSegments);
  std::weak_ptr<const ResourcePrefixes>& entry = lists_[sorted];
  std::shared_ptr<const ResourcePrefixes> shared = entry.lock();
  if (shared == nullptr) {
    shared = std::make_shared<const ResourcePrefixes>(sorted);
    entry = shared;
  }
  return shared;
}

}  // namespace berth::workload
