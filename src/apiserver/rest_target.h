#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace berth::apiserver {

// With its escapes, such as %2F, resolved; as it stands if one of them is broken.
std::string Unescaped(std::string_view text);

// The part of a URL after the question mark: names and values with their escapes resolved.
class Query {
 public:
  // "a=1&b=x%20y". What has broken escapes is taken as it stands.
  static Query Parse(std::string_view text);

  // The first value of the name; "" if there is none.
  std::string_view Get(std::string_view name) const;
  bool Has(std::string_view name) const;
  std::vector<std::string_view> All(std::string_view name) const;

 private:
  std::vector<std::pair<std::string, std::string>> entries_;
};

// What a URL is about.
struct RestTarget {
  enum class Kind : uint8_t {
    kOther,         // `path` says what
    kCoreVersions,  // /api
    kGroups,        // /apis
    kGroup,         // /apis/G
    kVersion,       // /api/V, /apis/G/V
    kObjects,       // below a version: a collection, an object or a subresource
  };
  Kind kind = Kind::kOther;
  std::string path;
  std::string group;  // "" is the core group
  std::string version;
  std::string namespace_;
  std::string plural;
  std::string name;
  std::string subresource;
  bool is_watch_path = false;  // the old form: /api/v1/watch/…
  Query query;

  static RestTarget Parse(std::string_view target);
};

}  // namespace berth::apiserver
