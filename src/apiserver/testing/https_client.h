#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "apiserver/tls_credentials.h"

namespace berth::apiserver::testing {

struct HttpsRequest {
  std::string method = "GET";
  std::string target = "/";
  std::vector<std::pair<std::string, std::string>> headers;
  std::string body;
};

struct HttpsResponse {
  int status = 0;  // 0: no answer, the connection broke
  std::string head;
  std::string body;

  // The value of a header field, "" if it is not there.
  std::string Header(std::string_view name) const;
};

// A client that does one thing after the other and waits for each. It trusts the authority of the
// credentials, and shows the administrator's certificate unless told not to.
class HttpsClient {
 public:
  HttpsClient(uint16_t port, const TlsCredentials& credentials, bool shows_certificate = true);
  ~HttpsClient();

  bool is_connected() const;

  HttpsResponse Do(const HttpsRequest& request);
  // The two halves of Do, so that several clients can wait for their answers at the same time.
  bool Start(const HttpsRequest& request);
  HttpsResponse Finish(bool has_body = true);
  HttpsResponse Get(std::string target) { return Do({.target = std::move(target)}); }

  // For streams: sends the request and reads the head only; then the text of one chunk after the
  // other, "" at the end in good order, nullopt if the connection broke.
  HttpsResponse Begin(const HttpsRequest& request);
  std::optional<std::string> NextChunk();

  // For many streams at once: the socket to wait for, and whatever there is to read, framing and
  // all; "" at the end.
  int file() const;
  std::string ReadSome();

  // Sends bytes as they are.
  bool Send(std::string_view bytes);

 private:
  struct Wire;
  bool ReadMore();
  bool ReadUntil(std::string_view mark);
  HttpsResponse ReadHead();

  std::unique_ptr<Wire> wire_;
  std::string input_;
};

}  // namespace berth::apiserver::testing
