#include <map>
#include <set>

#include "apiserver/apply/merge_place.h"
#include "apiserver/apply/merge_tree.h"

namespace berth::apiserver {
namespace {

// Collects the fields an object sets.
class FieldWalk {
 public:
  explicit FieldWalk(const SchemaView& schema) : schema_(schema) {}

  void Visit(const SchemaNode& node, const json::value& value) {
    switch (FormOf(node, value)) {
      case Form::kLeaf:
        set_.Insert(path_);
        return;
      case Form::kList:
        if (value.is_array()) VisitList(node, value.get_array());
        return;
      case Form::kMap:
        if (value.is_object()) VisitMap(node, value.get_object());
        return;
    }
  }

  FieldSet Take() { return std::move(set_); }

 private:
  void VisitMap(const SchemaNode& node, const json::object& object) {
    for (const auto& member : object) {
      const SchemaNode child = MemberNode(schema_, node, json::View(member.key()));
      const json::value& value = member.value();
      path_.push_back(MemberStep(json::View(member.key())));
      Visit(child, value);
      const bool is_empty_object = value.is_object() && value.get_object().empty();
      if (value.is_null() || is_empty_object || !child.is_named) set_.Insert(path_);
      path_.pop_back();
    }
  }

  // Duplicate elements are owned as a unit.
  void VisitList(const SchemaNode& node, const json::array& list) {
    std::map<PathStep, int> count;
    for (const json::value& element : list) {
      if (const auto step = StepTo(schema_, node, element)) ++count[*step];
    }
    const SchemaNode child = ElementNode(schema_, node);
    for (const json::value& element : list) {
      const auto step = StepTo(schema_, node, element);
      if (!step) continue;
      path_.push_back(*step);
      if (count[*step] == 1) Visit(child, element);
      set_.Insert(path_);
      path_.pop_back();
    }
  }

  const SchemaView& schema_;
  FieldPath path_;
  FieldSet set_;
};

class AppliedCheck {
 public:
  explicit AppliedCheck(const SchemaView& schema) : schema_(schema) {}

  void Visit(const SchemaNode& node, const json::value& value) {
    if (value.is_null()) return;
    switch (node.shape) {
      case SchemaNode::Shape::kAny:
        return;
      case SchemaNode::Shape::kScalar:
        if (value.is_object() || value.is_array()) Report("expected a plain value");
        return;
      case SchemaNode::Shape::kList:
        return value.is_array() ? VisitList(node, value.get_array()) : Report("expected a list");
      case SchemaNode::Shape::kMap:
        return value.is_object() ? VisitMap(node, value.get_object())
                                 : Report("expected an object");
    }
  }

  const std::string& message() const { return message_; }

 private:
  void VisitMap(const SchemaNode& node, const json::object& object) {
    for (const auto& member : object) {
      path_.push_back(MemberStep(json::View(member.key())));
      if (const auto child = schema_.Member(node, json::View(member.key()))) {
        Visit(*child, member.value());
      } else {
        Report("field not declared in schema");
      }
      path_.pop_back();
    }
  }

  void VisitList(const SchemaNode& node, const json::array& list) {
    const SchemaNode child = schema_.Element(node);
    std::set<PathStep> seen;
    for (size_t i = 0; i < list.size(); ++i) {
      path_.push_back("i:" + std::to_string(i));
      if (!node.is_atomic) CheckStep(node, list[i], seen);
      Visit(child, list[i]);
      path_.pop_back();
    }
  }

  void CheckStep(const SchemaNode& node, const json::value& element, std::set<PathStep>& seen) {
    const auto step = StepTo(schema_, node, element);
    if (!step) {
      std::string keys;
      for (const std::string_view key : node.keys)
        keys += (keys.empty() ? "" : ", ") + std::string(key);
      Report(keys.empty() ? "the elements of a set must be plain values"
                          : "an element of this list must be an object with " + keys);
    } else if (!seen.insert(*step).second) {
      Report("duplicate entries for key " + ToString(FieldPath{*step}));
    }
  }

  void Report(std::string_view problem) {
    if (!message_.empty()) message_ += "; ";
    message_ +=
        path_.empty() ? std::string(problem) : ToString(path_) + ": " + std::string(problem);
  }

  const SchemaView& schema_;
  FieldPath path_;
  std::string message_;
};

FieldSet AddNamed(const SchemaView& schema, const SchemaNode& node, const FieldSet& set) {
  FieldSet result;
  for (const auto& [step, entry] : set.nodes()) {
    const bool is_member = step.starts_with("f:");
    SchemaNode child;
    if (is_member) child = MemberNode(schema, node, std::string_view(step).substr(2));
    if (!is_member) child = ElementNode(schema, node);
    FieldSet::Node& added = result.nodes()[step];
    added.below = AddNamed(schema, child, entry.below);
    added.is_member = entry.is_member || (child.is_named && !entry.below.empty());
  }
  return result;
}

}  // namespace

base::Result<void> CheckApplied(const SchemaView& schema, const json::value& object) {
  AppliedCheck check(schema);
  check.Visit(schema.Root(), object);
  if (check.message().empty()) return {};
  return base::Fail(check.message());
}

FieldSet FieldsOf(const SchemaView& schema, const json::value& object) {
  FieldWalk walk(schema);
  walk.Visit(schema.Root(), object);
  return walk.Take();
}

FieldSet WithNamedFields(const SchemaView& schema, const FieldSet& set) {
  return AddNamed(schema, schema.Root(), set);
}

}  // namespace berth::apiserver
