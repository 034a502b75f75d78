#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "store/json.h"

// Where something stands in an object of any kind: "spec.replicatedJobs[0].template",
// "metadata.annotations[example.com/name]". A number in brackets is an index of a list, anything
// else a key that may have dots in it. "" is the object itself.
namespace berth::jobs {

namespace json = store::json;

class Path {
 public:
  Path() = default;
  // Nullopt if a bracket is not closed or a part is empty.
  static std::optional<Path> Parse(std::string_view text);

  // Null if there is nothing there, or null.
  const json::value* Find(const json::value& root) const;
  json::value* Find(json::value& root) const;

  // The value there, made if it is missing: objects on the way, null at the end. Null if the way
  // leads through something that is no object or past the end of a list.
  json::value* Make(json::value& root) const;

  // Takes the member at the end of the path out of its object. False if it was not there.
  bool Erase(json::value& root) const;

  bool empty() const { return parts_.empty(); }

 private:
  struct Part {
    std::string key;
    size_t index = 0;
    bool is_index = false;
  };

  std::vector<Part> parts_;
};

// For paths that are known to be right: those of descriptions, which were checked when read.
const json::value* FindAt(const json::value& root, std::string_view path);
json::value* FindAt(json::value& root, std::string_view path);
json::value* MakeAt(json::value& root, std::string_view path);
bool EraseAt(json::value& root, std::string_view path);

// What stands at the path, read leniently: "" and nullopt where it is something else. Texts of
// booleans and integers are as JSON writes them.
std::string TextAt(const json::value& root, std::string_view path);
std::optional<int32_t> IntAt(const json::value& root, std::string_view path);
// The number in a text such as an annotation's.
std::optional<int32_t> IntOf(std::string_view text);

// Whether there is something: not absent, null, false, 0, "", [] or {}.
bool IsSetAt(const json::value& root, std::string_view path);

}  // namespace berth::jobs
