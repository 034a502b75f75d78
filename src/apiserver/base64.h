#pragma once

#include <string>
#include <string_view>

namespace berth::apiserver {

// Padded, in the standard alphabet, on one line.
std::string EncodeBase64(std::string_view bytes);

}  // namespace berth::apiserver
