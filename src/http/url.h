#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace berth::http {

// The text with percent escapes such as %2F resolved; unchanged if an escape is malformed.
std::string Unescaped(std::string_view text);

// The query of a URL: names and values with their escapes resolved.
class Query {
 public:
  // "a=1&b=x%20y". A part with a malformed escape is kept as is.
  static Query Parse(std::string_view text);

  // The first value of the name; "" if there is none.
  std::string_view Get(std::string_view name) const;
  bool Has(std::string_view name) const;
  std::vector<std::string_view> All(std::string_view name) const;

 private:
  std::vector<std::pair<std::string, std::string>> entries_;
};

}  // namespace berth::http
