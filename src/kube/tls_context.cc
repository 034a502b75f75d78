#include "kube/tls_context.h"

#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>

#include <memory>
#include <string_view>
#include <utility>

namespace berth::kube {
namespace {

using CertificatePtr = std::unique_ptr<X509, decltype(&X509_free)>;
using KeyPtr = std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)>;
using BioPtr = std::unique_ptr<BIO, decltype(&BIO_free)>;

BioPtr BioOf(std::string_view pem) {
  return {BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())), &BIO_free};
}

// Calls `take` with each certificate of the text; false if one was rejected or there was none.
template <class Take>
bool ForEachCertificate(std::string_view pem, Take take) {
  const BioPtr bio = BioOf(pem);
  bool has_any = false;
  while (true) {
    const CertificatePtr certificate(PEM_read_bio_X509(bio.get(), nullptr, nullptr, nullptr),
                                     &X509_free);
    if (certificate == nullptr) break;
    if (!take(*certificate)) return false;
    has_any = true;
  }
  ERR_clear_error();  // OpenSSL reports the end of the text as an error
  return has_any;
}

bool TrustAuthorities(SSL_CTX& context, std::string_view pem) {
  X509_STORE* trusted = SSL_CTX_get_cert_store(&context);
  // As in Go: a listed certificate is trusted even if it is not self-signed.
  X509_STORE_set_flags(trusted, X509_V_FLAG_PARTIAL_CHAIN);
  return ForEachCertificate(
      pem, [&](X509& certificate) { return X509_STORE_add_cert(trusted, &certificate) == 1; });
}

bool ShowCertificate(SSL_CTX& context, const TlsIdentity& identity) {
  bool is_first = true;
  const bool is_taken = ForEachCertificate(identity.certificate, [&](X509& certificate) {
    if (std::exchange(is_first, false)) return SSL_CTX_use_certificate(&context, &certificate) == 1;
    return SSL_CTX_add1_chain_cert(&context, &certificate) == 1;
  });
  if (!is_taken) return false;
  const BioPtr bio = BioOf(identity.key);
  const KeyPtr key(PEM_read_bio_PrivateKey(bio.get(), nullptr, nullptr, nullptr), &EVP_PKEY_free);
  return key != nullptr && SSL_CTX_use_PrivateKey(&context, key.get()) == 1 &&
         SSL_CTX_check_private_key(&context) == 1;
}

}  // namespace

base::Result<void> SetUpClientTls(ssl_ctx_st& context, const TlsIdentity& identity) {
  SSL_CTX_set_min_proto_version(&context, TLS1_2_VERSION);
  SSL_CTX_set_verify(&context, identity.skips_verification ? SSL_VERIFY_NONE : SSL_VERIFY_PEER,
                     nullptr);
  SSL_CTX_set_mode(&context, SSL_MODE_RELEASE_BUFFERS);
  static constexpr unsigned char kProtocols[] = "\x08http/1.1";
  SSL_CTX_set_alpn_protos(&context, kProtocols, sizeof(kProtocols) - 1);
  if (identity.authority.empty()) {
    SSL_CTX_set_default_verify_paths(&context);
  } else if (!TrustAuthorities(context, identity.authority)) {
    return base::Fail("the certificate authority cannot be read",
                      "it must be one or more certificates in PEM form");
  }
  if (identity.certificate.empty() || ShowCertificate(context, identity)) return {};
  return base::Fail("the client certificate cannot be used",
                    "certificate and key must be in PEM form and belong together");
}

}  // namespace berth::kube
