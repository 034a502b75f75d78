#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "http/certificates.h"

namespace berth::http {

// Bearer tokens and their users.
class TokenTable {
 public:
  TokenTable() = default;

  // One token per line in the format of Kubernetes' token files: token,user,uid and optionally the
  // groups, quoted if several: `abc,anna,1,"dev,ops"`. Skips empty lines and lines that begin with
  // #. Rejects malformed lines, repeated tokens, and tokens shorter than kShortestToken.
  static base::Result<TokenTable> Parse(std::string_view text);

  void Add(std::string token, Subject subject);

  // Constant-time: compares all tokens in full.
  std::optional<Subject> Find(std::string_view token) const;

  size_t size() const { return entries_.size(); }

 private:
  struct Entry {
    std::string token;
    Subject subject;
  };
  std::vector<Entry> entries_;
};

inline constexpr size_t kShortestToken = 16;

// 256 random bits as text.
std::string MakeToken();

// The tokens of a file. A missing file is created, for its owner only, with one new token for the
// administrator.
base::Result<TokenTable> LoadTokens(const std::filesystem::path& path);

}  // namespace berth::http
