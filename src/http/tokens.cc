#include "http/tokens.h"

#include <openssl/crypto.h>
#include <openssl/rand.h>

#include <array>

#include "base/check.h"
#include "base/hex.h"
#include "http/private_file.h"

namespace berth::http {
namespace {

// Cuts the first value off a comma-separated line. Quotes protect commas; two quotes are one.
std::string TakeValue(std::string_view& line) {
  std::string value;
  bool is_quoted = false;
  size_t at = 0;
  for (; at < line.size() && (is_quoted || line[at] != ','); ++at) {
    if (line[at] != '"') {
      value += line[at];
    } else if (is_quoted && at + 1 < line.size() && line[at + 1] == '"') {
      value += line[++at];
    } else {
      is_quoted = !is_quoted;
    }
  }
  line.remove_prefix(at < line.size() ? at + 1 : at);
  return value;
}

std::vector<std::string> SplitGroups(std::string_view text) {
  std::vector<std::string> groups;
  while (!text.empty()) groups.push_back(TakeValue(text));
  return groups;
}

std::string_view TakeLine(std::string_view& text) {
  const size_t end = text.find('\n');
  std::string_view line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

std::unexpected<base::Error> BadLine(std::string problem, int line) {
  return std::unexpected(base::Error{.message = std::move(problem),
                                     .hint = "write token,user,uid,\"group,group\"",
                                     .place = {.file = {}, .line = line}});
}

}  // namespace

base::Result<TokenTable> TokenTable::Parse(std::string_view text) {
  TokenTable table;
  for (int number = 1; !text.empty(); ++number) {
    std::string_view line = TakeLine(text);
    if (line.empty() || line.starts_with('#')) continue;
    Entry entry;
    entry.token = TakeValue(line);
    entry.subject.user = TakeValue(line);
    TakeValue(line);  // the uid, unused
    entry.subject.groups = SplitGroups(TakeValue(line));
    if (entry.token.size() < kShortestToken)
      return BadLine("a token of less than " + std::to_string(kShortestToken) + " characters",
                     number);
    if (entry.subject.user.empty()) return BadLine("a token without a user", number);
    table.entries_.push_back(std::move(entry));
  }
  return table;
}

void TokenTable::Add(std::string token, Subject subject) {
  entries_.push_back({.token = std::move(token), .subject = std::move(subject)});
}

std::optional<Subject> TokenTable::Find(std::string_view token) const {
  const Entry* found = nullptr;
  for (const Entry& entry : entries_) {
    const bool is_equal = entry.token.size() == token.size() &&
                          CRYPTO_memcmp(entry.token.data(), token.data(), token.size()) == 0;
    if (is_equal) found = &entry;
  }
  if (found == nullptr) return std::nullopt;
  return found->subject;
}

std::string MakeToken() {
  std::array<unsigned char, 32> bytes;
  CHECK(RAND_bytes(bytes.data(), bytes.size()) == 1);
  return base::LowerHex(bytes);
}

base::Result<TokenTable> LoadTokens(const std::filesystem::path& path) {
  std::optional<std::string> text = ReadWholeFile(path);
  if (!text && std::filesystem::exists(path))
    return base::Fail("cannot read " + path.string(), "make it readable for this user");
  if (!text) {
    text = MakeToken() + ",berth-admin,1,system:masters\n";
    if (auto written = WritePrivateFile(path, *text); !written)
      return std::unexpected(written.error());
  }
  auto table = TokenTable::Parse(*text);
  if (!table) table.error().place.file = path.string();
  return table;
}

}  // namespace berth::http
