#include <algorithm>

#include "apiserver/crd/node.h"
#include "apiserver/crd/structural.h"
#include "json/erase.h"
#include "schema/report_limit.h"

namespace berth::apiserver {
namespace {

class PruneWalk {
 public:
  // Fields under preserve-unknown-fields are visited only where the schema specifies them.
  void Visit(StructuralNode node, json::value& value, bool is_resource) {
    if (json::object* object = value.if_object()) {
      VisitObject(node, *object, is_resource || node.IsEmbedded());
    } else if (json::array* list = value.if_array()) {
      VisitList(node, *list);
    }
  }

  std::vector<std::string> Take() {
    std::ranges::sort(unknown_);
    return std::move(unknown_);
  }

 private:
  void Report() {
    if (limit_.is_reached()) return;
    unknown_.push_back(path_);
    limit_.Count(path_.size());
  }

  void VisitObject(StructuralNode node, json::object& object, bool is_resource) {
    json::EraseMembers(object, [&](json::key_value_pair& member) {
      const std::string_view name = json::View(member.key());
      const StructuralNode property = node.Property(name);
      const bool is_kept =
          (is_resource && IsMetaField(name)) || node.PreservesUnknown() || node.AllowsAdditional();
      const size_t length = path_.size();
      path_ += (path_.empty() ? "" : ".") + std::string(name);
      const bool is_unknown = !property && !is_kept;
      if (is_unknown)
        Report();
      else
        VisitMember(node, property, member.value(), is_resource && IsMetaField(name));
      path_.resize(length);
      return is_unknown;
    });
  }

  void VisitMember(StructuralNode node, StructuralNode property, json::value& value, bool is_meta) {
    if (is_meta) return;
    if (property) {
      Visit(property, value, false);
    } else if (const StructuralNode additional = node.Child("additionalProperties")) {
      Visit(additional, value, false);
    } else if (!node.PreservesUnknown()) {
      Visit(StructuralNode(), value, false);
    }
  }

  void VisitList(StructuralNode node, json::array& list) {
    const StructuralNode items = node.Child("items");
    if (!items && node.PreservesUnknown()) return;
    const size_t length = path_.size();
    for (size_t i = 0; i < list.size(); ++i) {
      path_ += "[" + std::to_string(i) + "]";
      Visit(items, list[i], false);
      path_.resize(length);
    }
  }

  std::string path_;
  std::vector<std::string> unknown_;
  schema::ReportLimit limit_;
};

bool IsForbiddenNull(const json::value& value, StructuralNode node) {
  return value.is_null() && node && !node.IsTrue("nullable");
}

// Fills in defaults, up to a number of bytes as printed.
class DefaultWalk {
 public:
  explicit DefaultWalk(size_t most_bytes) : left_(most_bytes) {}

  // False if there are more bytes.
  bool Fill(StructuralNode node, json::value& value) {
    if (!node) return true;
    if (json::object* object = value.if_object()) return FillObject(node, *object);
    json::array* list = value.if_array();
    const StructuralNode items = node.Child("items");
    if (list == nullptr || !items) return true;
    return std::ranges::all_of(*list, [&](json::value& element) {
      return FillNull(items, element) && Fill(items, element);
    });
  }

 private:
  bool Spend(const json::value& standard) {
    const size_t bytes = json::Print(standard).size();
    if (bytes > left_) return false;
    left_ -= bytes;
    return true;
  }

  bool FillNull(StructuralNode node, json::value& value) {
    const json::value* standard = node.Find("default");
    if (standard == nullptr || !IsForbiddenNull(value, node)) return true;
    if (!Spend(*standard)) return false;
    value = *standard;
    return true;
  }

  bool FillAbsent(const json::object& properties, json::object& object) {
    for (const auto& member : properties) {
      const StructuralNode property(&member.value());
      const json::value* standard = property.Find("default");
      if (standard == nullptr || standard->is_null()) continue;
      const json::value* current = object.if_contains(member.key());
      if (current != nullptr && !IsForbiddenNull(*current, property)) continue;
      if (!Spend(*standard)) return false;
      object.insert_or_assign(member.key(), *standard);
    }
    return true;
  }

  bool FillObject(StructuralNode node, json::object& object) {
    const json::object* properties = node.Members("properties");
    if (properties != nullptr && !FillAbsent(*properties, object)) return false;
    const StructuralNode additional = node.Child("additionalProperties");
    return std::ranges::all_of(object, [&](json::key_value_pair& member) {
      const StructuralNode property = node.Property(json::View(member.key()));
      if (property) return Fill(property, member.value());
      if (!additional) return true;
      return FillNull(additional, member.value()) && Fill(additional, member.value());
    });
  }

  size_t left_;
};

// Null members that are neither nullable nor defaulted count as absent.
void DropForbiddenNulls(StructuralNode node, json::value& value) {
  if (!node) return;
  if (json::array* list = value.if_array()) {
    for (json::value& element : *list) DropForbiddenNulls(node.Child("items"), element);
    return;
  }
  json::object* object = value.if_object();
  if (object == nullptr) return;
  json::EraseMembers(*object, [&](json::key_value_pair& member) {
    const StructuralNode property = node.Property(json::View(member.key()));
    const StructuralNode child = property ? property : node.Child("additionalProperties");
    const bool is_forbidden = IsForbiddenNull(member.value(), child);
    if (!is_forbidden) DropForbiddenNulls(child, member.value());
    return is_forbidden;
  });
}

}  // namespace

StructuralSchema::StructuralSchema(std::shared_ptr<const json::value> openapi_schema)
    : schema_(openapi_schema != nullptr
                  ? std::move(openapi_schema)
                  : std::make_shared<const json::value>(json::value{
                        {"type", "object"}, {"x-kubernetes-preserve-unknown-fields", true}})) {
  CompilePatterns(*schema_);
}

void StructuralSchema::CompilePatterns(const json::value& schema) {
  if (const json::array* list = schema.if_array()) {
    for (const json::value& element : *list) CompilePatterns(element);
    return;
  }
  const json::object* object = schema.if_object();
  if (object == nullptr) return;
  const StructuralNode node(object);
  if (!node.Text("pattern").empty()) {
    auto pattern = StructuralPattern::Compile(node.Text("pattern"));
    if (pattern) patterns_.emplace(object, *std::move(pattern));
  }
  for (const auto& member : *object) CompilePatterns(member.value());
}

const StructuralPattern* StructuralSchema::PatternOf(const json::object& schema) const {
  const auto found = patterns_.find(&schema);
  return found == patterns_.end() ? nullptr : &found->second;
}

std::vector<std::string> StructuralSchema::Prune(json::value& object) const {
  PruneWalk walk;
  walk.Visit(StructuralNode(schema_.get()), object, true);
  return walk.Take();
}

bool StructuralSchema::Default(json::value& object, size_t most_bytes) const {
  if (!DefaultWalk(most_bytes).Fill(StructuralNode(schema_.get()), object)) return false;
  DropForbiddenNulls(StructuralNode(schema_.get()), object);
  return true;
}

}  // namespace berth::apiserver
