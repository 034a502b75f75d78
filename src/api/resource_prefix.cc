#include "api/resource_prefix.h"

#include <string>

#include "api/names.h"
#include "base/text.h"

namespace berth::api {
namespace {

using base::IsLetterOrDigit;

}  // namespace

bool PrefixExcludes(std::string_view prefix, std::string_view resource) {
  if (prefix.empty() || !resource.starts_with(prefix)) return false;
  return resource.size() == prefix.size() || !IsLetterOrDigit(prefix.back()) ||
         resource[prefix.size()] == '/';
}

bool CanBeginResourceName(std::string_view text) {
  if (text.empty()) return false;
  // The shortest ways to go on from a beginning: it is complete, or it needs a letter or digit, or
  // it is (the beginning of) a prefix and needs a name.
  for (std::string_view rest : {"", "0", "/0", "0/0"}) {
    if (IsLabelKey(std::string(text).append(rest))) return true;
  }
  return false;
}

}  // namespace berth::api
