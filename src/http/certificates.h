#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/time.h"

struct x509_st;

// Self-made certificates: a certificate authority and the server and client certificates it signs.
// Keys are ECDSA on P-256.
namespace berth::http {

// A certificate and its private key, both as PEM.
struct KeyPair {
  std::string certificate;
  std::string key;

  friend bool operator==(const KeyPair&, const KeyPair&) = default;
};

// The subject of a client certificate, read as Kubernetes does: the common name is the user, the
// organizations are the groups.
struct Subject {
  std::string user;
  std::vector<std::string> groups;

  friend bool operator==(const Subject&, const Subject&) = default;
};

inline constexpr base::Duration kAuthorityValidity =
    base::Duration::Seconds(int64_t{3650} * 86'400);
inline constexpr base::Duration kCertificateValidity =
    base::Duration::Seconds(int64_t{365} * 86'400);
// A certificate with less validity left is renewed.
inline constexpr base::Duration kRenewalMargin = base::Duration::Seconds(int64_t{30} * 86'400);

base::Result<KeyPair> MakeAuthority(std::string_view name, base::Time now);

// `names` are the host names and IP addresses of the server, at least one.
base::Result<KeyPair> IssueServer(const KeyPair& authority, std::span<const std::string> names,
                                  base::Time now);

base::Result<KeyPair> IssueClient(const KeyPair& authority, const Subject& subject, base::Time now);

// The contents of a certificate.
struct CertificateInfo {
  Subject subject;
  std::vector<std::string> names;  // host names and IP addresses in canonical form
  base::Time not_before;
  base::Time not_after;
};

base::Result<CertificateInfo> ReadCertificate(std::string_view pem);

// True if the certificate is valid for all of the names.
bool Covers(const CertificateInfo& info, std::span<const std::string> names);

Subject SubjectOf(const x509_st& certificate);

// True if the key belongs to the certificate and the authority has signed it.
bool IsIntact(const KeyPair& pair, std::string_view authority_certificate);

}  // namespace berth::http
