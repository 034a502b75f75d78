#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"

namespace berth::replica {

struct BindAddress {
  std::string ip;  // "0.0.0.0" for all
  uint16_t port = 0;

  friend bool operator==(const BindAddress&, const BindAddress&) = default;
};

// Parses ":8081", "127.0.0.1:8081", "localhost:8081" or "[::]:8081". Nullopt for "0" and "": do not
// listen.
base::Result<std::optional<BindAddress>> ParseBindAddress(std::string_view text);

}  // namespace berth::replica
