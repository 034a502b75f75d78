#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/time.h"

struct x509_st;

// Certificates of our own making: one authority, and what it vouches for. Keys are ECDSA on P-256.
namespace berth::apiserver {

// A certificate and the private key that belongs to it, both as PEM.
struct KeyPair {
  std::string certificate;
  std::string key;

  friend bool operator==(const KeyPair&, const KeyPair&) = default;
};

// Whom a client certificate names, as Kubernetes reads it: the common name is the user, the
// organizations are the groups.
struct Subject {
  std::string user;
  std::vector<std::string> groups;

  friend bool operator==(const Subject&, const Subject&) = default;
};

inline constexpr base::Duration kAuthorityLife = base::Duration::Seconds(int64_t{3650} * 86'400);
inline constexpr base::Duration kCertificateLife = base::Duration::Seconds(int64_t{365} * 86'400);
// With less than this left a certificate is made anew.
inline constexpr base::Duration kRenewalMargin = base::Duration::Seconds(int64_t{30} * 86'400);

base::Result<KeyPair> MakeAuthority(std::string_view name, base::Time now);

// For a server that is reached under these names: host names and IP addresses, at least one.
base::Result<KeyPair> IssueServer(const KeyPair& authority, std::span<const std::string> names,
                                  base::Time now);

base::Result<KeyPair> IssueClient(const KeyPair& authority, const Subject& subject, base::Time now);

// What stands in a certificate.
struct CertificateFacts {
  Subject subject;
  std::vector<std::string> names;  // host names and IP addresses in their usual form
  base::Time not_before;
  base::Time not_after;
};

base::Result<CertificateFacts> ReadCertificate(std::string_view pem);

// Whether a server with this certificate may be reached under all of the names.
bool Covers(const CertificateFacts& facts, std::span<const std::string> names);

Subject SubjectOf(const x509_st& certificate);

// Whether the key belongs to the certificate, and the authority has signed it.
bool IsIntact(const KeyPair& pair, std::string_view authority_certificate);

}  // namespace berth::apiserver
