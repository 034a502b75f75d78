#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "http/tls_credentials.h"

namespace berth::http::testing {

struct HttpsRequest {
  std::string method = "GET";
  std::string target = "/";
  std::vector<std::pair<std::string, std::string>> headers;
  std::string body;
};

struct HttpsResponse {
  int status = 0;  // 0: no response, the connection broke
  std::string head;
  std::string body;

  // The value of a header field; "" if it is absent.
  std::string Header(std::string_view name) const;
};

// A blocking client. Trusts the authority of the credentials and, unless `shows_certificate` is
// false, presents the administrator's certificate.
class HttpsClient {
 public:
  HttpsClient(uint16_t port, const http::TlsCredentials& credentials,
              bool shows_certificate = true);
  // Without TLS, for a plain server.
  explicit HttpsClient(uint16_t port);
  ~HttpsClient();

  bool is_connected() const;

  HttpsResponse Do(const HttpsRequest& request);
  // The two halves of Do, for several clients with requests in flight.
  bool Start(const HttpsRequest& request);
  HttpsResponse Finish(bool has_body = true);
  HttpsResponse Get(std::string target) { return Do({.target = std::move(target)}); }

  // For streams: Begin sends the request and reads only the head. NextChunk reads one chunk: "" at
  // the regular end, nullopt if the connection broke.
  HttpsResponse Begin(const HttpsRequest& request);
  std::optional<std::string> NextChunk();

  // For many streams at once: the socket to poll, and the available bytes including framing; "" at
  // the end.
  int file() const;
  std::string ReadSome();

  // Sends raw bytes.
  bool Send(std::string_view bytes);

 private:
  struct Wire;
  bool ReadMore();
  bool ReadUntil(std::string_view mark);
  HttpsResponse ReadHead();

  std::unique_ptr<Wire> wire_;
  std::string input_;
};

}  // namespace berth::http::testing
