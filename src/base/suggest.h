#pragma once

#include <span>
#include <string>
#include <string_view>

namespace berth::base {

// The candidate nearest to `word`, or "" if none is near. Near means equal except for case, or a
// few edits (insert, delete, replace, transpose) relative to the length. The first candidate wins
// ties.
std::string_view NearestWord(std::string_view word, std::span<const std::string_view> candidates);

// `did you mean "x"?` or "".
std::string DidYouMean(std::string_view word, std::span<const std::string_view> candidates);

}  // namespace berth::base
