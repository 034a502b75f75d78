#include "http/server.h"

#include <gmock/gmock.h>

#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>

#include "http/testing/https_client.h"
#include "store/system_time.h"
#include "store/testing/eventually.h"

namespace berth::http {
namespace {

using ::testing::HasSubstr;
using testing::HttpsClient;
using testing::HttpsRequest;
using testing::HttpsResponse;

constexpr std::string_view kToken = "0123456789abcdef";

const TlsCredentials& Credentials() {
  static const TlsCredentials kCredentials = *MakeTlsCredentials({}, store::SystemTime());
  return kCredentials;
}

// Echoes requests, immediately or deferred; streams on demand.
class Echo final : public Handler {
 public:
  void Handle(Request request, std::shared_ptr<Exchange> exchange) override {
    if (request.target == "/stream") return Stream(*exchange);
    if (request.target == "/large")
      return exchange->Respond({.body = Share(std::string(5 << 20, 'x'))});
    Response response{.body = Share(request.method + " " + request.target + " " +
                                    request.subject.user + " " + request.body)};
    if (request.target != "/later") return exchange->Respond(std::move(response));
    ++delayed;
    store::Executor& executor = exchange->executor();
    executor.PostAfter(base::Duration::Milliseconds(50),
                       [exchange = std::move(exchange), response = std::move(response)] {
                         exchange->Respond(response);
                       });
  }
  bool IsOpenToAll(std::string_view target) const override { return target == "/healthz"; }

  std::atomic<int> closed = 0;
  std::atomic<int> delayed = 0;
  int lines = 3;
  bool ends = true;

 private:
  void Stream(Exchange& exchange) {
    auto stream =
        exchange.BeginStream({}, {.on_writable = nullptr, .on_closed = [this] { ++closed; }});
    if (stream == nullptr) return;
    for (int i = 0; i < lines; ++i) stream->Write("<", Share(std::to_string(i)), ">\n");
    if (ends) stream->Close();
  }
};

class HttpServerTest : public ::testing::Test {
 protected:
  void Start(Limits limits = {}) {
    ServerOptions options{.credentials = Credentials(), .limits = limits};
    options.tokens = *TokenTable::Parse(std::string(kToken) + ",anna,1\n");
    auto started = Server::Start(std::move(options), handler_);
    ASSERT_TRUE(started) << base::ToString(started.error());
    server_ = *std::move(started);
  }
  HttpsClient Client(bool shows_certificate = true) {
    return HttpsClient(server_->port(), Credentials(), shows_certificate);
  }
  bool WaitForClosed(int count) {
    return store::testing::Eventually([&] { return handler_.closed >= count; }) &&
           handler_.closed == count;
  }

  Echo handler_;
  std::unique_ptr<Server> server_;
};

TEST_F(HttpServerTest, AnswersManyRequestsOnOneConnection) {
  Start();
  HttpsClient client = Client();
  for (int i = 0; i < 5; ++i) {
    const HttpsResponse response =
        client.Do({.method = "POST", .target = "/a?b=c", .body = "text"});
    EXPECT_EQ(response.status, 200);
    EXPECT_EQ(response.body, "POST /a?b=c berth-admin text");
  }
  EXPECT_THAT(client.Get("/later").body, HasSubstr("/later"));
}

TEST_F(HttpServerTest, AnswersWithoutTlsIfPlain) {
  ServerOptions options{.is_plain = true};
  options.tokens = *TokenTable::Parse(std::string(kToken) + ",anna,1\n");
  server_ = *Server::Start(std::move(options), handler_);
  HttpsClient client(server_->port());
  const HttpsRequest request{.method = "POST",
                             .target = "/a",
                             .headers = {{"Authorization", "Bearer " + std::string(kToken)}},
                             .body = "text"};
  for (int i = 0; i < 2; ++i) EXPECT_EQ(client.Do(request).body, "POST /a anna text");
  EXPECT_EQ(client.Get("/a").status, 401);
  HttpsClient large(server_->port());
  EXPECT_EQ(large.Do({.target = "/large", .headers = request.headers}).body.size(), 5u << 20);
  HttpsClient stream(server_->port());
  stream.Begin({.target = "/stream", .headers = request.headers});
  EXPECT_EQ(stream.NextChunk(), "<0>\n<1>\n<2>\n");
}

TEST_F(HttpServerTest, AuthenticatesBearerTokens) {
  Start();
  HttpsClient client = Client(false);
  const std::string bearer = "Bearer " + std::string(kToken);
  EXPECT_EQ(client.Do({.target = "/a", .headers = {{"Authorization", bearer}}}).body,
            "GET /a anna ");
}

TEST_F(HttpServerTest, RejectsUnauthenticatedRequests) {
  Start();
  const HttpsResponse response = Client(false).Get("/api");
  EXPECT_EQ(response.status, 401);
  EXPECT_THAT(response.body, HasSubstr(R"("reason":"Unauthorized")"));
  HttpsClient guesser = Client(false);
  EXPECT_EQ(guesser.Do({.target = "/api", .headers = {{"Authorization", "Bearer no"}}}).status,
            401);
}

TEST_F(HttpServerTest, AnswersUnauthenticatedRequestsOnOpenPaths) {
  Start();
  EXPECT_EQ(Client(false).Get("/healthz").body, "GET /healthz  ");
}

TEST_F(HttpServerTest, RejectsCertificatesOfOtherAuthorities) {
  Start();
  const auto others = MakeTlsCredentials({}, base::Time::FromSeconds(1'800'000'000));
  TlsCredentials mixed = Credentials();
  mixed.admin = others->admin;
  EXPECT_EQ(HttpsClient(server_->port(), mixed).Get("/a").status, 0);
}

TEST_F(HttpServerTest, RejectsBodiesOverTheLimit) {
  Start({.body_bytes = 1000});
  const HttpsResponse response =
      Client().Do({.method = "POST", .target = "/a", .body = std::string(1001, 'x')});
  EXPECT_EQ(response.status, 413);
  EXPECT_THAT(response.body, HasSubstr("limit is 1000"));
  EXPECT_EQ(Client().Do({.method = "POST", .body = std::string(1000, 'x')}).status, 200);
}

TEST_F(HttpServerTest, RejectsHeadersOverTheLimit) {
  Start({.header_bytes = 1000});
  EXPECT_EQ(Client().Get("/" + std::string(2000, 'x')).status, 431);
}

TEST_F(HttpServerTest, AnswersMalformedRequestsWithAStatus) {
  Start();
  HttpsClient client = Client();
  EXPECT_EQ(client.Do({.method = "G ET"}).status, 400);
}

TEST_F(HttpServerTest, SendsLargeBodiesCompletely) {
  Start();
  EXPECT_EQ(Client().Get("/large").body.size(), size_t{5} << 20);
}

TEST_F(HttpServerTest, ClosesIdleConnections) {
  Start({.idle = base::Duration::Milliseconds(100)});
  HttpsClient client = Client();
  ASSERT_EQ(client.Get("/a").status, 200);
  EXPECT_EQ(client.NextChunk(), std::nullopt);
}

TEST_F(HttpServerTest, ClosesConnectionsWithoutAFirstRequest) {
  Start({.header = base::Duration::Milliseconds(100), .idle = base::Duration::Seconds(5)});
  HttpsClient client = Client(false);
  ASSERT_TRUE(client.is_connected());
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(client.NextChunk(), std::nullopt);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(4));
}

// A newcomer takes the place of the oldest client that has not shown who it is.
TEST_F(HttpServerTest, KeepsRoomForAuthenticatedClients) {
  Start({.connections = 8});
  HttpsClient first = Client();
  ASSERT_EQ(first.Get("/a").status, 200);
  std::vector<std::unique_ptr<HttpsClient>> strangers;
  for (int i = 0; i < 20; ++i)
    strangers.push_back(std::make_unique<HttpsClient>(server_->port(), Credentials(), false));
  for (int i = 0; i < 3; ++i) EXPECT_EQ(Client().Get("/a").status, 200);
  EXPECT_EQ(first.Get("/a").status, 200);
}

TEST_F(HttpServerTest, ClosesConnectionsThatStallInABody) {
  Start({.body = base::Duration::Milliseconds(100)});
  HttpsClient client = Client();
  ASSERT_TRUE(client.Send("POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nhalf"));
  EXPECT_EQ(client.NextChunk(), std::nullopt);
}

TEST_F(HttpServerTest, NeedsExactlyOneHost) {
  Start();
  const auto status_of = [&](std::string_view head) {
    HttpsClient client = Client();
    EXPECT_TRUE(client.Send(head));
    return client.Finish().status;
  };
  EXPECT_EQ(status_of("GET /a HTTP/1.1\r\n\r\n"), 400);
  EXPECT_EQ(status_of("GET /a HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n"), 400);
  EXPECT_EQ(status_of("GET /a HTTP/1.1\r\nHost: a\r\nhost: a\r\n\r\n"), 400);
  EXPECT_EQ(status_of("GET /a HTTP/1.0\r\n\r\n"), 200);
  EXPECT_EQ(status_of("GET /a HTTP/1.1\r\nHost: a\r\n\r\n"), 200);
}

// Otherwise a proxy and this server could disagree about where a request ends.
TEST_F(HttpServerTest, RefusesBodiesOfUnclearLength) {
  Start();
  const auto status_of = [&](std::string_view fields) {
    HttpsClient client = Client();
    EXPECT_TRUE(
        client.Send("POST /a HTTP/1.1\r\nHost: a\r\n" + std::string(fields) + "\r\n\r\n0\r\n\r\n"));
    return client.Finish().status;
  };
  for (const char* encoding :
       {"gzip", "identity", "gzip, chunked", "chunked, gzip", "xchunked", "chunked, chunked"})
    EXPECT_EQ(status_of("Transfer-Encoding: " + std::string(encoding)), 501) << encoding;
  for (const char* fields :
       {"Transfer-Encoding: chunked\r\nTransfer-Encoding: gzip",
        "Transfer-Encoding: chunked\r\nContent-Length: 3",
        "Content-Length: 3\r\nTransfer-Encoding: chunked", "Content-Length: 3\r\nContent-Length: 4",
        "Content-Length: -1", "Content-Length: 1e3", "Content-Length : 3"})
    EXPECT_EQ(status_of(fields), 400) << fields;
  EXPECT_EQ(status_of("Transfer-Encoding: chunked"), 200);
}

TEST_F(HttpServerTest, ClosesConnectionsPastTheReadDeadline) {
  Start({.header = base::Duration::Milliseconds(100)});
  HttpsClient client = Client();
  ASSERT_TRUE(client.Send("GET / HT"));
  EXPECT_EQ(client.NextChunk(), std::nullopt);
}

TEST_F(HttpServerTest, LimitsConnections) {
  Start({.connections = 2});
  HttpsClient first = Client();
  HttpsClient second = Client();
  EXPECT_EQ(first.Get("/a").status, 200);
  EXPECT_EQ(second.Get("/a").status, 200);
  EXPECT_FALSE(Client().is_connected());
}

TEST_F(HttpServerTest, StreamsPiecesUntilTheEnd) {
  Start();
  HttpsClient client = Client();
  EXPECT_EQ(client.Begin({.target = "/stream"}).Header("Transfer-Encoding"), "chunked");
  EXPECT_EQ(client.NextChunk(), "<0>\n<1>\n<2>\n");
  EXPECT_EQ(client.NextChunk(), "");
  EXPECT_EQ(handler_.closed, 0);
}

TEST_F(HttpServerTest, DetectsAWatcherThatDisconnects) {
  handler_.ends = false;
  Start();
  {
    HttpsClient client = Client();
    client.Begin({.target = "/stream"});
    client.NextChunk();
  }
  EXPECT_TRUE(WaitForClosed(1));
}

TEST_F(HttpServerTest, EndsAStreamWhoseBacklogIsFull) {
  handler_.lines = 2'000'000;
  handler_.ends = false;
  Start({.stream_backlog_bytes = 100'000});
  HttpsClient client = Client();
  EXPECT_EQ(client.Begin({.target = "/stream"}).status, 200);
  EXPECT_TRUE(WaitForClosed(1));
  EXPECT_EQ(client.NextChunk(), "");
}

TEST_F(HttpServerTest, LimitsStreams) {
  handler_.ends = false;
  Start({.streams = 1});
  HttpsClient first = Client();
  EXPECT_EQ(first.Begin({.target = "/stream"}).status, 200);
  EXPECT_EQ(Client().Get("/stream").status, 429);
}

TEST_F(HttpServerTest, EndsStreamsCleanlyOnStop) {
  handler_.ends = false;
  Start();
  HttpsClient client = Client();
  client.Begin({.target = "/stream"});
  EXPECT_EQ(client.NextChunk(), "<0>\n<1>\n<2>\n");
  std::thread stopper([&] { server_->Stop(base::Duration::Seconds(5)); });
  EXPECT_EQ(client.NextChunk(), "");
  stopper.join();
  EXPECT_EQ(handler_.closed, 1);
}

TEST_F(HttpServerTest, FinishesRequestsInProgressOnStop) {
  Start();
  HttpsClient client = Client();
  ASSERT_TRUE(client.Start({.target = "/later"}));
  ASSERT_TRUE(store::testing::Eventually([&] { return handler_.delayed == 1; }));
  std::thread stopper([&] { server_->Stop(base::Duration::Seconds(5)); });
  const HttpsResponse response = client.Finish();
  stopper.join();
  EXPECT_EQ(response.status, 200);
  EXPECT_THAT(response.body, HasSubstr("GET /later"));
}

TEST_F(HttpServerTest, ReportsAnInvalidAddress) {
  ServerOptions options{.address = "here", .credentials = Credentials()};
  const auto started = Server::Start(std::move(options), handler_);
  ASSERT_FALSE(started);
  EXPECT_THAT(started.error().message, HasSubstr("here"));
}

}  // namespace
}  // namespace berth::http
