#include "ctl/flag_values.h"

namespace berth::ctl {

std::vector<std::string> SplitAt(std::string_view text, char separator) {
  std::vector<std::string> parts;
  if (text.empty()) return parts;
  size_t begin = 0;
  while (true) {
    const size_t end = text.find(separator, begin);
    if (end == std::string_view::npos) break;
    parts.emplace_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  parts.emplace_back(text.substr(begin));
  return parts;
}

std::vector<std::string> AllValues(std::span<const std::string> given) {
  std::vector<std::string> all;
  for (const std::string& text : given)
    for (std::string& part : SplitAt(text, ',')) all.push_back(std::move(part));
  return all;
}

base::Result<base::FlatMap<std::string>> ReadKeyValues(std::span<const std::string> given,
                                                       std::string_view flag) {
  base::FlatMap<std::string> map;
  for (const std::string& pair : AllValues(given)) {
    const size_t equals = pair.find('=');
    if (equals == std::string::npos || equals == 0)
      return base::Fail(std::string(flag) + " \"" + pair + "\" must be formatted as key=value",
                        "write it like " + std::string(flag) + " key1=value1,key2=value2");
    map.Set(pair.substr(0, equals), pair.substr(equals + 1));
  }
  return map;
}

}  // namespace berth::ctl
