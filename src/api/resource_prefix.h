#pragma once

#include <string_view>

// Prefixes by which resources are excluded from quota (excludeResourcePrefixes).
namespace berth::api {

// Whether the prefix excludes the resource: it is the resource's name, or what stands before its
// '/', or it ends in a character that is no letter or digit and the name begins with it. So
// "example.com" excludes "example.com/gpu" and not "example.community/gpu", "hugepages-" excludes
// "hugepages-2Mi", "ephemeral" does not exclude "ephemeral-storage".
bool PrefixExcludes(std::string_view prefix, std::string_view resource);

// Whether some resource name can begin with the text. The empty text does not count.
bool CanBeginResourceName(std::string_view text);

}  // namespace berth::api
