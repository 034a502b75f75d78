#include "http/tokens.h"

#include <openssl/crypto.h>
#include <openssl/rand.h>

#include <algorithm>
#include <array>

#include "base/check.h"
#include "base/hex.h"
#include "http/private_file.h"
#include "schema/json/index.h"

namespace berth::http {
namespace {

// The values of a comma-separated line. Quotes around a value protect commas; two quotes in it are
// one. Nullopt if quotes are misplaced.
std::optional<std::vector<std::string>> SplitLine(std::string_view line) {
  enum class At : uint8_t { kStart, kPlain, kQuoted, kQuote } at = At::kStart;
  std::vector<std::string> values(1);
  for (const char c : line) {
    const bool is_quote = c == '"';
    if (at == At::kQuoted && is_quote) {
      at = At::kQuote;
    } else if (c == ',' && at != At::kQuoted) {
      values.emplace_back();
      at = At::kStart;
    } else if (at == At::kStart && is_quote) {
      at = At::kQuoted;
    } else if (at != At::kQuoted && (is_quote != (at == At::kQuote))) {
      return std::nullopt;
    } else {
      values.back() += c;
      at = at == At::kQuoted || at == At::kQuote ? At::kQuoted : At::kPlain;
    }
  }
  if (at == At::kQuoted) return std::nullopt;
  return values;
}

std::vector<std::string> SplitGroups(std::string_view text) {
  std::vector<std::string> groups;
  while (!text.empty()) {
    const size_t end = std::min(text.find(','), text.size());
    groups.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return groups;
}

bool IsControl(char c) { return (c >= 0 && c < ' ') || c == 0x7f; }

// Why the values are not a token and its user; "" if they are.
std::string Fault(const std::vector<std::string>& values) {
  if (values.size() < 3 || values.size() > 4)
    return std::to_string(values.size()) + " values instead of three or four";
  const std::string& token = values[0];
  if (token.size() < kShortestToken)
    return "a token of less than " + std::to_string(kShortestToken) + " characters";
  if (!std::ranges::all_of(token, [](char c) { return c > ' ' && c < 0x7f; }))
    return "a token with other characters than ASCII letters, digits and punctuation";
  if (values[1].empty()) return "a token without a user";
  for (const std::string& value : values)
    if (std::ranges::any_of(value, IsControl) || !schema::IsUtf8(value))
      return "a control character, or text that is not UTF-8";
  return {};
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
    auto values = SplitLine(line);
    if (!values) return BadLine("a quote inside of a value, or without its second one", number);
    if (std::string fault = Fault(*values); !fault.empty())
      return BadLine(std::move(fault), number);
    if (table.Find(values->front())) return BadLine("the token of an earlier line", number);
    Entry entry{.token = std::move((*values)[0]), .subject = {.user = std::move((*values)[1])}};
    if (values->size() == 4) entry.subject.groups = SplitGroups(values->back());
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
