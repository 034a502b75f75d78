// Compares the compiled list of exclusion prefixes with the rule applied to one after the other.
//
// The input is text: the first line is a resource, every other line a prefix.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "api/kueue/resource_prefix.h"
#include "base/check.h"
#include "workload/requests/resource_prefixes.h"

namespace {

using berth::api::PrefixExcludes;
using berth::api::PrefixMatch;
using berth::workload::ResourcePrefixes;

// The longest that matches the resource; null if none does.
const std::string* NaiveFind(const std::vector<std::string>& prefixes, std::string_view resource,
                             PrefixMatch match) {
  const std::string* found = nullptr;
  for (const std::string& prefix : prefixes) {
    const bool is_longer = found == nullptr || prefix.size() > found->size();
    if (is_longer && PrefixExcludes(prefix, resource, match)) found = &prefix;
  }
  return found;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::string_view text(reinterpret_cast<const char*>(data), size);
  std::vector<std::string> lines;
  for (size_t end; (end = text.find('\n')) != text.npos; text.remove_prefix(end + 1)) {
    lines.emplace_back(text.substr(0, end));
  }
  lines.emplace_back(text);
  const std::string resource = lines.front();
  lines.erase(lines.begin());
  for (const PrefixMatch match : {PrefixMatch::kWholeSegments, PrefixMatch::kBytes}) {
    const ResourcePrefixes prefixes(lines, match);
    const std::string* found = prefixes.Find(resource);
    const std::string* naive = NaiveFind(lines, resource, match);
    CHECK((found == nullptr) == (naive == nullptr));
    CHECK(found == nullptr || *found == *naive);
  }
  return 0;
}
