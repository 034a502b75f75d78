#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "apiserver/crd/format.h"
#include "apiserver/crd/node.h"
#include "apiserver/crd/structural.h"
#include "schema/report_limit.h"
#include "schema/validate.h"

namespace berth::apiserver {
namespace {

using schema::FieldPath;
using schema::Problems;
using schema::ProblemType;

bool IsInteger(const json::value& value) {
  return value.is_int64() || value.is_uint64() ||
         (value.is_double() && std::trunc(value.get_double()) == value.get_double());
}

std::string_view TypeName(const json::value& value) {
  if (value.is_object()) return "object";
  if (value.is_array()) return "array";
  if (value.is_string()) return "string";
  if (value.is_bool()) return "boolean";
  if (value.is_null()) return "null";
  return IsInteger(value) ? "integer" : "number";
}

// The value as text, or its type if too long for a message.
std::string Shown(const json::value& value) {
  constexpr size_t kLongest = 80;
  std::string text = json::Print(value);
  if (text.size() <= kLongest) return text;
  return std::string(TypeName(value));
}

double Number(const json::value& value) { return value.to_number<double>(); }

std::string Joined(const json::array& values) {
  std::string text;
  for (const json::value& value : values) text += (text.empty() ? "" : ", ") + Shown(value);
  return text;
}

class ValueCheck {
 public:
  explicit ValueCheck(const StructuralSchema& schema) : schema_(schema) {}

  void Visit(StructuralNode node, const json::value& value, bool is_root = false) {
    if (!node) return;
    if (value.is_null()) {
      if (!node.IsTrue("nullable") && !node.PreservesUnknown() && !node.type().empty()) {
        ReportType(node, value);
      }
      return;
    }
    if (!HasType(node, value)) return ReportType(node, value);
    CheckValue(node, value);
    if (const json::object* object = value.if_object()) VisitMembers(node, *object, is_root);
    if (const json::array* list = value.if_array()) VisitElements(node, *list);
  }

  Problems Take() { return std::move(problems_); }

 private:
  void Report(ProblemType type, std::string message) {
    if (limit_.is_reached()) return;
    problems_.push_back({.type = type, .field = path_.ToString(), .message = std::move(message)});
    limit_.Count(problems_.back().field.size() + problems_.back().message.size());
  }

  void ReportType(StructuralNode node, const json::value& value) {
    const std::string wanted =
        node.IsIntOrString() ? "integer or string" : std::string(node.type());
    Report(ProblemType::kTypeInvalid,
           "must be of type " + wanted + ", not " + std::string(TypeName(value)));
  }

  static bool HasType(StructuralNode node, const json::value& value) {
    if (node.IsIntOrString()) return value.is_string() || IsInteger(value);
    const std::string_view type = node.type();
    if (type == "integer") return IsInteger(value);
    if (type == "number") return value.is_number();
    return type.empty() || type == TypeName(value);
  }

  // The checks that also apply under allOf, anyOf, oneOf and not.
  void CheckValue(StructuralNode node, const json::value& value) {
    if (value.is_number()) CheckNumber(node, value);
    if (value.is_string()) CheckText(node, json::View(value.get_string()));
    if (const json::array* list = value.if_array()) CheckList(node, *list);
    if (const json::object* object = value.if_object()) CheckObject(node, *object);
    CheckEnum(node, value);
    CheckCombinations(node, value);
  }

  void CheckEnum(StructuralNode node, const json::value& value) {
    const json::array* allowed = node.List("enum");
    if (allowed == nullptr || std::ranges::find(*allowed, value) != allowed->end()) return;
    Report(ProblemType::kNotSupported, Shown(value) + " is not one of " + Joined(*allowed));
  }

  void CheckNumber(StructuralNode node, const json::value& value) {
    if (const json::value* minimum = Bound(node, "minimum")) {
      const bool is_exclusive = node.IsTrue("exclusiveMinimum");
      if (Number(value) < Number(*minimum) || (is_exclusive && Number(value) == Number(*minimum))) {
        Report(ProblemType::kInvalid, "should be greater than " +
                                          std::string(is_exclusive ? "" : "or equal to ") +
                                          Shown(*minimum) + ", not " + Shown(value));
      }
    }
    if (const json::value* maximum = Bound(node, "maximum")) {
      const bool is_exclusive = node.IsTrue("exclusiveMaximum");
      if (Number(value) > Number(*maximum) || (is_exclusive && Number(value) == Number(*maximum))) {
        Report(ProblemType::kInvalid, "should be less than " +
                                          std::string(is_exclusive ? "" : "or equal to ") +
                                          Shown(*maximum) + ", not " + Shown(value));
      }
    }
    if (const json::value* step = Bound(node, "multipleOf"); step != nullptr && Number(*step) > 0) {
      const double ratio = Number(value) / Number(*step);
      if (std::fabs(ratio - std::round(ratio)) > 1e-9) {
        Report(ProblemType::kInvalid, "should be a multiple of " + Shown(*step));
      }
    }
    CheckWidth(node, value);
  }

  void CheckWidth(StructuralNode node, const json::value& value) {
    const std::string_view format = node.Text("format");
    using Int32 = std::numeric_limits<int32_t>;
    const bool fits_32 = Number(value) >= Int32::min() && Number(value) <= Int32::max();
    if (format == "int32" && !fits_32) {
      Report(ProblemType::kInvalid, Shown(value) + " does not fit in int32");
    }
    if (format == "int64" && value.is_uint64()) {
      Report(ProblemType::kInvalid, Shown(value) + " does not fit in int64");
    }
  }

  static const json::value* Bound(StructuralNode node, std::string_view name) {
    const json::value* found = node.Find(name);
    return found != nullptr && found->is_number() ? found : nullptr;
  }

  static std::optional<size_t> Count(StructuralNode node, std::string_view name) {
    const json::value* found = Bound(node, name);
    if (found == nullptr || Number(*found) < 0) return std::nullopt;
    return static_cast<size_t>(std::min(Number(*found), 9e15));
  }

  void CheckText(StructuralNode node, std::string_view text) {
    const size_t length = schema::CharacterCount(text);
    if (const auto maximum = Count(node, "maxLength"); maximum && length > *maximum) {
      Report(ProblemType::kTooLong, "may not be more than " + std::to_string(*maximum) +
                                        " characters long, it has " + std::to_string(length));
    }
    if (const auto minimum = Count(node, "minLength"); minimum && length < *minimum) {
      Report(ProblemType::kInvalid,
             "should be at least " + std::to_string(*minimum) + " chars long");
    }
    const StructuralPattern* pattern = schema_.PatternOf(*node.object());
    if (pattern != nullptr && !pattern->Matches(text)) {
      Report(ProblemType::kInvalid, Shown(json::value(json::BoostView(text))) + " should match '" +
                                        std::string(node.Text("pattern")) + "'");
    }
    const std::string_view format = node.Text("format");
    if (!format.empty() && !HasFormat(text, format).value_or(true)) {
      Report(ProblemType::kInvalid,
             Shown(json::value(json::BoostView(text))) + " must be of type " + std::string(format));
    }
  }

  void CheckList(StructuralNode node, const json::array& list) {
    if (const auto maximum = Count(node, "maxItems"); maximum && list.size() > *maximum) {
      Report(ProblemType::kTooMany, "must have at most " + std::to_string(*maximum) +
                                        " items, it has " + std::to_string(list.size()));
    }
    if (const auto minimum = Count(node, "minItems"); minimum && list.size() < *minimum) {
      Report(ProblemType::kInvalid, "should have at least " + std::to_string(*minimum) +
                                        " items, it has " + std::to_string(list.size()));
    }
    CheckUnique(node, list);
  }

  // Elements of sets, and keys of list maps, must be unique.
  void CheckUnique(StructuralNode node, const json::array& list) {
    const std::string_view kind = node.Text("x-kubernetes-list-type");
    if (kind != "set" && kind != "map") return;
    std::set<std::string> seen;
    for (size_t i = 0; i < list.size(); ++i) {
      if (seen.insert(kind == "set" ? json::Print(list[i]) : KeysOf(node, list[i])).second) {
        continue;
      }
      path_.PushIndex(i);
      Report(ProblemType::kDuplicate, Shown(list[i]) + " is in the list already");
      path_.Pop();
    }
  }

  static std::string KeysOf(StructuralNode node, const json::value& element) {
    std::string text;
    const json::array* keys = node.List("x-kubernetes-list-map-keys");
    const json::object* object = element.if_object();
    if (keys == nullptr || object == nullptr) return json::Print(element);
    for (const json::value& key : *keys) {
      const json::value* value = key.is_string() ? object->if_contains(key.get_string()) : nullptr;
      text += (value == nullptr ? std::string("-") : json::Print(*value)) + ",";
    }
    return text;
  }

  void CheckObject(StructuralNode node, const json::object& object) {
    if (const auto maximum = Count(node, "maxProperties"); maximum && object.size() > *maximum) {
      Report(ProblemType::kTooMany, "must have at most " + std::to_string(*maximum) +
                                        " items, it has " + std::to_string(object.size()));
    }
    if (const auto minimum = Count(node, "minProperties"); minimum && object.size() < *minimum) {
      Report(ProblemType::kInvalid,
             "should have at least " + std::to_string(*minimum) + " properties");
    }
    const json::array* required = node.List("required");
    if (required == nullptr) return;
    for (const json::value& name : *required) {
      if (!name.is_string() || object.contains(name.get_string())) continue;
      path_.Push(json::View(name.get_string()));
      Report(ProblemType::kRequired, "this field is required");
      path_.Pop();
    }
  }

  void CheckCombinations(StructuralNode node, const json::value& value) {
    // anyOf of an int-or-string lists its two types, which were checked already.
    if (const json::array* all = node.List("allOf")) {
      for (const json::value& part : *all) VisitNested(StructuralNode(&part), value);
    }
    if (const json::array* any = node.List("anyOf"); any != nullptr && !node.IsIntOrString()) {
      if (!any->empty() && CountMatching(*any, value) == 0) {
        Report(ProblemType::kInvalid, "must validate at least one schema (anyOf)");
      }
    }
    if (const json::array* one = node.List("oneOf")) {
      if (!one->empty() && CountMatching(*one, value) != 1) {
        Report(ProblemType::kInvalid, "must validate one and only one schema (oneOf)");
      }
    }
    if (const StructuralNode inverse = node.Child("not"); inverse && Fits(inverse, value)) {
      Report(ProblemType::kInvalid, "must not validate the schema (not)");
    }
  }

  // A schema under allOf, anyOf, oneOf or not: its type is optional.
  void VisitNested(StructuralNode node, const json::value& value) {
    if (!node || value.is_null()) return;
    if (!HasType(node, value)) return ReportType(node, value);
    CheckValue(node, value);
    if (const json::object* object = value.if_object()) VisitMembers(node, *object, false);
    if (const json::array* list = value.if_array()) VisitElements(node, *list);
  }

  bool Fits(StructuralNode node, const json::value& value) const {
    ValueCheck check(schema_);
    check.VisitNested(node, value);
    return check.problems_.empty();
  }

  size_t CountMatching(const json::array& schemas, const json::value& value) const {
    return static_cast<size_t>(std::ranges::count_if(
        schemas, [&](const json::value& schema) { return Fits(StructuralNode(&schema), value); }));
  }

  void VisitMembers(StructuralNode node, const json::object& object, bool is_root) {
    if (node.IsEmbedded()) CheckEmbedded(object);
    for (const auto& member : object) {
      const std::string_view name = json::View(member.key());
      if ((is_root || node.IsEmbedded()) && name == "metadata") continue;
      const StructuralNode property = node.Property(name);
      if (property) {
        path_.Push(name);
      } else {
        path_.PushKey(name);
      }
      Visit(property ? property : node.Child("additionalProperties"), member.value());
      path_.Pop();
    }
  }

  // An embedded resource needs apiVersion and kind.
  void CheckEmbedded(const json::object& object) {
    for (const std::string_view name : {"apiVersion", "kind"}) {
      const json::value* found = object.if_contains(json::BoostView(name));
      if (found != nullptr && found->is_string() && !found->get_string().empty()) continue;
      path_.Push(name);
      Report(ProblemType::kRequired, "must not be empty");
      path_.Pop();
    }
  }

  void VisitElements(StructuralNode node, const json::array& list) {
    const StructuralNode items = node.Child("items");
    if (!items) return;
    for (size_t i = 0; i < list.size(); ++i) {
      path_.PushIndex(i);
      Visit(items, list[i]);
      path_.Pop();
    }
  }

  const StructuralSchema& schema_;
  FieldPath path_;
  Problems problems_;
  schema::ReportLimit limit_;
};

}  // namespace

Problems StructuralSchema::Validate(const json::value& object) const {
  ValueCheck check(*this);
  check.Visit(StructuralNode(schema_.get()), object, true);
  return check.Take();
}

}  // namespace berth::apiserver
