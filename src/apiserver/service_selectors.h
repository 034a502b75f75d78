#pragma once

// The selectors of lists and watches, read from their text and matched against stored JSON.

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/selector.h"
#include "base/error.h"

namespace berth::apiserver {

// "a=1,b!=2,c in (x,y),d notin (z),e,!f": all must hold.
base::Result<api::Selector> ParseLabelSelector(std::string_view text);

// One term of a field selector.
struct FieldTerm {
  std::string path;  // "status.phase"
  std::string value;
  bool is_negated = false;

  friend bool operator==(const FieldTerm&, const FieldTerm&) = default;
};

// "a=1,b!=2,c==3"; a backslash takes a comma, an equals sign or a backslash as itself.
base::Result<std::vector<FieldTerm>> ParseFieldSelector(std::string_view text);

// Which objects of a kind are wanted.
class ObjectFilter {
 public:
  ObjectFilter() = default;
  ObjectFilter(api::Selector labels, std::vector<FieldTerm> fields)
      : labels_(std::move(labels)), fields_(std::move(fields)) {}

  bool is_everything() const { return labels_.is_everything() && fields_.empty(); }
  // The text is the JSON of a stored object. Values that are absent read as "", or as the default
  // of what they are: "false", "0".
  bool Matches(std::string_view object) const;

  // The name that the object must have, if the fields demand one.
  std::optional<std::string> OnlyName() const;

 private:
  api::Selector labels_ = api::Selector::Everything();
  std::vector<FieldTerm> fields_;
};

}  // namespace berth::apiserver
