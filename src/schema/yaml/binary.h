#pragma once

#include <string>
#include <string_view>

namespace berth::schema {

// Replaces each invalid byte by U+FFFD, since JSON text is UTF-8. For `!!binary`.
std::string ReplaceInvalidUtf8(std::string_view text);

}  // namespace berth::schema
