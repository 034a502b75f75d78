#include "http/testing/https_client.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <csignal>
#include <utility>

#include "base/text.h"

namespace berth::http::testing {
namespace {

template <class T, class Read>
T* FromPem(std::string_view pem, Read read) {
  BIO* memory = BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size()));
  T* object = read(memory, nullptr, nullptr, nullptr);
  BIO_free(memory);
  return object;
}

void Trust(SSL_CTX* context, const http::TlsCredentials& credentials) {
  X509* authority = FromPem<X509>(credentials.authority, PEM_read_bio_X509);
  X509_STORE_add_cert(SSL_CTX_get_cert_store(context), authority);
  X509_free(authority);
  SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nullptr);
}

void Show(SSL_CTX* context, const http::KeyPair& pair) {
  X509* certificate = FromPem<X509>(pair.certificate, PEM_read_bio_X509);
  EVP_PKEY* key = FromPem<EVP_PKEY>(pair.key, PEM_read_bio_PrivateKey);
  SSL_CTX_use_certificate(context, certificate);
  SSL_CTX_use_PrivateKey(context, key);
  X509_free(certificate);
  EVP_PKEY_free(key);
}

int Connect(uint16_t port) {
  const int socket_file = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const int yes = 1;
  setsockopt(socket_file, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof(yes));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (connect(socket_file, reinterpret_cast<sockaddr*>(&address), sizeof(address)) == 0)
    return socket_file;
  close(socket_file);
  return -1;
}

}  // namespace

struct HttpsClient::Wire {
  SSL_CTX* context = SSL_CTX_new(TLS_client_method());
  SSL* tls = nullptr;
  int socket_file = -1;
  bool is_plain = false;

  ptrdiff_t Write(std::string_view bytes) const {
    return is_plain ? write(socket_file, bytes.data(), bytes.size())
                    : SSL_write(tls, bytes.data(), static_cast<int>(bytes.size()));
  }
  ptrdiff_t Read(char* to, size_t size) const {
    return is_plain ? read(socket_file, to, size) : SSL_read(tls, to, static_cast<int>(size));
  }

  ~Wire() {
    SSL_free(tls);
    SSL_CTX_free(context);
    if (socket_file >= 0) close(socket_file);
  }
};

std::string HttpsResponse::Header(std::string_view name) const {
  const std::string lower_head = base::LowerCase(head);
  const size_t at = lower_head.find("\r\n" + base::LowerCase(name) + ": ");
  if (at == std::string::npos) return {};
  const size_t begin = at + name.size() + 4;
  return head.substr(begin, head.find("\r\n", begin) - begin);
}

HttpsClient::HttpsClient(uint16_t port, const http::TlsCredentials& credentials,
                         bool shows_certificate)
    : wire_(std::make_unique<Wire>()) {
  std::signal(SIGPIPE, SIG_IGN);  // a closed connection is a result, not a crash
  Trust(wire_->context, credentials);
  if (shows_certificate) Show(wire_->context, credentials.admin);
  wire_->socket_file = Connect(port);
  SSL* tls = SSL_new(wire_->context);
  SSL_set_fd(tls, wire_->socket_file);
  SSL_set1_host(tls, "localhost");
  if (wire_->socket_file >= 0 && SSL_connect(tls) == 1) {
    wire_->tls = tls;
  } else {
    SSL_free(tls);
  }
}

HttpsClient::HttpsClient(uint16_t port) : wire_(std::make_unique<Wire>()) {
  std::signal(SIGPIPE, SIG_IGN);
  wire_->is_plain = true;
  wire_->socket_file = Connect(port);
}

HttpsClient::~HttpsClient() = default;

bool HttpsClient::is_connected() const {
  return wire_->is_plain ? wire_->socket_file >= 0 : wire_->tls != nullptr;
}

bool HttpsClient::Send(std::string_view bytes) { return is_connected() && wire_->Write(bytes) > 0; }

bool HttpsClient::ReadMore() {
  char buffer[16 << 10];
  const ptrdiff_t size = is_connected() ? wire_->Read(buffer, sizeof(buffer)) : 0;
  if (size <= 0) return false;
  input_.append(buffer, static_cast<size_t>(size));
  return true;
}

bool HttpsClient::ReadUntil(std::string_view mark) {
  while (input_.find(mark) == std::string::npos) {
    if (!ReadMore()) return false;
  }
  return true;
}

bool HttpsClient::Start(const HttpsRequest& request) {
  std::string text = request.method + " " + request.target + " HTTP/1.1\r\nHost: localhost\r\n";
  for (const auto& [name, value] : request.headers) text += name + ": " + value + "\r\n";
  if (!request.body.empty() || request.method != "GET")
    text += "Content-Length: " + std::to_string(request.body.size()) + "\r\n";
  text += "\r\n" + request.body;
  return Send(text);
}

HttpsResponse HttpsClient::ReadHead() {
  if (!ReadUntil("\r\n\r\n")) return {};
  HttpsResponse response;
  const size_t end = input_.find("\r\n\r\n") + 4;
  response.head = input_.substr(0, end);
  input_.erase(0, end);
  std::from_chars(response.head.data() + 9, response.head.data() + 12, response.status);
  return response;
}

HttpsResponse HttpsClient::Finish(bool has_body) {
  HttpsResponse response = ReadHead();
  if (response.status == 0 || !has_body) return response;
  const std::string length = response.Header("Content-Length");
  size_t size = 0;
  std::from_chars(length.data(), length.data() + length.size(), size);
  while (input_.size() < size) {
    if (!ReadMore()) return {};
  }
  response.body = input_.substr(0, size);
  input_.erase(0, size);
  return response;
}

HttpsResponse HttpsClient::Begin(const HttpsRequest& request) {
  return Start(request) ? ReadHead() : HttpsResponse{};
}

HttpsResponse HttpsClient::Do(const HttpsRequest& request) {
  return Start(request) ? Finish(request.method != "HEAD") : HttpsResponse{};
}

int HttpsClient::file() const { return wire_->socket_file; }

std::string HttpsClient::ReadSome() {
  if (input_.empty()) ReadMore();
  // Bytes already decrypted by OpenSSL do not make the socket readable.
  while (wire_->tls != nullptr && SSL_pending(wire_->tls) > 0 && ReadMore()) {
  }
  return std::exchange(input_, {});
}

std::optional<std::string> HttpsClient::NextChunk() {
  if (!ReadUntil("\r\n")) return std::nullopt;
  size_t size = 0;
  std::from_chars(input_.data(), input_.data() + input_.find("\r\n"), size, 16);
  input_.erase(0, input_.find("\r\n") + 2);
  while (input_.size() < size + 2) {
    if (!ReadMore()) return std::nullopt;
  }
  std::string chunk = input_.substr(0, size);
  input_.erase(0, size + 2);
  return chunk;
}

}  // namespace berth::http::testing
