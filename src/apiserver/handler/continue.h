#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "apiserver/storage/storage.h"

namespace berth::apiserver {

// The position of a paginated list. Opaque to clients.
struct ContinueToken {
  Revision revision = 0;
  std::string namespace_;
  std::string name;

  std::string ToString() const;
  // Nullopt if the text is not a token.
  static std::optional<ContinueToken> Parse(std::string_view text);

  friend bool operator==(const ContinueToken&, const ContinueToken&) = default;
};

}  // namespace berth::apiserver
