#pragma once

#include <cstdint>
#include <string_view>

// Prefixes that exclude resources from quota (excludeResourcePrefixes).
namespace berth::api {

enum class PrefixMatch : uint8_t {
  // The prefix equals the resource name or the part before '/', or it ends in a character other
  // than a letter or digit and the name begins with it. "example.com" excludes "example.com/gpu"
  // but not "example.community/gpu"; "hugepages-" excludes "hugepages-2Mi"; "ephemeral" does not
  // exclude "ephemeral-storage"; "" excludes nothing.
  kWholeSegments,
  // The name begins with the bytes of the prefix, as in Kueue. "" excludes everything.
  kBytes,
};

// Whether the prefix excludes the resource.
bool PrefixExcludes(std::string_view prefix, std::string_view resource,
                    PrefixMatch match = PrefixMatch::kWholeSegments);

// Whether the two kinds of matching may differ for the prefix.
bool DependsOnMatch(std::string_view prefix);

// Whether a resource name can begin with the text. False for empty text.
bool CanBeginResourceName(std::string_view text);

}  // namespace berth::api
