#pragma once

#include <string>
#include <string_view>

namespace berth::kube {

// Padded, in the standard alphabet, on one line.
std::string EncodedBase64(std::string_view bytes);

}  // namespace berth::kube
