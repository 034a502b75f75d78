#pragma once

#include <span>
#include <string>
#include <string_view>

namespace berth::base {

// The candidate that the writer of `word` most likely meant, or "" if none is near: it differs in
// case only, or by few edits (insert, delete, change, swap) for its length. Ties go to the first.
std::string_view NearestWord(std::string_view word, std::span<const std::string_view> candidates);

// `did you mean "x"?` or "".
std::string DidYouMean(std::string_view word, std::span<const std::string_view> candidates);

}  // namespace berth::base
