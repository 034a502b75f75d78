#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "apiserver/certificates.h"
#include "base/error.h"

namespace berth::apiserver {

// Bearer tokens and whose they are.
class TokenTable {
 public:
  TokenTable() = default;

  // A line for each token in the form of Kubernetes' token files: token,user,uid and, where there
  // are any, the groups, in quotes if there are several: `abc,anna,1,"dev,ops"`. Empty lines and
  // lines that begin with # do not count. Tokens shorter than kShortestToken are refused.
  static base::Result<TokenTable> Parse(std::string_view text);

  // Looks at all tokens in full, so that the time it takes does not tell how close a guess was.
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

// The tokens of a file. Where there is none it is made, for its owner only, with one new token for
// the administrator.
base::Result<TokenTable> LoadTokens(const std::filesystem::path& path);

}  // namespace berth::apiserver
