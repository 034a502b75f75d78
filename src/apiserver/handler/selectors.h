#pragma once

// Selectors of lists and watches: parsing, and matching against stored JSON.

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/meta/selector.h"
#include "base/error.h"

namespace berth::apiserver {

// "a=1,b!=2,c in (x,y),d notin (z),e,!f"; all terms must match.
base::Result<api::Selector> ParseLabelSelector(std::string_view text);

// One term of a field selector.
struct FieldTerm {
  std::string path;  // "status.phase"
  std::string value;
  bool is_negated = false;

  friend bool operator==(const FieldTerm&, const FieldTerm&) = default;
};

// "a=1,b!=2,c==3"; a backslash escapes a comma, an equals sign or a backslash.
base::Result<std::vector<FieldTerm>> ParseFieldSelector(std::string_view text);

// Selects objects of a kind.
class ObjectFilter {
 public:
  ObjectFilter() = default;
  ObjectFilter(api::Selector labels, std::vector<FieldTerm> fields)
      : labels_(std::move(labels)), fields_(std::move(fields)) {}

  bool is_everything() const { return labels_.is_everything() && fields_.empty(); }
  // `object` is the JSON of a stored object. Absent values match "", and also "false" and "0".
  bool Matches(std::string_view object) const;

  // The name that the field selector requires, if any.
  std::optional<std::string> OnlyName() const;

 private:
  api::Selector labels_ = api::Selector::Everything();
  std::vector<FieldTerm> fields_;
};

}  // namespace berth::apiserver
