#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "apiserver/storage.h"

namespace berth::apiserver {

// Where a list that is read in pages goes on. Clients see it as opaque text.
struct ContinueToken {
  Revision revision = 0;
  std::string namespace_;
  std::string name;

  std::string ToString() const;
  // Nullopt if the text is none that ToString could have made.
  static std::optional<ContinueToken> Parse(std::string_view text);

  friend bool operator==(const ContinueToken&, const ContinueToken&) = default;
};

}  // namespace berth::apiserver
