#include "schema/validate.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "base/suggest.h"
#include "schema/access.h"
#include "schema/decode_messages.h"
#include "schema/report_limit.h"

namespace berth::schema {
namespace {

std::string Join(std::span<const std::string_view> words) {
  std::string text;
  for (std::string_view word : words) text += (text.empty() ? "" : ", ") + Quoted(word);
  return text;
}

// First pass: constraints on single values.
class BoundsCheck {
 public:
  explicit BoundsCheck(Problems& problems) : problems_(problems) {}

  void CheckStruct(const Struct& type, const void* self) {
    for (const Field& field : type.fields) {
      if (field.is_previous || field.member == nullptr) continue;
      path_.Push(field.name);
      CheckField(field, self);
      path_.Pop();
    }
  }

 private:
  void CheckField(const Field& field, const void* self) {
    const void* value = ValueOf(field, self);
    if (value != nullptr) {
      CheckValue(field, *field.type, field.bounds, value);
    } else if (field.is_required) {
      Report(ProblemType::kRequired, "this field is required", std::string(field.doc));
    }
  }

  void CheckValue(const Field& field, const Type& type, const Bounds& bounds, const void* value) {
    switch (type.shape) {
      case Shape::kString:
        CheckString(bounds, As<std::string>(value));
        break;
      case Shape::kInt32:
        CheckNumber(bounds, As<int32_t>(value));
        break;
      case Shape::kInt64:
        CheckNumber(bounds, As<int64_t>(value));
        break;
      case Shape::kStruct:
        CheckStruct(type.structure(), value);
        break;
      case Shape::kList:
        CheckList(field, type, bounds, value);
        break;
      case Shape::kMap:
        CheckMap(field, type, bounds, value);
        break;
      default:
        break;
    }
  }

  // Like an API server: only the first problem of length and form, and the enum in addition.
  void CheckString(const Bounds& bounds, const std::string& text) {
    CheckLengthAndForm(bounds, text);
    if (!bounds.one_of.empty() && std::ranges::find(bounds.one_of, text) == bounds.one_of.end()) {
      Report(ProblemType::kNotSupported, Quoted(text) + " is not one of " + Join(bounds.one_of),
             base::DidYouMean(text, bounds.one_of));
    }
  }

  void CheckLengthAndForm(const Bounds& bounds, const std::string& text) {
    if (bounds.max_length && CharacterCount(text) > *bounds.max_length) {
      Report(ProblemType::kTooLong,
             "must have at most " + std::to_string(*bounds.max_length) + " characters");
    } else if (bounds.min_length && CharacterCount(text) < *bounds.min_length) {
      Report(ProblemType::kInvalid,
             *bounds.min_length == 1
                 ? "must not be empty"
                 : "must have at least " + std::to_string(*bounds.min_length) + " characters");
    } else if (bounds.pattern != nullptr && !bounds.pattern->matches(text)) {
      Report(ProblemType::kInvalid, Quoted(text) + " is not " + std::string(bounds.pattern->what));
    }
  }

  void CheckNumber(const Bounds& bounds, int64_t number) {
    if (bounds.minimum && number < *bounds.minimum)
      Report(ProblemType::kInvalid, "must be at least " + std::to_string(*bounds.minimum) +
                                        ", but is " + std::to_string(number));
    if (bounds.maximum && number > *bounds.maximum)
      Report(ProblemType::kInvalid, "must be at most " + std::to_string(*bounds.maximum) +
                                        ", but is " + std::to_string(number));
  }

  // False if there are too many, which are not checked further.
  bool CheckCount(const Bounds& bounds, size_t count) {
    if (bounds.min_items && count < *bounds.min_items)
      Report(ProblemType::kInvalid, "must have at least " + std::to_string(*bounds.min_items) +
                                        (*bounds.min_items == 1 ? " entry" : " entries"));
    if (!bounds.max_items || count <= *bounds.max_items) return true;
    Report(ProblemType::kTooMany, "must have at most " + std::to_string(*bounds.max_items) +
                                      " entries, but has " + std::to_string(count));
    return false;
  }

  void CheckList(const Field& field, const Type& type, const Bounds& bounds, const void* list) {
    const size_t n = type.list->size(list);
    if (!CheckCount(bounds, n)) return;
    std::vector<size_t> repeated;
    if (n > 1 && field.list_kind != ListKind::kAtomic)
      repeated = ElementIndex(field, type, list).Repeated();
    auto next = repeated.begin();
    for (size_t i = 0; i < n; ++i) {
      path_.PushIndex(i);
      CheckValue(field, *type.element, field.item_bounds, type.list->at(list, i));
      if (next != repeated.end() && *next == i) {
        Report(ProblemType::kDuplicate, "the list has this entry already", "keep one of them");
        ++next;
      }
      path_.Pop();
    }
  }

  void CheckMap(const Field& field, const Type& type, const Bounds& bounds, const void* map) {
    const size_t n = type.map->size(map);
    if (!CheckCount(bounds, n)) return;
    for (size_t i = 0; i < n; ++i) {
      std::string_view key;
      const void* value = type.map->at(map, i, &key);
      path_.Push(key);  // an API server formats map entries like fields here
      CheckValue(field, *type.element, field.item_bounds, value);
      path_.Pop();
    }
  }

  void Report(ProblemType type, std::string message, std::string hint = {}) {
    if (limit_.is_reached()) return;
    problems_.push_back({type, path_.ToString(), std::move(message), std::move(hint), {}});
    limit_.Count(problems_.back().field.size() + problems_.back().message.size());
  }

  Problems& problems_;
  ReportLimit limit_;
  FieldPath path_;
};

// Second pass: the rules of structs and fields, with the old value if known.
class RulesCheck {
 public:
  explicit RulesCheck(Problems& problems) : problems_(problems) {}

  void CheckStruct(const Struct& type, const void* self, const void* old) {
    CheckRules(type.rules, self, old);
    for (const Field& field : type.fields) {
      const void* value = ValueOf(field, self);
      if (value == nullptr || field.is_previous) continue;
      path_.Push(field.name);
      const void* old_value = old != nullptr ? ValueOf(field, old) : nullptr;
      CheckRules(field.rules, value, old_value);
      CheckValue(field, *field.type, value, old_value);
      path_.Pop();
    }
  }

 private:
  void CheckRules(std::span<const Rule> rules, const void* self, const void* old) {
    for (const Rule& rule : rules) {
      if (rule.is_transition && old == nullptr) continue;
      if (rule.holds(self, old) || limit_.is_reached()) continue;
      problems_.push_back(
          {ProblemType::kInvalid, path_.ToString(), std::string(rule.message), {}, {}});
      limit_.Count(problems_.back().field.size() + rule.message.size());
    }
  }

  void CheckValue(const Field& field, const Type& type, const void* value, const void* old) {
    if (type.shape == Shape::kStruct) CheckStruct(type.structure(), value, old);
    if (type.element == nullptr || type.element->shape != Shape::kStruct) return;
    const Struct& element_type = type.element->structure();
    if (type.shape == Shape::kList) {
      // Old and new list elements are matched only by key, like in an API server.
      std::optional<ElementIndex> index;
      if (old != nullptr && field.list_kind == ListKind::kMap) index.emplace(field, type, old);
      for (size_t i = 0; i < type.list->size(value); ++i) {
        const void* element = type.list->at(value, i);
        path_.PushIndex(i);
        CheckStruct(element_type, element, index ? index->Find(element) : nullptr);
        path_.Pop();
      }
    }
    if (type.shape == Shape::kMap) {
      for (size_t i = 0; i < type.map->size(value); ++i) {
        std::string_view key;
        const void* element = type.map->at(value, i, &key);
        path_.PushKey(key);
        CheckStruct(element_type, element, nullptr);
        path_.Pop();
      }
    }
  }

  Problems& problems_;
  ReportLimit limit_;
  FieldPath path_;
};

// An API server skips rules on objects for which they could be costly or meaningless.
bool KeepsRulesFromRunning(const Problem& problem) {
  switch (problem.type) {
    case ProblemType::kRequired:
    case ProblemType::kNotSupported:
    case ProblemType::kTooLong:
    case ProblemType::kTooMany:
    case ProblemType::kTypeInvalid:
      return true;
    default:
      return false;
  }
}

}  // namespace

size_t CharacterCount(std::string_view text) {
  return static_cast<size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

Problems Validate(const Struct& type, const void* self, const void* old) {
  Problems problems;
  BoundsCheck(problems).CheckStruct(type, self);
  if (std::ranges::none_of(problems, KeepsRulesFromRunning))
    RulesCheck(problems).CheckStruct(type, self, old);
  return problems;
}

}  // namespace berth::schema
