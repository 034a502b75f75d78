#include <algorithm>
#include <set>
#include <utility>

#include "apiserver/patch/list.h"
#include "apiserver/patch/patch.h"
#include "apiserver/patch/schema.h"
#include "json/erase.h"

namespace berth::apiserver {
namespace {

constexpr std::string_view kOrderPrefix = "$setElementOrder";
constexpr std::string_view kDeletePrefix = "$deleteFromPrimitiveList";

std::unexpected<PatchError> NoList(std::string_view name) {
  return RefusePatch(PatchFault::kOther, std::string(name) + " must be a list");
}

// The list name in "$setElementOrder/finalizers".
std::expected<std::string, PatchError> ListName(std::string_view key, std::string_view prefix) {
  if (key.substr(0, prefix.size() + 1) == std::string(prefix) + "/") {
    return std::string(key.substr(prefix.size() + 1));
  }
  return RefusePatch(PatchFault::kOther, "write " + std::string(prefix) +
                                             "/ and the name of a list, not " + std::string(key));
}

// Removes null members at any depth.
void DropNulls(json::value& value) {
  if (json::array* list = value.if_array()) {
    for (json::value& element : *list) DropNulls(element);
  } else if (json::object* object = value.if_object()) {
    json::EraseMembers(*object, [](json::key_value_pair& member) {
      if (!member.value().is_null()) DropNulls(member.value());
      return member.value().is_null();
    });
  }
}

// Removes objects with a $patch directive at any depth. False if the value itself is one.
bool DropDirectives(json::value& value) {
  if (json::array* list = value.if_array()) {
    json::array kept;
    for (json::value& element : *list) {
      if (DropDirectives(element)) kept.push_back(std::move(element));
    }
    *list = std::move(kept);
  } else if (json::object* object = value.if_object()) {
    if (object->contains(kPatchMarker)) return false;
    json::EraseMembers(
        *object, [](json::key_value_pair& member) { return !DropDirectives(member.value()); });
  }
  return true;
}

class StrategicMerge {
 public:
  using Step = std::expected<void, PatchError>;

  // Merges the patch into the object, in place.
  Step Merge(json::object& original, json::object patch, PatchSchema schema) {
    if (const json::value* directive = patch.if_contains(kPatchMarker)) {
      return Direct(original, patch, *directive);
    }
    if (Step done = RetainKeys(original, patch); !done) return done;
    Names merged, nulled;
    if (Step done = MergeOrderedLists(original, patch, schema, merged); !done) return done;
    for (auto& member : patch) {
      if (merged.contains(json::View(member.key()))) continue;
      if (Step done =
              MergeMember(original, json::View(member.key()), member.value(), schema, nulled);
          !done) {
        return done;
      }
    }
    if (nulled.empty()) return {};
    json::EraseMembers(original, [&](const json::key_value_pair& member) {
      return nulled.contains(json::View(member.key()));
    });
    return {};
  }

 private:
  using Names = std::set<std::string, std::less<>>;

  static Step Direct(json::object& original, json::object& patch, const json::value& directive) {
    if (directive == "delete") {
      original.clear();
    } else if (directive == "replace") {
      patch.stable_erase(kPatchMarker);
      original = std::move(patch);
    } else {
      return RefusePatch(PatchFault::kDirective, "$patch is " + json::Print(directive) +
                                                     "; in an object it can be replace or delete");
    }
    return {};
  }

  // $retainKeys: removes every member that it does not list.
  static Step RetainKeys(json::object& original, json::object& patch) {
    const auto found = patch.find("$retainKeys");
    if (found == patch.end()) return {};
    const json::value keys = std::move(found->value());
    patch.stable_erase(found);
    if (!keys.is_array()) {
      return RefusePatch(PatchFault::kRetainKeys, "$retainKeys is a list of names");
    }
    std::set<std::string_view> retained;
    for (const json::value& key : keys.get_array())
      if (key.is_string()) retained.insert(json::View(key.get_string()));
    const auto retains = [&](json::string_view name) {
      return retained.contains(json::View(name));
    };
    for (const auto& member : patch) {
      const std::string_view name = json::View(member.key());
      if (member.value().is_null() || name.starts_with(kDeletePrefix) ||
          name.starts_with(kOrderPrefix) || retains(member.key())) {
        continue;
      }
      return RefusePatch(PatchFault::kRetainKeys, "the patch sets " + std::string(name) +
                                                      " but its $retainKeys does not name it");
    }
    json::EraseMembers(original,
                       [&](const json::key_value_pair& member) { return !retains(member.key()); });
    return {};
  }

  // Processes every $setElementOrder with its list and adds the names of both to `merged`.
  Step MergeOrderedLists(json::object& original, json::object& patch, PatchSchema schema,
                         Names& merged) {
    std::vector<std::string> keys;
    for (const auto& member : patch) {
      if (json::View(member.key()).starts_with(kOrderPrefix))
        keys.emplace_back(json::View(member.key()));
    }
    for (const std::string& key : keys) {
      const json::value order = std::move(patch.at(key));
      if (!order.is_array()) return NoList(key);
      const auto name = ListName(key, kOrderPrefix);
      if (!name) return std::unexpected(name.error());
      if (name->starts_with(kOrderPrefix))
        return RefusePatch(PatchFault::kOther, key + " names an order; write the name of a list");
      if (Step done = MergeOrdered(original, patch, *name, order.get_array(), schema); !done) {
        return done;
      }
      merged.insert({key, *name});
    }
    return {};
  }

  Step MergeOrdered(json::object& original, json::object& patch, const std::string& name,
                    const json::array& order, PatchSchema schema) {
    json::value* current = original.if_contains(name);
    json::value* wanted = patch.if_contains(name);
    if (current != nullptr && !current->is_array()) return NoList(name);
    if (wanted != nullptr && !wanted->is_array()) return NoList(name);
    const PatchSchema::Child child = schema.Enter(name);
    const json::array nothing;
    if (Step done =
            CheckOrder(wanted == nullptr ? nothing : wanted->get_array(), order, child.merge_key);
        !done) {
      return done;
    }
    if (current == nullptr && wanted == nullptr) return {};

    json::array server_order = current == nullptr ? json::array() : current->get_array();
    const Step elements =
        CheckElements(name, server_order, wanted == nullptr ? nothing : wanted->get_array());
    if (current == nullptr) {
      DropDirectives(*wanted);
      current = &original.emplace(name, std::move(*wanted)).first->value();
    } else if (wanted != nullptr) {
      Step done = MergeList(*current, std::move(wanted->get_array()), child, &server_order);
      if (!done) return done;
    }
    if (!elements) return elements;
    return SortByOrder(current->get_array(), order, server_order, child.merge_key);
  }

  static Step CheckElements(const std::string& name, const json::array& a, const json::array& b) {
    if (a.empty() && b.empty()) {
      return RefusePatch(PatchFault::kOrderOnEmpty,
                         "$setElementOrder/" + name +
                             " orders a list that has no elements; leave it "
                             "out");
    }
    const auto kind = ElementKindOf(a, b);
    if (!kind) return std::unexpected(kind.error());
    return {};
  }

  // Adds the name of a member to erase to `nulled`.
  Step MergeMember(json::object& original, std::string_view key, json::value& value,
                   PatchSchema schema, Names& nulled) {
    const bool is_deletion = key.starts_with(kDeletePrefix);
    std::string name(key);
    if (is_deletion) {
      auto list = ListName(key, kDeletePrefix);
      if (!list) return std::unexpected(list.error());
      if (!list->empty()) name = *std::move(list);
    }
    const auto current = original.find(name);
    if (value.is_null()) {
      nulled.insert(std::move(name));
      return {};
    }
    if (current == original.end()) {
      DropNulls(value);
      if (!is_deletion && DropDirectives(value)) original.emplace(name, std::move(value));
      return {};
    }
    if (!AreMergeable(current->value(), value)) {
      if (is_deletion) return {};
      DropNulls(value);
      if (DropDirectives(value))
        current->value() = std::move(value);
      else
        nulled.insert(std::move(name));
      return {};
    }
    return MergeValue(current->value(), value, schema.Enter(name), is_deletion);
  }

  static bool AreMergeable(const json::value& current, const json::value& value) {
    return (current.is_object() && value.is_object()) || (current.is_array() && value.is_array());
  }

  Step MergeValue(json::value& current, json::value& value, const PatchSchema::Child& child,
                  bool is_deletion) {
    if (current.is_object()) {
      return Merge(current.get_object(), std::move(value.get_object()), child.schema);
    }
    if (!is_deletion) return MergeList(current, std::move(value.get_array()), child, nullptr);
    return DeleteElements(current.get_array(), std::move(value.get_array()), child);
  }

  Step DeleteElements(json::array& list, json::array patch, const PatchSchema::Child& child) {
    if (list.empty() && patch.empty()) return {};
    const auto elements = ElementKindOf(list, patch);
    if (!elements) return std::unexpected(elements.error());
    if (*elements == ElementKind::kObject) {
      return MergeObjects(list, std::move(patch), child, nullptr);
    }
    DeleteFromList(list, patch);
    return {};
  }

  // Merges a list or replaces it. `server_order`, if given, is updated to the order of elements
  // that only the server has.
  Step MergeList(json::value& current, json::array patch, const PatchSchema::Child& child,
                 json::array* server_order) {
    json::array& list = current.get_array();
    if (!child.is_merged) {
      list = std::move(patch);
      return {};
    }
    if (list.empty() && patch.empty()) return {};
    const auto elements = ElementKindOf(list, patch);
    if (!elements) return std::unexpected(elements.error());
    if (*elements == ElementKind::kScalar) return MergeScalarLists(list, patch);
    return MergeObjects(list, std::move(patch), child, server_order);
  }

  Step MergeObjects(json::array& list, json::array patch, const PatchSchema::Child& child,
                    json::array* server_order) {
    if (child.merge_key.empty()) return NoMergeKeyKnown();
    auto directed = ApplyDirectives(list, std::move(patch), child.merge_key);
    if (!directed) return std::unexpected(directed.error());
    json::array& additions = *directed;

    KeyIndex index(list, child.merge_key);
    const json::array order = KeysOnly(additions, child.merge_key);
    const json::array survivors = KeysOnly(list, child.merge_key);
    for (json::value& addition : additions) {
      const json::value* key = addition.get_object().if_contains(json::BoostView(child.merge_key));
      if (key == nullptr) return NoMergeKey(child.merge_key);
      if (const auto at = index.Find(*key)) {
        Step done = Merge(list[*at].get_object(), std::move(addition.get_object()), child.schema);
        if (!done) return done;
      } else {
        index.Add(*key, list.size());
        list.push_back(std::move(addition));
      }
    }
    if (server_order != nullptr) UpdateServerOrder(*server_order, survivors, list, child.merge_key);
    return SortByOrder(list, order, survivors, child.merge_key);
  }
};

}  // namespace

PatchResult ApplyStrategicPatch(json::value original, json::value patch,
                                const schema::Struct& (*structure)()) {
  if (!original.is_object() && !original.is_null()) {
    return RefusePatch(PatchFault::kBadJson, "only objects can be patched");
  }
  if (!patch.is_object() && !patch.is_null()) {
    return RefusePatch(PatchFault::kBadJson, "a strategic merge patch must be an object");
  }
  if (original.is_null()) original = json::object();
  if (patch.is_null()) return original;
  const schema::Type root{.shape = schema::Shape::kStruct, .structure = structure};
  StrategicMerge merge;
  const auto done =
      merge.Merge(original.get_object(), std::move(patch.get_object()), PatchSchema(&root));
  if (!done) return std::unexpected(done.error());
  return original;
}

}  // namespace berth::apiserver
