#pragma once

// The parts of strategic merge patches that are about lists: telling elements apart, uniting and
// deleting them, and their order. `merge_key` is the field that tells objects apart; "" where the
// elements are plain values.

#include <expected>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "apiserver/patch.h"

namespace berth::apiserver {

inline constexpr json::string_view kPatchMarker = "$patch";

enum class ElementKind : uint8_t { kScalar, kObject };

// Of both lists together; an error if they mix kinds or hold lists.
std::expected<ElementKind, PatchError> ElementKindOf(const json::array& a, const json::array& b);

std::unexpected<PatchError> NoMergeKey(std::string_view merge_key);
std::unexpected<PatchError> NoMergeKeyKnown();

// Where an element stands by its identity; of equal ones the first.
class KeyIndex {
 public:
  // Elements without an identity are left out.
  KeyIndex(const json::array& list, std::string_view merge_key);

  std::optional<size_t> Find(const json::value& key) const;
  // Does nothing if the key is there.
  void Add(const json::value& key, size_t at);

 private:
  std::map<std::string, size_t, std::less<>> places_;
};

// The list as objects that have only the merge key, or plain values as they are.
json::array KeysOnly(const json::array& list, std::string_view merge_key);

// Performs the elements of the patch that have a $patch in them on the list. What remains of the
// patch comes back; nothing if the list was replaced.
std::expected<json::array, PatchError> FollowDirectives(json::array& list, json::array patch,
                                                        std::string_view merge_key);

// Adds plain values that the list lacks, in front, and drops repeated ones.
std::expected<void, PatchError> UniteLists(json::array& list, const json::array& patch);

// Removes plain values.
void DeleteFromList(json::array& list, const json::array& values);

// Whether the patch's elements all stand in `order`, in the same order.
std::expected<void, PatchError> CheckOrder(const json::array& patch, const json::array& order,
                                           std::string_view merge_key);

// Sorts the list: elements that `order` names as they stand there; between them, the others, each
// in front of the first of those that follows it in `server_order`.
std::expected<void, PatchError> PutInOrder(json::array& list, const json::array& order,
                                           const json::array& server_order,
                                           std::string_view merge_key);

// After a merge the places of a list's former elements are taken by what is there now, as many as
// there were: new elements that took the place of deleted ones have a place, others have none.
void AdoptOrder(json::array& server_order, const json::array& survivors, const json::array& merged,
                std::string_view merge_key);

}  // namespace berth::apiserver
