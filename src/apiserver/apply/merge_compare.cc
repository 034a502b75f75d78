#include <map>

#include "apiserver/apply/merge_place.h"
#include "apiserver/apply/merge_tree.h"
#include "json/same.h"

namespace berth::apiserver {
namespace {

class CompareWalk {
 public:
  explicit CompareWalk(const SchemaView& schema) : schema_(schema) {}

  // Null means absent; at least one is present.
  void Visit(const SchemaNode& node, const json::value* before, const json::value* after) {
    if (before != nullptr && after != nullptr && FormOf(node, *before) != FormOf(node, *after)) {
      VisitParts(node, before, nullptr);
      VisitParts(node, nullptr, after);
      result_.modified.Insert(path_);
      return;
    }
    if (before == nullptr) return result_.added.Insert(path_, PartsOf(node, *after));
    if (after == nullptr) return result_.removed.Insert(path_, PartsOf(node, *before));
    const bool is_leaf = FormOf(node, *before) == Form::kLeaf;
    if (!is_leaf && !(IsEmpty(before) && IsEmpty(after))) return VisitParts(node, before, after);
    if (!json::Same(*before, *after)) result_.modified.Insert(path_);
  }

  Comparison Take() { return std::move(result_); }

 private:
  // All fields of a value present on one side only.
  FieldSet PartsOf(const SchemaNode& node, const json::value& value) {
    FieldSet parts;
    const Form form = FormOf(node, value);
    const auto add = [&](PathStep step, const SchemaNode& child, const json::value& part) {
      parts.nodes().emplace(std::move(step), FieldSet::Node{true, PartsOf(child, part)});
    };
    if (form == Form::kMap && value.is_object()) {
      for (const auto& member : value.get_object())
        add(MemberStep(json::View(member.key())),
            MemberNode(schema_, node, json::View(member.key())), member.value());
    }
    if (form == Form::kList && value.is_array()) {
      std::map<PathStep, Pair> pairs;
      Gather(node, &value.get_array(), &Pair::after, pairs);
      const SchemaNode child = ElementNode(schema_, node);
      for (const auto& [step, pair] : pairs) {
        if (pair.after.size() == 1)
          add(step, child, *pair.after.front());
        else
          parts.nodes()[step].is_member = true;
      }
    }
    return parts;
  }

  void VisitParts(const SchemaNode& node, const json::value* before, const json::value* after) {
    const Form form = FormOf(node, before != nullptr ? *before : *after);
    if (form == Form::kMap) VisitMap(node, ObjectIn(before), ObjectIn(after));
    if (form == Form::kList) VisitList(node, ArrayIn(before), ArrayIn(after));
  }

  void VisitMap(const SchemaNode& node, const json::object* before, const json::object* after) {
    const auto visit = [&](json::string_view name, const json::value* a, const json::value* b) {
      // Most members are equal: skip them without descending.
      if (a != nullptr && b != nullptr && json::Same(*a, *b)) return;
      path_.push_back(MemberStep(json::View(name)));
      Visit(MemberNode(schema_, node, json::View(name)), a, b);
      path_.pop_back();
    };
    if (before != nullptr) {
      for (const auto& member : *before) {
        visit(member.key(), &member.value(),
              after == nullptr ? nullptr : after->if_contains(member.key()));
      }
    }
    if (after == nullptr) return;
    for (const auto& member : *after) {
      if (before != nullptr && before->contains(member.key())) continue;
      visit(member.key(), nullptr, &member.value());
    }
  }

  // The elements with one identity, before and after; several if duplicated.
  struct Pair {
    std::vector<const json::value*> before;
    std::vector<const json::value*> after;
  };

  void VisitList(const SchemaNode& node, const json::array* before, const json::array* after) {
    std::map<PathStep, Pair> pairs;
    Gather(node, before, &Pair::before, pairs);
    Gather(node, after, &Pair::after, pairs);
    const SchemaNode child = ElementNode(schema_, node);
    for (const auto& [step, pair] : pairs) {
      path_.push_back(step);
      VisitElements(child, pair);
      path_.pop_back();
    }
  }

  void Gather(const SchemaNode& node, const json::array* list,
              std::vector<const json::value*> Pair::* side, std::map<PathStep, Pair>& pairs) {
    if (list == nullptr) return;
    for (const json::value& element : *list) {
      if (const auto step = StepTo(schema_, node, element)) {
        (pairs[*step].*side).push_back(&element);
      }
    }
  }

  // Duplicates are compared as a unit.
  void VisitElements(const SchemaNode& node, const Pair& pair) {
    const auto first = [](const auto& list) { return list.empty() ? nullptr : list.front(); };
    if (pair.before.size() <= 1 && pair.after.size() <= 1) {
      Visit(node, first(pair.before), first(pair.after));
    } else if (pair.before.size() >= 2 && pair.after.size() >= 2) {
      const bool is_same = std::ranges::equal(
          pair.before, pair.after,
          [](const json::value* a, const json::value* b) { return json::Same(*a, *b); });
      if (!is_same) result_.modified.Insert(path_);
    } else if (pair.before.size() >= 2) {
      if (!pair.after.empty()) Visit(node, nullptr, pair.after.front());
      result_.removed.Insert(path_);
    } else {
      if (!pair.before.empty()) Visit(node, pair.before.front(), nullptr);
      result_.added.Insert(path_);
    }
  }

  const SchemaView& schema_;
  FieldPath path_;
  Comparison result_;
};

}  // namespace

Comparison CompareTrees(const SchemaView& schema, const json::value& before,
                        const json::value& after) {
  CompareWalk walk(schema);
  walk.Visit(schema.Root(), &before, &after);
  return walk.Take();
}

}  // namespace berth::apiserver
