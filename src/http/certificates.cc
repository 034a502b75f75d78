#include "http/certificates.h"

#include <arpa/inet.h>
#include <openssl/bio.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509v3.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <memory>

namespace berth::http {
namespace {

template <auto kFree>
struct Freer {
  template <class T>
  void operator()(T* object) const {
    kFree(object);
  }
};
using Certificate = std::unique_ptr<X509, Freer<X509_free>>;
using Key = std::unique_ptr<EVP_PKEY, Freer<EVP_PKEY_free>>;
using Memory = std::unique_ptr<BIO, Freer<BIO_free>>;
using Names = std::unique_ptr<GENERAL_NAMES, Freer<GENERAL_NAMES_free>>;
using Extension = std::unique_ptr<X509_EXTENSION, Freer<X509_EXTENSION_free>>;

std::unexpected<base::Error> Broken(std::string action) {
  return base::Fail("cannot " + std::move(action), "OpenSSL failed; check its installation");
}

Certificate ParseCertificate(std::string_view pem) {
  const Memory memory(BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())));
  return Certificate(PEM_read_bio_X509(memory.get(), nullptr, nullptr, nullptr));
}

Key ParseKey(std::string_view pem) {
  const Memory memory(BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())));
  return Key(PEM_read_bio_PrivateKey(memory.get(), nullptr, nullptr, nullptr));
}

std::string TextOf(BIO* memory) {
  char* text = nullptr;
  const long size = BIO_get_mem_data(memory, &text);
  return size > 0 ? std::string(text, static_cast<size_t>(size)) : std::string();
}

std::string_view TextOf(const ASN1_STRING* text) {
  return {reinterpret_cast<const char*>(ASN1_STRING_get0_data(text)),
          static_cast<size_t>(ASN1_STRING_length(text))};
}

base::Result<KeyPair> ToPem(X509* certificate, EVP_PKEY* key) {
  const Memory certificate_pem(BIO_new(BIO_s_mem()));
  const Memory key_pem(BIO_new(BIO_s_mem()));
  if (PEM_write_bio_X509(certificate_pem.get(), certificate) != 1 ||
      PEM_write_bio_PrivateKey(key_pem.get(), key, nullptr, nullptr, 0, nullptr, nullptr) != 1)
    return Broken("write a certificate");
  return KeyPair{.certificate = TextOf(certificate_pem.get()), .key = TextOf(key_pem.get())};
}

bool SetSerial(X509* certificate) {
  std::array<unsigned char, 16> bytes;
  if (RAND_bytes(bytes.data(), bytes.size()) != 1) return false;
  bytes[0] = static_cast<unsigned char>((bytes[0] & 0x7f) | 0x40);  // positive, full length
  const std::unique_ptr<BIGNUM, Freer<BN_free>> number(
      BN_bin2bn(bytes.data(), bytes.size(), nullptr));
  return BN_to_ASN1_INTEGER(number.get(), X509_get_serialNumber(certificate)) != nullptr;
}

bool SetValidity(X509* certificate, base::Time now, base::Duration life) {
  // Backdated to tolerate clock skew.
  const base::Time from = now - base::Duration::Seconds(300);
  return ASN1_TIME_set(X509_getm_notBefore(certificate), from.seconds()) != nullptr &&
         ASN1_TIME_set(X509_getm_notAfter(certificate), (now + life).seconds()) != nullptr;
}

bool AddName(X509_NAME* name, const char* field, std::string_view text) {
  return X509_NAME_add_entry_by_txt(name, field, MBSTRING_UTF8,
                                    reinterpret_cast<const unsigned char*>(text.data()),
                                    static_cast<int>(text.size()), -1, 0) == 1;
}

bool SetSubject(X509* certificate, const Subject& subject) {
  X509_NAME* name = X509_get_subject_name(certificate);
  for (const std::string& group : subject.groups) {
    if (!AddName(name, "O", group)) return false;
  }
  return AddName(name, "CN", subject.user);
}

// Values must be constants: OpenSSL parses them as a configuration language.
bool AddExtension(X509* certificate, X509* issuer, int id, const char* value) {
  X509V3_CTX context;
  X509V3_set_ctx(&context, issuer, certificate, nullptr, nullptr, 0);
  const Extension extension(X509V3_EXT_conf_nid(nullptr, &context, id, value));
  return extension != nullptr && X509_add_ext(certificate, extension.get(), -1) == 1;
}

bool AddAlternativeName(GENERAL_NAMES* names, const std::string& text) {
  GENERAL_NAME* name = GENERAL_NAME_new();
  if (ASN1_OCTET_STRING* address = a2i_IPADDRESS(text.c_str()); address != nullptr) {
    GENERAL_NAME_set0_value(name, GEN_IPADD, address);
  } else {
    ASN1_IA5STRING* host = ASN1_IA5STRING_new();
    ASN1_STRING_set(host, text.data(), static_cast<int>(text.size()));
    GENERAL_NAME_set0_value(name, GEN_DNS, host);
  }
  return sk_GENERAL_NAME_push(names, name) > 0;
}

bool AddAlternativeNames(X509* certificate, std::span<const std::string> texts) {
  const Names names(GENERAL_NAMES_new());
  for (const std::string& text : texts) {
    if (!AddAlternativeName(names.get(), text)) return false;
  }
  return X509_add1_ext_i2d(certificate, NID_subject_alt_name, names.get(), 0, X509V3_ADD_DEFAULT) ==
         1;
}

struct Purpose {
  const char* basic_constraints;
  const char* key_usage;
  const char* extended_key_usage = nullptr;
};
constexpr Purpose kToVouch{"critical,CA:TRUE", "critical,digitalSignature,keyCertSign"};
constexpr Purpose kToServe{"critical,CA:FALSE", "critical,digitalSignature", "serverAuth"};
constexpr Purpose kToCall{"critical,CA:FALSE", "critical,digitalSignature", "clientAuth"};

bool AddPurpose(X509* certificate, X509* issuer, const Purpose& purpose) {
  if (purpose.extended_key_usage != nullptr &&
      !AddExtension(certificate, issuer, NID_ext_key_usage, purpose.extended_key_usage))
    return false;
  return AddExtension(certificate, issuer, NID_basic_constraints, purpose.basic_constraints) &&
         AddExtension(certificate, issuer, NID_key_usage, purpose.key_usage) &&
         AddExtension(certificate, issuer, NID_subject_key_identifier, "hash") &&
         AddExtension(certificate, issuer, NID_authority_key_identifier, "keyid");
}

struct Order {
  const Subject& subject;
  const Purpose& purpose;
  base::Duration life;
  base::Time now;
  std::span<const std::string> names = {};
};

// Sets everything except the signature.
bool Fill(X509* certificate, X509* issuer, EVP_PKEY* key, const Order& order) {
  return X509_set_version(certificate, X509_VERSION_3) == 1 && SetSerial(certificate) &&
         SetValidity(certificate, order.now, order.life) &&
         SetSubject(certificate, order.subject) &&
         X509_set_issuer_name(certificate, X509_get_subject_name(issuer)) == 1 &&
         X509_set_pubkey(certificate, key) == 1 && AddPurpose(certificate, issuer, order.purpose) &&
         (order.names.empty() || AddAlternativeNames(certificate, order.names));
}

base::Result<KeyPair> Issue(const KeyPair& authority, const Order& order) {
  const Certificate issuer = ParseCertificate(authority.certificate);
  const Key issuer_key = ParseKey(authority.key);
  if (issuer == nullptr || issuer_key == nullptr)
    return base::Fail("the certificate authority's files are not PEM",
                      "delete its certificate and key to generate new ones");
  const Key key(EVP_PKEY_Q_keygen(nullptr, nullptr, "EC", "P-256"));
  const Certificate certificate(X509_new());
  if (key == nullptr || !Fill(certificate.get(), issuer.get(), key.get(), order) ||
      X509_sign(certificate.get(), issuer_key.get(), EVP_sha256()) == 0)
    return Broken("make a certificate for " + order.subject.user);
  return ToPem(certificate.get(), key.get());
}

base::Time TimeOf(const ASN1_TIME* time) {
  std::tm parts{};
  if (ASN1_TIME_to_tm(time, &parts) != 1) return {};
  return base::Time::FromSeconds(timegm(&parts));
}

// The canonical text of a binary IP address.
std::string AddressText(std::string_view bytes) {
  char text[INET6_ADDRSTRLEN] = "";
  inet_ntop(bytes.size() == 4 ? AF_INET : AF_INET6, bytes.data(), text, sizeof(text));
  return text;
}

// IP addresses in canonical form; other names unchanged.
std::string NormalName(const std::string& name) {
  const std::unique_ptr<ASN1_OCTET_STRING, Freer<ASN1_OCTET_STRING_free>> address(
      a2i_IPADDRESS(name.c_str()));
  return address == nullptr ? name : AddressText(TextOf(address.get()));
}

std::vector<std::string> AlternativeNames(const X509* certificate) {
  const Names names(static_cast<GENERAL_NAMES*>(
      X509_get_ext_d2i(certificate, NID_subject_alt_name, nullptr, nullptr)));
  std::vector<std::string> texts;
  for (int i = 0; names != nullptr && i < sk_GENERAL_NAME_num(names.get()); ++i) {
    const GENERAL_NAME* name = sk_GENERAL_NAME_value(names.get(), i);
    if (name->type == GEN_DNS) texts.emplace_back(TextOf(name->d.dNSName));
    if (name->type == GEN_IPADD) texts.push_back(AddressText(TextOf(name->d.iPAddress)));
  }
  return texts;
}

}  // namespace

base::Result<KeyPair> MakeAuthority(std::string_view name, base::Time now) {
  const Key key(EVP_PKEY_Q_keygen(nullptr, nullptr, "EC", "P-256"));
  const Certificate certificate(X509_new());
  const Subject subject{.user = std::string(name), .groups = {}};
  const Order order{
      .subject = subject, .purpose = kToVouch, .life = kAuthorityValidity, .now = now};
  if (key == nullptr || certificate == nullptr ||
      !Fill(certificate.get(), certificate.get(), key.get(), order) ||
      X509_sign(certificate.get(), key.get(), EVP_sha256()) == 0)
    return Broken("make a certificate authority");
  return ToPem(certificate.get(), key.get());
}

base::Result<KeyPair> IssueServer(const KeyPair& authority, std::span<const std::string> names,
                                  base::Time now) {
  const Subject subject{.user = "berth-apiserver", .groups = {}};
  return Issue(authority, {.subject = subject,
                           .purpose = kToServe,
                           .life = kCertificateValidity,
                           .now = now,
                           .names = names});
}

base::Result<KeyPair> IssueClient(const KeyPair& authority, const Subject& subject,
                                  base::Time now) {
  return Issue(authority,
               {.subject = subject, .purpose = kToCall, .life = kCertificateValidity, .now = now});
}

Subject SubjectOf(const x509_st& certificate) {
  Subject subject;
  const X509_NAME* name = X509_get_subject_name(&certificate);
  for (int i = 0; i < X509_NAME_entry_count(name); ++i) {
    const X509_NAME_ENTRY* entry = X509_NAME_get_entry(name, i);
    const int field = OBJ_obj2nid(X509_NAME_ENTRY_get_object(entry));
    const std::string_view text = TextOf(X509_NAME_ENTRY_get_data(entry));
    if (field == NID_commonName) subject.user = text;
    if (field == NID_organizationName) subject.groups.emplace_back(text);
  }
  return subject;
}

base::Result<CertificateInfo> ReadCertificate(std::string_view pem) {
  const Certificate certificate = ParseCertificate(pem);
  if (certificate == nullptr) return base::Fail("not a certificate in PEM form");
  return CertificateInfo{.subject = SubjectOf(*certificate),
                         .names = AlternativeNames(certificate.get()),
                         .not_before = TimeOf(X509_get0_notBefore(certificate.get())),
                         .not_after = TimeOf(X509_get0_notAfter(certificate.get()))};
}

bool Covers(const CertificateInfo& info, std::span<const std::string> names) {
  return std::ranges::all_of(names, [&](const std::string& name) {
    return std::ranges::find(info.names, NormalName(name)) != info.names.end();
  });
}

bool IsIntact(const KeyPair& pair, std::string_view authority_certificate) {
  const Certificate certificate = ParseCertificate(pair.certificate);
  const Certificate authority = ParseCertificate(authority_certificate);
  const Key key = ParseKey(pair.key);
  if (certificate == nullptr || authority == nullptr || key == nullptr) return false;
  return X509_check_private_key(certificate.get(), key.get()) == 1 &&
         X509_verify(certificate.get(), X509_get0_pubkey(authority.get())) == 1;
}

}  // namespace berth::http
