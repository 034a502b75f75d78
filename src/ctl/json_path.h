#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "apiserver/table/path.h"
#include "base/error.h"
#include "json/json.h"

namespace berth::ctl {

// A template of kubectl's -o jsonpath: text with paths in braces, `{.metadata.name}`, quoted texts,
// `{"\n"}`, and loops, `{range .items[*]}…{end}`. Paths are those of apiserver::TablePath; a
// leading
// `$` or `@` is the object itself.
class JsonPath {
 public:
  static base::Result<JsonPath> Parse(std::string_view text);

  // Several values of a path are separated by blanks. Missing ones are empty.
  std::string Print(const json::value& object) const;

 private:
  class Parser;
  struct Part {
    std::string text;                          // printed as it is
    std::optional<apiserver::TablePath> path;  // printed, or looped over if it has parts
    bool is_loop = false;
    std::vector<Part> parts;  // of a loop
  };

  static void Print(const std::vector<Part>& parts, const json::value& object, std::string& out);

  std::vector<Part> parts_;
};

}  // namespace berth::ctl
