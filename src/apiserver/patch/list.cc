#include "apiserver/patch/list.h"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

namespace berth::apiserver {
namespace {

// Equal only for equal values of the same JSON type: 1 and 1.0 differ, as do 1 and "1".
std::string IdentityOf(const json::value& key) {
  std::string identity(1, key.is_double() ? 'd' : '=');
  json::PrintTo(identity, key);
  return identity;
}

// The identity of the element; null if it has none.
const json::value* KeyOf(const json::value& element, std::string_view merge_key) {
  if (merge_key.empty()) return &element;
  const json::object* object = element.if_object();
  return object == nullptr ? nullptr : object->if_contains(json::BoostView(merge_key));
}

const json::value* DirectiveOf(const json::value& element) {
  const json::object* object = element.if_object();
  return object == nullptr ? nullptr : object->if_contains(kPatchMarker);
}

bool IsDirective(const json::value& element) { return DirectiveOf(element) != nullptr; }

bool IsDeletion(const json::value& element) {
  return IsDirective(element) && *DirectiveOf(element) == "delete";
}

// Objects without a merge key have no identity.
std::expected<void, PatchError> CheckKey(const json::value& element, std::string_view merge_key) {
  if (merge_key.empty() && (element.is_object() || element.is_array())) {
    return RefusePatch(
        PatchFault::kUnorderable,
        "$setElementOrder cannot order this list of objects: it has no merge key and is "
        "replaced as a whole");
  }
  if (!merge_key.empty() && !element.is_object()) {
    return RefusePatch(PatchFault::kOther, "every element of this list must be an object");
  }
  if (KeyOf(element, merge_key) == nullptr) return NoMergeKey(merge_key);
  return {};
}

std::expected<void, PatchError> CheckKeys(const json::array& list, std::string_view merge_key) {
  for (const json::value& element : list) {
    if (auto checked = CheckKey(element, merge_key); !checked) return checked;
  }
  return {};
}

// An element and its positions in both orders.
struct Ranked {
  json::value* value = nullptr;
  std::optional<size_t> wanted;
  std::optional<size_t> served;
};

// Sorts by position. Elements without one come first, in reverse order: this matches the API
// server's sort of short lists.
void SortBy(std::vector<Ranked>& elements, std::optional<size_t> Ranked::* place) {
  constexpr size_t kShort = 20;
  const auto goes_before = [place](const Ranked& a, const Ranked& b) {
    return !(a.*place) || !(b.*place) || *(a.*place) < *(b.*place);
  };
  if (elements.size() > kShort ||
      std::ranges::all_of(elements, [&](const Ranked& e) { return (e.*place).has_value(); })) {
    std::ranges::stable_sort(elements, {}, place);  // nullopt sorts first
    return;
  }
  for (size_t i = 1; i < elements.size(); ++i) {
    for (size_t at = i; at > 0 && goes_before(elements[at], elements[at - 1]); --at) {
      std::swap(elements[at], elements[at - 1]);
    }
  }
}

bool ComesBefore(const Ranked& server_only, const Ranked& wanted) {
  return server_only.served && wanted.served && *server_only.served < *wanted.served;
}

}  // namespace

std::unexpected<PatchError> NoMergeKey(std::string_view merge_key) {
  return RefusePatch(PatchFault::kNoMergeKey, "every element of this list must have " +
                                                  std::string(merge_key) +
                                                  ", by which patches tell elements apart");
}

std::unexpected<PatchError> NoMergeKeyKnown() {
  return RefusePatch(PatchFault::kOther,
                     "this list has no merge key, so its objects cannot be merged");
}

std::expected<ElementKind, PatchError> ElementKindOf(const json::array& a, const json::array& b) {
  const json::value& first = a.empty() ? b.front() : a.front();
  if (first.is_array()) return RefusePatch(PatchFault::kOther, "lists of lists cannot be merged");
  for (const json::array* list : {&a, &b}) {
    for (const json::value& element : *list) {
      if (element.kind() == first.kind() && !element.is_null()) continue;
      return RefusePatch(PatchFault::kOther,
                         "the elements of a merged list must all be of the same type");
    }
  }
  return first.is_object() ? ElementKind::kObject : ElementKind::kScalar;
}

KeyIndex::KeyIndex(const json::array& list, std::string_view merge_key) {
  for (size_t i = 0; i < list.size(); ++i) {
    if (const json::value* key = KeyOf(list[i], merge_key)) Add(*key, i);
  }
}

std::optional<size_t> KeyIndex::Find(const json::value& key) const {
  const auto found = places_.find(IdentityOf(key));
  return found == places_.end() ? std::nullopt : std::optional(found->second);
}

void KeyIndex::Add(const json::value& key, size_t at) { places_.emplace(IdentityOf(key), at); }

json::array KeysOnly(const json::array& list, std::string_view merge_key) {
  if (merge_key.empty()) return list;
  json::array keys;
  keys.reserve(list.size());
  for (const json::value& element : list) {
    json::object only;
    if (const json::value* key = KeyOf(element, merge_key))
      only.emplace(json::BoostView(merge_key), *key);
    keys.push_back(std::move(only));
  }
  return keys;
}

std::expected<json::array, PatchError> ApplyDirectives(json::array& list, json::array patch,
                                                       std::string_view merge_key) {
  json::array plain;
  std::set<std::string> deleted;
  bool replaces = false;
  for (json::value& element : patch) {
    const json::value* directive = element.get_object().if_contains(kPatchMarker);
    if (directive == nullptr) {
      plain.push_back(std::move(element));
    } else if (*directive == "replace") {
      replaces = true;
    } else if (*directive == "delete") {
      const json::value* key = KeyOf(element, merge_key);
      if (key == nullptr) return NoMergeKey(merge_key);
      deleted.insert(IdentityOf(*key));
    } else {
      return RefusePatch(PatchFault::kDirective,
                         "$patch is " + json::Print(*directive) +
                             "; in a list's element it can be replace or delete");
    }
  }
  if (replaces) {
    list = std::move(plain);
    return json::array();
  }
  if (deleted.empty()) return plain;
  json::array kept;
  for (json::value& element : list) {
    const json::value* key = KeyOf(element, merge_key);
    if (key == nullptr || !deleted.contains(IdentityOf(*key))) kept.push_back(std::move(element));
  }
  list = std::move(kept);
  return plain;
}

std::expected<void, PatchError> MergeScalarLists(json::array& list, const json::array& patch) {
  const json::array server_order = list;
  json::array both;
  std::set<std::string> seen;
  for (const json::array* part : {&server_order, &patch}) {
    for (const json::value& element : *part) {
      if (seen.insert(IdentityOf(element)).second) both.push_back(element);
    }
  }
  list = std::move(both);
  return SortByOrder(list, patch, server_order, "");
}

void DeleteFromList(json::array& list, const json::array& values) {
  std::set<std::string> deleted;
  for (const json::value& value : values) deleted.insert(IdentityOf(value));
  json::array kept;
  for (json::value& element : list) {
    if (!deleted.contains(IdentityOf(element))) kept.push_back(std::move(element));
  }
  list = std::move(kept);
}

std::expected<void, PatchError> CheckOrder(const json::array& patch, const json::array& order,
                                           std::string_view merge_key) {
  if (patch.empty() || order.empty()) return {};
  size_t at = 0;
  for (const json::value& element : patch) {
    if (!merge_key.empty() && !element.is_object()) return CheckKey(element, merge_key);
    if (!merge_key.empty() && IsDeletion(element)) continue;
    // Beyond the end of the order, even a directive counts as out of order.
    if (at < order.size() && IsDirective(element)) continue;
    bool is_found = false;
    for (; at < order.size() && !is_found; ++at) {
      if (auto checked = CheckKey(element, merge_key); !checked) return checked;
      if (auto checked = CheckKey(order[at], merge_key); !checked) return checked;
      is_found = *KeyOf(element, merge_key) == *KeyOf(order[at], merge_key);
    }
    if (is_found) continue;
    return RefusePatch(
        PatchFault::kOrder,
        "the elements of the patch must all be listed in $setElementOrder, in the same "
        "order");
  }
  return {};
}

std::expected<void, PatchError> SortByOrder(json::array& list, const json::array& order,
                                            const json::array& server_order,
                                            std::string_view merge_key) {
  for (const json::array* part : {&std::as_const(list), &order, &server_order}) {
    if (auto checked = CheckKeys(*part, merge_key); !checked) return checked;
  }
  const KeyIndex wanted_places(order, merge_key);
  const KeyIndex served_places(server_order, merge_key);
  std::vector<Ranked> wanted;
  std::vector<Ranked> server_only;
  for (json::value& element : list) {
    const json::value& key = *KeyOf(element, merge_key);
    const Ranked ranked{&element, wanted_places.Find(key), served_places.Find(key)};
    (ranked.wanted ? wanted : server_only).push_back(ranked);
  }
  SortBy(wanted, &Ranked::wanted);
  SortBy(server_only, &Ranked::served);
  for (std::vector<Ranked>* part : {&wanted, &server_only}) {
    std::ranges::stable_partition(*part, [](const Ranked& e) { return !IsDeletion(*e.value); });
  }

  json::array sorted;
  sorted.reserve(list.size());
  auto next = server_only.begin();
  for (const Ranked& element : wanted) {
    for (; next != server_only.end() && ComesBefore(*next, element); ++next) {
      sorted.push_back(std::move(*next->value));
    }
    sorted.push_back(std::move(*element.value));
  }
  for (; next != server_only.end(); ++next) sorted.push_back(std::move(*next->value));
  list = std::move(sorted);
  return {};
}

void UpdateServerOrder(json::array& server_order, const json::array& survivors,
                       const json::array& merged, std::string_view merge_key) {
  const size_t places = server_order.size();
  json::array order = survivors;
  const json::array now = KeysOnly(merged, merge_key);
  for (size_t i = survivors.size(); i < std::min(now.size(), places); ++i) order.push_back(now[i]);
  server_order = std::move(order);
}

}  // namespace berth::apiserver
