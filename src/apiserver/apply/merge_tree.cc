#include "apiserver/apply/merge_tree.h"

#include <algorithm>
#include <map>
#include <set>

#include "apiserver/apply/merge_place.h"

namespace berth::apiserver {
namespace {

// A list element and its path step.
struct Element {
  PathStep step;
  const json::value* value;
};

class MergeWalk {
 public:
  explicit MergeWalk(const SchemaView& schema) : schema_(schema) {}

  // Null means absent; at least one is present.
  json::value Merge(const SchemaNode& node, const json::value* live, const json::value* applied) {
    if (live == nullptr) return *applied;
    if (applied == nullptr) return *live;
    const Form form = FormOf(node, *applied);
    if (form != FormOf(node, *live) || form == Form::kLeaf) return *applied;
    if (IsEmpty(live) || IsEmpty(applied))
      return IsEmpty(applied) && !IsEmpty(live) ? *live : *applied;
    if (form == Form::kMap) return MergeMaps(node, live->get_object(), applied->get_object());
    return MergeLists(node, live->get_array(), applied->get_array());
  }

 private:
  json::object MergeMaps(const SchemaNode& node, const json::object& live,
                         const json::object& applied) {
    json::object merged;
    for (const auto& member : live) {
      const SchemaNode child = MemberNode(schema_, node, json::View(member.key()));
      merged.emplace(member.key(),
                     Merge(child, &member.value(), applied.if_contains(member.key())));
    }
    for (const auto& member : applied) {
      if (!live.contains(member.key())) merged.emplace(member.key(), member.value());
    }
    return merged;
  }

  std::vector<Element> Elements(const SchemaNode& node, const json::array& list) {
    std::vector<Element> elements;
    for (const json::value& value : list) {
      if (auto step = StepTo(schema_, node, value)) elements.push_back({*std::move(step), &value});
    }
    return elements;
  }

  // Shared elements follow the order of `applied`. An element only in the live list stays before
  // the shared element it preceded, as far as that order allows.
  json::array MergeLists(const SchemaNode& node, const json::array& live,
                         const json::array& applied) {
    const std::vector<Element> old_elements = Elements(node, live);
    const std::vector<Element> new_elements = Elements(node, applied);
    std::map<PathStep, std::vector<const json::value*>> old_by_step;
    for (const Element& element : old_elements) old_by_step[element.step].push_back(element.value);
    std::set<PathStep> applied_steps;
    for (const Element& element : new_elements) applied_steps.insert(element.step);

    const SchemaNode child = ElementNode(schema_, node);
    std::set<PathStep> merged;
    json::array out;
    const auto take_applied = [&](const Element& element) {
      merged.insert(element.step);
      const auto found = old_by_step.find(element.step);
      // A duplicate in the live list is replaced, not merged.
      const bool is_single = found != old_by_step.end() && found->second.size() == 1;
      out.push_back(Merge(child, is_single ? found->second.front() : nullptr, element.value));
    };
    size_t next = 0;
    size_t next_shared = 0;  // the first element at or after `next` that the live list has, too
    for (const Element& element : old_elements) {
      if (!applied_steps.contains(element.step)) {
        out.push_back(*element.value);
        continue;
      }
      for (next_shared = std::max(next, next_shared);
           next_shared < new_elements.size() &&
           !old_by_step.contains(new_elements[next_shared].step);) {
        ++next_shared;
      }
      if (merged.contains(element.step) || next_shared == new_elements.size() ||
          new_elements[next_shared].step != element.step) {
        continue;
      }
      while (new_elements[next].step != element.step) take_applied(new_elements[next++]);
      take_applied(new_elements[next++]);
    }
    while (next < new_elements.size()) take_applied(new_elements[next++]);
    return out;
  }

  const SchemaView& schema_;
};

class RemoveWalk {
 public:
  RemoveWalk(const SchemaView& schema, Emptied emptied) : schema_(schema), emptied_(emptied) {}

  json::value Remove(const SchemaNode& node, const json::value& value, const FieldSet& set) {
    switch (FormOf(node, value)) {
      case Form::kMap:
        return value.is_object() ? RemoveFromMap(node, value.get_object(), set) : value;
      case Form::kList:
        return value.is_array() ? RemoveFromList(node, value.get_array(), set) : value;
      case Form::kLeaf:
        break;
    }
    // The set names a descendant of an atomic value: remove the whole value.
    if (value.is_object()) return OrEmptied(json::object());
    if (value.is_array()) return OrEmptied(json::array());
    return value;
  }

 private:
  template <class Container>
  json::value OrEmptied(Container kept) const {
    if (kept.empty() && emptied_ == Emptied::kNull) return nullptr;
    return kept;
  }

  json::value RemoveFromMap(const SchemaNode& node, const json::object& object,
                            const FieldSet& set) {
    json::object kept;
    for (const auto& member : object) {
      const PathStep step = MemberStep(json::View(member.key()));
      if (set.Has(step)) continue;
      const FieldSet* below = set.Below(step);
      const SchemaNode child = MemberNode(schema_, node, json::View(member.key()));
      kept.emplace(member.key(),
                   below == nullptr ? member.value() : Remove(child, member.value(), *below));
    }
    return OrEmptied(std::move(kept));
  }

  json::value RemoveFromList(const SchemaNode& node, const json::array& list, const FieldSet& set) {
    const SchemaNode child = ElementNode(schema_, node);
    json::array kept;
    for (const json::value& element : list) {
      const auto step = StepTo(schema_, node, element);
      if (step && set.Has(*step)) continue;
      const FieldSet* below = step ? set.Below(*step) : nullptr;
      kept.push_back(below == nullptr ? element : Remove(child, element, *below));
    }
    return OrEmptied(std::move(kept));
  }

  const SchemaView& schema_;
  Emptied emptied_;
};

}  // namespace

json::value MergeTrees(const SchemaView& schema, const json::value& live,
                       const json::value& applied) {
  return MergeWalk(schema).Merge(schema.Root(), &live, &applied);
}

json::value RemoveFields(const SchemaView& schema, const json::value& object, const FieldSet& set,
                         Emptied emptied) {
  return RemoveWalk(schema, emptied).Remove(schema.Root(), object, set);
}

}  // namespace berth::apiserver
