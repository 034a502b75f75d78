#include "apiserver/crd/format.h"

#include <arpa/inet.h>

#include <algorithm>
#include <charconv>
#include <string>

#include "base/text.h"
#include "base/time.h"

namespace berth::apiserver {
namespace {

using base::IsDigit;
using base::IsLetterOrDigit;

bool IsHex(char c) { return IsDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

bool IsAddress(std::string_view text, int family) {
  char buffer[sizeof(in6_addr)];
  return inet_pton(family, std::string(text).c_str(), buffer) == 1;
}

bool IsCidr(std::string_view text) {
  const size_t slash = text.find('/');
  if (slash == std::string_view::npos) return false;
  const std::string_view address = text.substr(0, slash);
  const std::string_view bits = text.substr(slash + 1);
  unsigned count = 0;
  const auto read = std::from_chars(bits.data(), bits.data() + bits.size(), count);
  if (bits.empty() || read.ec != std::errc() || read.ptr != bits.data() + bits.size()) return false;
  return (IsAddress(address, AF_INET) && count <= 32) ||
         (IsAddress(address, AF_INET6) && count <= 128);
}

bool IsLabel(std::string_view label) {
  return !label.empty() && label.size() <= 63 && label.front() != '-' && label.back() != '-' &&
         std::ranges::all_of(label,
                             [](char c) { return IsLetterOrDigit(c) || c == '-' || c == '_'; });
}

bool IsHostname(std::string_view text) {
  if (text.ends_with('.')) text.remove_suffix(1);
  if (text.empty() || text.size() > 253) return false;
  while (true) {
    const size_t dot = text.find('.');
    if (!IsLabel(text.substr(0, dot))) return false;
    if (dot == std::string_view::npos) return true;
    text.remove_prefix(dot + 1);
  }
}

bool IsEmail(std::string_view text) {
  const size_t at = text.rfind('@');
  if (at == std::string_view::npos || at == 0) return false;
  const std::string_view local = text.substr(0, at);
  return std::ranges::none_of(local, [](char c) { return c <= ' ' || c == '@' || c == '<'; }) &&
         IsHostname(text.substr(at + 1));
}

// 8-4-4-4-12 hexadecimal digits; dashes are optional.
bool IsUuid(std::string_view text) {
  constexpr std::string_view kShape = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";
  size_t at = 0;
  for (const char expected : kShape) {
    if (expected == '-') {
      if (at < text.size() && text[at] == '-') ++at;
    } else if (at >= text.size() || !IsHex(text[at++])) {
      return false;
    }
  }
  return at == text.size();
}

bool IsMac(std::string_view text) {
  if (text.size() != 17) return false;
  for (size_t i = 0; i < text.size(); ++i) {
    if (i % 3 == 2 ? (text[i] != ':' && text[i] != '-') : !IsHex(text[i])) return false;
  }
  return true;
}

bool IsBase64(std::string_view text) {
  if (text.size() % 4 != 0) return false;
  for (int i = 0; i < 2 && text.ends_with('='); ++i) text.remove_suffix(1);
  return std::ranges::all_of(text,
                             [](char c) { return IsLetterOrDigit(c) || c == '+' || c == '/'; });
}

bool IsDate(std::string_view text) {
  return text.size() == 10 && base::ParseTime(std::string(text) + "T00:00:00Z").has_value();
}

// "scheme:…" or an absolute path; no blanks.
bool IsUri(std::string_view text) {
  if (text.empty() || std::ranges::any_of(text, [](char c) { return c <= ' ' || c == 127; })) {
    return false;
  }
  if (text.starts_with('/')) return true;
  const size_t colon = text.find(':');
  if (colon == std::string_view::npos || colon == 0 || IsDigit(text.front())) return false;
  return std::ranges::all_of(text.substr(0, colon), [](char c) {
    return IsLetterOrDigit(c) || c == '+' || c == '-' || c == '.';
  });
}

}  // namespace

std::optional<bool> HasFormat(std::string_view text, std::string_view format) {
  if (format == "date-time" || format == "datetime") return base::ParseTime(text).has_value();
  if (format == "date") return IsDate(text);
  if (format == "duration") return base::ParseDuration(text).has_value();
  if (format == "uuid" || format == "uuid3" || format == "uuid4" || format == "uuid5") {
    return IsUuid(text);
  }
  if (format == "email") return IsEmail(text);
  if (format == "hostname") return IsHostname(text);
  if (format == "ipv4") return IsAddress(text, AF_INET);
  if (format == "ipv6") return IsAddress(text, AF_INET6);
  if (format == "cidr") return IsCidr(text);
  if (format == "mac") return IsMac(text);
  if (format == "uri") return IsUri(text);
  if (format == "byte") return IsBase64(text);
  return std::nullopt;
}

}  // namespace berth::apiserver
