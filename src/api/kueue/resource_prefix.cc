#include "api/kueue/resource_prefix.h"

#include <string>

#include "api/meta/names.h"
#include "base/text.h"

namespace berth::api {
namespace {

using base::IsLetterOrDigit;

}  // namespace

bool PrefixExcludes(std::string_view prefix, std::string_view resource, PrefixMatch match) {
  if (!resource.starts_with(prefix)) return false;
  if (match == PrefixMatch::kBytes) return true;
  if (prefix.empty()) return false;
  return resource.size() == prefix.size() || !IsLetterOrDigit(prefix.back()) ||
         resource[prefix.size()] == '/';
}

bool DependsOnMatch(std::string_view prefix) {
  return prefix.empty() || IsLetterOrDigit(prefix.back());
}

bool CanBeginResourceName(std::string_view text) {
  if (text.empty()) return false;
  // Shortest completions of a prefix: none, a letter or digit, a name after '/', or both.
  for (std::string_view rest : {"", "0", "/0", "0/0"}) {
    if (IsLabelKey(std::string(text).append(rest))) return true;
  }
  return false;
}

}  // namespace berth::api
