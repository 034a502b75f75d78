#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "http/url.h"

namespace berth::apiserver {

// A parsed request URL.
struct RestTarget {
  enum class Kind : uint8_t {
    kOther,         // see `path`
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
  bool is_watch_path = false;  // legacy form: /api/v1/watch/…
  http::Query query;

  static RestTarget Parse(std::string_view target);
};

}  // namespace berth::apiserver
