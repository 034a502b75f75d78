#pragma once

// List handling of strategic merge patches: identity, union, deletion and order of elements.
// `merge_key` is the field that identifies objects; "" for lists of scalars.

#include <expected>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "apiserver/patch/patch.h"

namespace berth::apiserver {

inline constexpr json::string_view kPatchMarker = "$patch";

enum class ElementKind : uint8_t { kScalar, kObject };

// The element kind of both lists; an error if kinds are mixed or elements are lists.
std::expected<ElementKind, PatchError> ElementKindOf(const json::array& a, const json::array& b);

std::unexpected<PatchError> NoMergeKey(std::string_view merge_key);
std::unexpected<PatchError> NoMergeKeyKnown();

// Positions of elements by identity; the first one of duplicates.
class KeyIndex {
 public:
  // Skips elements without an identity.
  KeyIndex(const json::array& list, std::string_view merge_key);

  std::optional<size_t> Find(const json::value& key) const;
  // A no-op if the key exists.
  void Add(const json::value& key, size_t at);

 private:
  std::map<std::string, size_t, std::less<>> places_;
};

// The list with objects reduced to their merge key; scalars are unchanged.
json::array KeysOnly(const json::array& list, std::string_view merge_key);

// Performs the patch elements that contain $patch on the list. Returns the rest of the patch; empty
// if the list was replaced.
std::expected<json::array, PatchError> ApplyDirectives(json::array& list, json::array patch,
                                                       std::string_view merge_key);

// Prepends scalars that the list lacks and removes duplicates.
std::expected<void, PatchError> MergeScalarLists(json::array& list, const json::array& patch);

// Removes scalars.
void DeleteFromList(json::array& list, const json::array& values);

// Fails unless the patch's elements are all in `order`, in that order.
std::expected<void, PatchError> CheckOrder(const json::array& patch, const json::array& order,
                                           std::string_view merge_key);

// Sorts the list: elements named in `order` follow it; the others are placed between them, before
// the first one that follows in `server_order`.
std::expected<void, PatchError> SortByOrder(json::array& list, const json::array& order,
                                            const json::array& server_order,
                                            std::string_view merge_key);

// Replaces the identities in `server_order` by those of the merged list, up to its length: new
// elements that took the position of deleted ones get a position, others do not.
void UpdateServerOrder(json::array& server_order, const json::array& survivors,
                       const json::array& merged, std::string_view merge_key);

}  // namespace berth::apiserver
