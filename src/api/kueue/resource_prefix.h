#pragma once

#include <string_view>

// Prefixes that exclude resources from quota (excludeResourcePrefixes).
namespace berth::api {

// Whether the prefix excludes the resource: it equals the resource name or the part before '/', or
// it ends in a character other than a letter or digit and the name begins with it. "example.com"
// excludes "example.com/gpu" but not "example.community/gpu"; "hugepages-" excludes
// "hugepages-2Mi"; "ephemeral" does not exclude "ephemeral-storage".
bool PrefixExcludes(std::string_view prefix, std::string_view resource);

// Whether a resource name can begin with the text. False for empty text.
bool CanBeginResourceName(std::string_view text);

}  // namespace berth::api
