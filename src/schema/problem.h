#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace berth::schema {

// The type of a problem, as in Kubernetes' causes.
enum class ProblemType {
  kInvalid,
  kRequired,
  kDuplicate,
  kNotSupported,
  kForbidden,
  kTooLong,
  kTooMany,
  kNotFound,
  kTypeInvalid,
  kUnknownField,
  kSyntax,
};

// "FieldValueInvalid", "FieldValueRequired", …
std::string_view CauseOf(ProblemType type);

// A problem of an object and its location.
struct Problem {
  ProblemType type = ProblemType::kInvalid;
  std::string field;    // "spec.resourceGroups[0].flavors[1].name"; "" is the whole object
  std::string message;  // what is wrong
  std::string hint;     // what to write instead, if not in the message
  base::Place place;

  friend bool operator==(const Problem&, const Problem&) = default;
};

using Problems = std::vector<Problem>;

// "file:3:7: spec.x: message (hint)".
std::string ToString(const Problem& problem);

// The path from the root of an object to a field, built during a walk and formatted only for
// problems. Segments refer to names that must outlive the walk.
class FieldPath {
 public:
  struct Segment {
    std::string_view name;    // of a field or, with is_key, of a map entry
    size_t index = kNoIndex;  // of a list element
    bool is_key = false;
  };
  static constexpr size_t kNoIndex = static_cast<size_t>(-1);

  void Push(std::string_view field) { segments_.push_back({field, kNoIndex, false}); }
  void PushIndex(size_t index) { segments_.push_back({{}, index, false}); }
  void PushKey(std::string_view key) { segments_.push_back({key, kNoIndex, true}); }
  void Pop() { segments_.pop_back(); }
  size_t depth() const { return segments_.size(); }

  // "spec.labels[a/b].items[0]"
  std::string ToString() const;
  // Appends one more field.
  std::string ToString(std::string_view field) const;

 private:
  std::vector<Segment> segments_;
};

}  // namespace berth::schema
