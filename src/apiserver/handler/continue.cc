#include "apiserver/handler/continue.h"

#include <charconv>

namespace berth::apiserver {

// "1.<revision>.<namespace>~<name>": needs no URL escaping, and neither name can contain a tilde.
std::string ContinueToken::ToString() const {
  return "1." + std::to_string(revision) + "." + namespace_ + "~" + name;
}

std::optional<ContinueToken> ContinueToken::Parse(std::string_view text) {
  if (!text.starts_with("1.")) return std::nullopt;
  text.remove_prefix(2);
  ContinueToken token;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), token.revision);
  if (error != std::errc() || token.revision <= 0) return std::nullopt;
  text.remove_prefix(static_cast<size_t>(end - text.data()));
  const size_t tilde = text.find('~');
  if (!text.starts_with('.') || tilde == std::string_view::npos) return std::nullopt;
  token.namespace_ = text.substr(1, tilde - 1);
  token.name = text.substr(tilde + 1);
  return token;
}

}  // namespace berth::apiserver
