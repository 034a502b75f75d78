#include "http/tls.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <openssl/ssl.h>

#include <memory>
#include <string>
#include <vector>

#include "store/system_time.h"

namespace berth::http {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class TlsTest : public ::testing::Test {
 protected:
  static const TlsCredentials& Credentials() {
    static const TlsCredentials kCredentials = *MakeTlsCredentials({}, store::SystemTime());
    return kCredentials;
  }

  std::string SetUp(const TlsCredentials& credentials, const TlsLimits& limits = {}) {
    context_.reset(SSL_CTX_new(TLS_server_method()));
    const auto ready = SetUpTls(*context_, credentials, limits);
    return ready ? "" : ready.error().message;
  }

  // TLS 1.2 ciphers only.
  std::vector<std::string> Ciphers() const {
    std::vector<std::string> names;
    const STACK_OF(SSL_CIPHER)* all = SSL_CTX_get_ciphers(context_.get());
    for (int i = 0; i < sk_SSL_CIPHER_num(all); ++i) {
      const SSL_CIPHER* cipher = sk_SSL_CIPHER_value(all, i);
      if (std::string(SSL_CIPHER_get_version(cipher)) != "TLSv1.3")
        names.emplace_back(SSL_CIPHER_standard_name(cipher));
    }
    return names;
  }

  std::unique_ptr<SSL_CTX, decltype(&SSL_CTX_free)> context_{nullptr, &SSL_CTX_free};
};

TEST_F(TlsTest, SendsTheCertificateChain) {
  TlsCredentials credentials = Credentials();
  ASSERT_EQ(SetUp(credentials), "");
  STACK_OF(X509)* chain = nullptr;
  SSL_CTX_get0_chain_certs(context_.get(), &chain);
  EXPECT_EQ(sk_X509_num(chain), -1) << "there are none";

  credentials.server.certificate += "\n" + credentials.authority + credentials.authority;
  ASSERT_EQ(SetUp(credentials), "");
  SSL_CTX_get0_chain_certs(context_.get(), &chain);
  EXPECT_EQ(sk_X509_num(chain), 2);
}

TEST_F(TlsTest, AppliesTheConfiguredLimits) {
  ASSERT_EQ(SetUp(Credentials()), "");
  EXPECT_EQ(SSL_CTX_get_min_proto_version(context_.get()), TLS1_2_VERSION);
  EXPECT_GT(Ciphers().size(), 3u);

  ASSERT_EQ(SetUp(Credentials(), {.needs_tls13 = true}), "");
  EXPECT_EQ(SSL_CTX_get_min_proto_version(context_.get()), TLS1_3_VERSION);

  ASSERT_EQ(SetUp(Credentials(), {.cipher_suites = {"TLS_AES_128_GCM_SHA256",
                                                    "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
                                                    "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305"},
                                  .curves = {29, 23}}),
            "");
  EXPECT_THAT(Ciphers(), ElementsAre("TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
                                     "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256"));
}

TEST_F(TlsTest, ReportsUnusableSettings) {
  EXPECT_THAT(SetUp(Credentials(), {.cipher_suites = {"TLS_RSA_WITH_RC4_128_SHA"}}),
              HasSubstr("tls.cipherSuites"));
  EXPECT_THAT(SetUp(Credentials(), {.curves = {4588}}), HasSubstr("tls.curvePreferences"));
  EXPECT_THAT(SetUp({}), HasSubstr("certificate"));
}

}  // namespace
}  // namespace berth::http
