#include "apiserver/http_tls.h"

#include <openssl/pem.h>
#include <openssl/ssl.h>

#include <memory>
#include <string_view>

namespace berth::apiserver {
namespace {

// Of what the client offers, HTTP/1.1 is what there is. With nothing in common the connection goes
// on without a word about it, as HTTP/1.1.
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

template <class T, class Read, class Free>
std::unique_ptr<T, Free> FromPem(std::string_view pem, Read read, Free free) {
  BIO* memory = BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size()));
  std::unique_ptr<T, Free> object(read(memory, nullptr, nullptr, nullptr), free);
  BIO_free(memory);
  return object;
}

bool UseCredentials(SSL_CTX& context, const TlsCredentials& credentials) {
  const auto certificate =
      FromPem<X509>(credentials.server.certificate, PEM_read_bio_X509, &X509_free);
  const auto key =
      FromPem<EVP_PKEY>(credentials.server.key, PEM_read_bio_PrivateKey, &EVP_PKEY_free);
  const auto authority = FromPem<X509>(credentials.authority, PEM_read_bio_X509, &X509_free);
  return certificate != nullptr && key != nullptr && authority != nullptr &&
         SSL_CTX_use_certificate(&context, certificate.get()) == 1 &&
         SSL_CTX_use_PrivateKey(&context, key.get()) == 1 &&
         X509_STORE_add_cert(SSL_CTX_get_cert_store(&context), authority.get()) == 1;
}

}  // namespace

base::Result<void> SetUpTls(SSL_CTX& context, const TlsCredentials& credentials) {
  if (!UseCredentials(context, credentials))
    return base::Fail("the server's certificate cannot be used",
                      "delete it and its key to have a new one made");
  SSL_CTX_set_min_proto_version(&context, TLS1_2_VERSION);
  SSL_CTX_set_verify(&context, SSL_VERIFY_PEER, nullptr);
  SSL_CTX_set_mode(&context, SSL_MODE_RELEASE_BUFFERS);
  // Every connection proves itself anew; nothing is kept of the ones before.
  SSL_CTX_set_options(&context, SSL_OP_NO_TICKET | SSL_OP_NO_RENEGOTIATION);
  SSL_CTX_set_num_tickets(&context, 0);
  SSL_CTX_set_session_cache_mode(&context, SSL_SESS_CACHE_OFF);
  SSL_CTX_set_alpn_select_cb(&context, ChooseProtocol, nullptr);
  return {};
}

}  // namespace berth::apiserver
