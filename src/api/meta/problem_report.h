#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "schema/problem.h"

namespace berth::api {

// Collects the problems of one object while its rules traverse it. The current field is kept as a
// path, converted to text only when a problem is reported:
//
//   auto in_spec = report.In("spec");
//   for (size_t i = 0; i < groups.size(); ++i) {
//     auto at = report.In("groups", i);
//     if (…) report.Invalid("name", "…");
//   }
class ProblemReport {
 public:
  // Leaves the entered field on destruction.
  class [[nodiscard]] Scope {
   public:
    Scope(ProblemReport& report, int depth) : report_(report), depth_(depth) {}
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;
    ~Scope() {
      while (depth_-- > 0) report_.path_.Pop();
    }

   private:
    ProblemReport& report_;
    int depth_;
  };

  // Names must outlive the scope.
  Scope In(std::string_view field) {
    path_.Push(field);
    return Scope(*this, 1);
  }
  Scope In(std::string_view field, size_t index) {
    path_.Push(field);
    path_.PushIndex(index);
    return Scope(*this, 2);
  }
  Scope At(size_t index) {
    path_.PushIndex(index);
    return Scope(*this, 1);
  }
  Scope AtKey(std::string_view key) {
    path_.PushKey(key);
    return Scope(*this, 1);
  }

  // Reports a problem of a field of the current scope, or of the scope itself if `field` is "".
  void Add(schema::ProblemType type, std::string_view field, std::string message,
           std::string hint = {}) {
    problems_.push_back({.type = type,
                         .field = field.empty() ? path_.ToString() : path_.ToString(field),
                         .message = std::move(message),
                         .hint = std::move(hint),
                         .place = {}});
  }
  void Invalid(std::string_view field, std::string message, std::string hint = {}) {
    Add(schema::ProblemType::kInvalid, field, std::move(message), std::move(hint));
  }
  void Required(std::string_view field, std::string message, std::string hint = {}) {
    Add(schema::ProblemType::kRequired, field, std::move(message), std::move(hint));
  }
  void Duplicate(std::string_view field, std::string message, std::string hint = {}) {
    Add(schema::ProblemType::kDuplicate, field, std::move(message), std::move(hint));
  }
  void NotSupported(std::string_view field, std::string message, std::string hint = {}) {
    Add(schema::ProblemType::kNotSupported, field, std::move(message), std::move(hint));
  }
  void Forbidden(std::string_view field, std::string message, std::string hint = {}) {
    Add(schema::ProblemType::kForbidden, field, std::move(message), std::move(hint));
  }

  // All reported problems, in order.
  schema::Problems Take() && { return std::move(problems_); }

 private:
  schema::FieldPath path_;
  schema::Problems problems_;
};

// `"text"`, for messages. Long text is truncated, control characters are escaped.
std::string Quoted(std::string_view text);

// `"a", "b" and "c"`, for messages; "none" for an empty list.
std::string QuotedList(const std::vector<std::string_view>& names);

}  // namespace berth::api
