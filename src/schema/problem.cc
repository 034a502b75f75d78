#include "schema/problem.h"

namespace berth::schema {

std::string_view CauseOf(ProblemType type) {
  switch (type) {
    case ProblemType::kInvalid:
      return "FieldValueInvalid";
    case ProblemType::kRequired:
      return "FieldValueRequired";
    case ProblemType::kDuplicate:
      return "FieldValueDuplicate";
    case ProblemType::kNotSupported:
      return "FieldValueNotSupported";
    case ProblemType::kForbidden:
      return "FieldValueForbidden";
    case ProblemType::kTooLong:
      return "FieldValueTooLong";
    case ProblemType::kTooMany:
      return "FieldValueTooMany";
    case ProblemType::kNotFound:
      return "FieldValueNotFound";
    case ProblemType::kTypeInvalid:
      return "FieldValueTypeInvalid";
    case ProblemType::kUnknownField:
      return "UnknownField";
    case ProblemType::kSyntax:
      return "Syntax";
  }
  return "";
}

std::string ToString(const Problem& problem) {
  std::string text = base::ToString(problem.place);
  if (!text.empty()) text += ": ";
  if (!problem.field.empty()) text += problem.field + ": ";
  text += problem.message;
  if (!problem.hint.empty()) text += " (" + problem.hint + ")";
  return text;
}

std::string FieldPath::ToString() const {
  std::string text;
  for (const Segment& segment : segments_) {
    if (segment.index != kNoIndex) {
      text += '[' + std::to_string(segment.index) + ']';
    } else if (segment.is_key) {
      text += '[' + std::string(segment.name) + ']';
    } else {
      if (!text.empty()) text += '.';
      text += segment.name;
    }
  }
  return text;
}

std::string FieldPath::ToString(std::string_view field) const {
  std::string text = ToString();
  if (!text.empty()) text += '.';
  return text.append(field);
}

}  // namespace berth::schema
