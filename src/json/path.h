#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "json/json.h"

// A path in an object of any kind: "spec.replicatedJobs[0].template",
// "metadata.annotations[example.com/name]". A number in brackets is a list index, any other text a
// key, which may contain dots. "" is the object itself.
namespace berth::json {

class Path {
 public:
  Path() = default;
  // Nullopt if a bracket is unclosed or a segment is empty.
  static std::optional<Path> Parse(std::string_view text);

  // Returns null if the value is absent or null.
  const json::value* Find(const json::value& root) const;
  json::value* Find(json::value& root) const;

  // Returns the value, created if missing: objects on the path, null at its end. Returns null if a
  // parent is not an object or an index is past the end of a list.
  json::value* Make(json::value& root) const;

  // Removes the member at the path. Returns false if there is none.
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

// For paths known to be valid, such as those of descriptions, which are checked on loading.
const json::value* FindAt(const json::value& root, std::string_view path);
json::value* FindAt(json::value& root, std::string_view path);
json::value* MakeAt(json::value& root, std::string_view path);
bool EraseAt(json::value& root, std::string_view path);

// Lenient readers: "" or nullopt if the value has another type. Booleans and integers are converted
// to their JSON text.
std::string TextAt(const json::value& root, std::string_view path);
std::optional<int32_t> IntAt(const json::value& root, std::string_view path);
// Parses the number in a text such as an annotation.
std::optional<int32_t> IntOf(std::string_view text);

// Returns whether the value is set: not absent, null, false, 0, "", [] or {}.
bool IsSetAt(const json::value& root, std::string_view path);

}  // namespace berth::json
