#include "http/tls_credentials.h"

#include <optional>
#include <vector>

#include "http/private_file.h"

namespace berth::http {
namespace {

const Subject& Administrator() {
  static const Subject kSubject{.user = "berth-admin", .groups = {"system:masters"}};
  return kSubject;
}

constexpr std::string_view kAuthorityName = "berth-ca";

std::vector<std::string> WithLoopback(std::span<const std::string> names) {
  std::vector<std::string> all(LoopbackNames().begin(), LoopbackNames().end());
  all.insert(all.end(), names.begin(), names.end());
  return all;
}

// A certificate and its key on disk: NAME.crt, NAME.key.
class PairFile {
 public:
  PairFile(const std::filesystem::path& directory, std::string_view name)
      : certificate_(directory / (std::string(name) + ".crt")),
        key_(directory / (std::string(name) + ".key")) {}

  std::optional<KeyPair> Read() const {
    std::optional<std::string> certificate = ReadWholeFile(certificate_);
    std::optional<std::string> key = ReadWholeFile(key_);
    if (!certificate || !key) return std::nullopt;
    return KeyPair{.certificate = *std::move(certificate), .key = *std::move(key)};
  }

  base::Result<KeyPair> Write(base::Result<KeyPair> pair) const {
    if (!pair) return pair;
    // Key first: a certificate without a key would look usable.
    if (auto written = WritePrivateFile(key_, pair->key); !written)
      return std::unexpected(written.error());
    if (auto written = WritePrivateFile(certificate_, pair->certificate); !written)
      return std::unexpected(written.error());
    return pair;
  }

 private:
  std::filesystem::path certificate_;
  std::filesystem::path key_;
};

bool IsUsable(const KeyPair& pair, std::string_view authority, std::span<const std::string> names,
              base::Time now) {
  if (!IsIntact(pair, authority)) return false;
  const auto info = ReadCertificate(pair.certificate);
  return info && now >= info->not_before && info->not_after - now > kRenewalMargin &&
         Covers(*info, names);
}

base::Result<KeyPair> LoadAuthority(const PairFile& file, base::Time now) {
  std::optional<KeyPair> pair = file.Read();
  if (pair && IsUsable(*pair, pair->certificate, {}, now)) return *std::move(pair);
  return file.Write(MakeAuthority(kAuthorityName, now));
}

template <class Make>
base::Result<KeyPair> LoadPair(const PairFile& file, const KeyPair& authority,
                               std::span<const std::string> names, base::Time now, Make make) {
  std::optional<KeyPair> pair = file.Read();
  if (pair && IsUsable(*pair, authority.certificate, names, now)) return *std::move(pair);
  return file.Write(make());
}

}  // namespace

std::span<const std::string> LoopbackNames() {
  static const std::string kNames[] = {"localhost", "127.0.0.1", "::1"};
  return kNames;
}

base::Result<TlsCredentials> MakeTlsCredentials(std::span<const std::string> names,
                                                base::Time now) {
  const auto authority = MakeAuthority(kAuthorityName, now);
  if (!authority) return std::unexpected(authority.error());
  auto server = IssueServer(*authority, WithLoopback(names), now);
  if (!server) return std::unexpected(server.error());
  auto admin = IssueClient(*authority, Administrator(), now);
  if (!admin) return std::unexpected(admin.error());
  return TlsCredentials{.authority = authority->certificate,
                        .server = *std::move(server),
                        .admin = *std::move(admin)};
}

base::Result<TlsCredentials> LoadTlsCredentials(const std::filesystem::path& directory,
                                                std::span<const std::string> names,
                                                base::Time now) {
  if (auto made = MakePrivateDirectory(directory); !made) return std::unexpected(made.error());
  const std::vector<std::string> all_names = WithLoopback(names);
  const auto authority = LoadAuthority(PairFile(directory, "ca"), now);
  if (!authority) return std::unexpected(authority.error());
  auto server = LoadPair(PairFile(directory, "server"), *authority, all_names, now,
                         [&] { return IssueServer(*authority, all_names, now); });
  if (!server) return std::unexpected(server.error());
  auto admin = LoadPair(PairFile(directory, "admin"), *authority, {}, now,
                        [&] { return IssueClient(*authority, Administrator(), now); });
  if (!admin) return std::unexpected(admin.error());
  return TlsCredentials{.authority = authority->certificate,
                        .server = *std::move(server),
                        .admin = *std::move(admin)};
}

}  // namespace berth::http
