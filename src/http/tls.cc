#include "http/tls.h"

#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>

#include <memory>
#include <string>
#include <string_view>

namespace berth::http {
namespace {

// Only HTTP/1.1 is offered. Without a common protocol, ALPN is ignored and the connection uses
// HTTP/1.1.
int ChooseProtocol(SSL*, const unsigned char** out, unsigned char* out_size,
                   const unsigned char* in, unsigned int in_size, void*) {
  static constexpr unsigned char kOffer[] = "\x08http/1.1";
  unsigned char* chosen = nullptr;
  if (SSL_select_next_proto(&chosen, out_size, kOffer, sizeof(kOffer) - 1, in, in_size) !=
      OPENSSL_NPN_NEGOTIATED)
    return SSL_TLSEXT_ERR_NOACK;
  *out = chosen;
  return SSL_TLSEXT_ERR_OK;
}

using PemReader = std::unique_ptr<BIO, decltype(&BIO_free)>;

PemReader ReaderOf(std::string_view pem) {
  return {BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())), &BIO_free};
}

template <class T, class Read, class Free>
std::unique_ptr<T, Free> FromPem(std::string_view pem, Read read, Free free) {
  return {read(ReaderOf(pem).get(), nullptr, nullptr, nullptr), free};
}

// Adds intermediate certificates, so that clients that know only the root can build the chain.
bool UseChain(SSL_CTX& context, std::string_view pem) {
  const PemReader reader = ReaderOf(pem);
  X509_free(PEM_read_bio_X509(reader.get(), nullptr, nullptr, nullptr));
  while (X509* next = PEM_read_bio_X509(reader.get(), nullptr, nullptr, nullptr)) {
    if (SSL_CTX_add0_chain_cert(&context, next) == 1) continue;
    X509_free(next);
    return false;
  }
  ERR_clear_error();  // expected end-of-input error
  return true;
}

// Adds the authorities whose client certificates are accepted.
bool TrustAll(SSL_CTX& context, std::string_view pem) {
  const PemReader reader = ReaderOf(pem);
  bool has_any = false;
  while (const std::unique_ptr<X509, decltype(&X509_free)> next{
      PEM_read_bio_X509(reader.get(), nullptr, nullptr, nullptr), &X509_free}) {
    if (X509_STORE_add_cert(SSL_CTX_get_cert_store(&context), next.get()) != 1) return false;
    has_any = true;
  }
  ERR_clear_error();  // expected end-of-input error
  return has_any;
}

bool UseCredentials(SSL_CTX& context, const TlsCredentials& credentials) {
  const auto certificate =
      FromPem<X509>(credentials.server.certificate, PEM_read_bio_X509, &X509_free);
  const auto key =
      FromPem<EVP_PKEY>(credentials.server.key, PEM_read_bio_PrivateKey, &EVP_PKEY_free);
  return certificate != nullptr && key != nullptr &&
         SSL_CTX_use_certificate(&context, certificate.get()) == 1 &&
         SSL_CTX_use_PrivateKey(&context, key.get()) == 1 &&
         UseChain(context, credentials.server.certificate) &&
         TrustAll(context, credentials.authority);
}

// TLS 1.3 suites are not configurable, as in Go. Go shortens the names of two suites.
std::string CipherList(const std::vector<std::string>& suites) {
  std::string list;
  for (const std::string& suite : suites) {
    if (suite.find("_WITH_") == std::string::npos) continue;
    const std::string full = suite.ends_with("_POLY1305") ? suite + "_SHA256" : suite;
    const std::string_view name = OPENSSL_cipher_name(full.c_str());
    if (name != "(NONE)") list += (list.empty() ? "" : ":") + std::string(name);
  }
  return list;
}

std::string GroupList(const std::vector<int32_t>& curves) {
  std::string list;
  for (const int32_t curve : curves) {
    const std::string_view name = curve == 23   ? "P-256"
                                  : curve == 24 ? "P-384"
                                  : curve == 25 ? "P-521"
                                  : curve == 29 ? "X25519"
                                                : "";
    if (!name.empty()) list += (list.empty() ? "" : ":") + std::string(name);
  }
  return list;
}

base::Result<void> SetLimits(SSL_CTX& context, const TlsLimits& limits) {
  SSL_CTX_set_min_proto_version(&context, limits.needs_tls13 ? TLS1_3_VERSION : TLS1_2_VERSION);
  const std::string ciphers = CipherList(limits.cipher_suites);
  if (!limits.cipher_suites.empty() && !limits.needs_tls13 &&
      (ciphers.empty() || SSL_CTX_set_cipher_list(&context, ciphers.c_str()) != 1))
    return base::Fail("none of tls.cipherSuites can be used",
                      "name one such as TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256");
  std::string groups = GroupList(limits.curves);
  if (!limits.curves.empty() &&
      (groups.empty() || SSL_CTX_set1_groups_list(&context, groups.data()) != 1))
    return base::Fail("none of tls.curvePreferences can be used",
                      "choose from 23 (P-256), 24 (P-384), 25 (P-521) and 29 (X25519)");
  return {};
}

}  // namespace

base::Result<void> SetUpTls(SSL_CTX& context, const TlsCredentials& credentials,
                            const TlsLimits& limits) {
  if (!UseCredentials(context, credentials))
    return base::Fail("the server's certificate cannot be used",
                      "delete it and its key to generate new ones");
  if (auto set = SetLimits(context, limits); !set) return set;
  SSL_CTX_set_verify(&context, SSL_VERIFY_PEER, nullptr);
  SSL_CTX_set_mode(&context, SSL_MODE_RELEASE_BUFFERS);
  // No session resumption: every connection does a full handshake.
  SSL_CTX_set_options(&context, SSL_OP_NO_TICKET | SSL_OP_NO_RENEGOTIATION);
  SSL_CTX_set_num_tickets(&context, 0);
  SSL_CTX_set_session_cache_mode(&context, SSL_SESS_CACHE_OFF);
  SSL_CTX_set_alpn_select_cb(&context, ChooseProtocol, nullptr);
  return {};
}

}  // namespace berth::http
