#include "apiserver/http_server.h"

#include <gmock/gmock.h>

#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>

#include "apiserver/testing/https_client.h"
#include "store/system_time.h"

namespace berth::apiserver {
namespace {

using ::testing::HasSubstr;
using testing::HttpsClient;
using testing::HttpsResponse;

constexpr std::string_view kToken = "0123456789abcdef";

const TlsCredentials& Credentials() {
  static const TlsCredentials kCredentials = *MakeTlsCredentials({}, store::SystemTime());
  return kCredentials;
}

// Answers with what it was asked, at once or later; streams as it is told to.
class Echo final : public HttpHandler {
 public:
  void Handle(HttpRequest request, std::shared_ptr<HttpExchange> exchange) override {
    if (request.target == "/stream") return Stream(*exchange);
    if (request.target == "/large")
      return exchange->Respond({.body = Share(std::string(5 << 20, 'x'))});
    HttpResponse response{.body = Share(request.method + " " + request.target + " " +
                                        request.subject.user + " " + request.body)};
    if (request.target != "/later") return exchange->Respond(std::move(response));
    store::Executor& executor = exchange->executor();
    executor.PostAfter(base::Duration::Milliseconds(50),
                       [exchange = std::move(exchange), response = std::move(response)] {
                         exchange->Respond(response);
                       });
  }
  bool IsOpenToAll(std::string_view target) const override { return target == "/healthz"; }

  std::atomic<int> closed = 0;
  int lines = 3;
  bool ends = true;

 private:
  void Stream(HttpExchange& exchange) {
    auto stream = exchange.BeginStream({}, {.on_room = nullptr, .on_closed = [this] { ++closed; }});
    if (stream == nullptr) return;
    for (int i = 0; i < lines; ++i) stream->Write("<", Share(std::to_string(i)), ">\n");
    if (ends) stream->Close();
  }
};

class Server : public ::testing::Test {
 protected:
  void Start(HttpLimits limits = {}) {
    HttpServerOptions options{.credentials = Credentials(), .limits = limits};
    options.tokens = *TokenTable::Parse(std::string(kToken) + ",anna,1\n");
    auto started = HttpServer::Start(std::move(options), handler_);
    ASSERT_TRUE(started) << base::ToString(started.error());
    server_ = *std::move(started);
  }
  HttpsClient Client(bool shows_certificate = true) {
    return HttpsClient(server_->port(), Credentials(), shows_certificate);
  }
  bool WaitForClosed(int count) {
    for (int i = 0; i < 500 && handler_.closed < count; ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    return handler_.closed == count;
  }

  Echo handler_;
  std::unique_ptr<HttpServer> server_;
};

TEST_F(Server, AnswersManyRequestsOnOneConnection) {
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

TEST_F(Server, KnowsTheBearerOfAToken) {
  Start();
  HttpsClient client = Client(false);
  const std::string bearer = "Bearer " + std::string(kToken);
  EXPECT_EQ(client.Do({.target = "/a", .headers = {{"Authorization", bearer}}}).body,
            "GET /a anna ");
}

TEST_F(Server, RefusesStrangers) {
  Start();
  const HttpsResponse response = Client(false).Get("/api");
  EXPECT_EQ(response.status, 401);
  EXPECT_THAT(response.body, HasSubstr(R"("reason":"Unauthorized")"));
  HttpsClient guesser = Client(false);
  EXPECT_EQ(guesser.Do({.target = "/api", .headers = {{"Authorization", "Bearer no"}}}).status,
            401);
}

TEST_F(Server, AnswersStrangersWhereItMay) {
  Start();
  EXPECT_EQ(Client(false).Get("/healthz").body, "GET /healthz  ");
}

TEST_F(Server, RefusesCertificatesOfOthers) {
  Start();
  const auto others = MakeTlsCredentials({}, base::Time::FromSeconds(1'800'000'000));
  TlsCredentials mixed = Credentials();
  mixed.admin = others->admin;
  EXPECT_EQ(HttpsClient(server_->port(), mixed).Get("/a").status, 0);
}

TEST_F(Server, RefusesBodiesThatAreTooLarge) {
  Start({.body_bytes = 1000});
  const HttpsResponse response =
      Client().Do({.method = "POST", .target = "/a", .body = std::string(1001, 'x')});
  EXPECT_EQ(response.status, 413);
  EXPECT_THAT(response.body, HasSubstr("limit is 1000"));
  EXPECT_EQ(Client().Do({.method = "POST", .body = std::string(1000, 'x')}).status, 200);
}

TEST_F(Server, RefusesHeadersThatAreTooLarge) {
  Start({.header_bytes = 1000});
  EXPECT_EQ(Client().Get("/" + std::string(2000, 'x')).status, 431);
}

TEST_F(Server, AnswersNonsenseWithAStatus) {
  Start();
  HttpsClient client = Client();
  EXPECT_EQ(client.Do({.method = "G ET"}).status, 400);
}

TEST_F(Server, SendsLargeBodiesWhole) {
  Start();
  EXPECT_EQ(Client().Get("/large").body.size(), size_t{5} << 20);
}

TEST_F(Server, ClosesConnectionsThatSayNothing) {
  Start({.idle = base::Duration::Milliseconds(100)});
  HttpsClient client = Client();
  ASSERT_TRUE(client.is_connected());
  EXPECT_EQ(client.NextChunk(), std::nullopt);
}

TEST_F(Server, ClosesConnectionsThatSpeakTooSlowly) {
  Start({.header = base::Duration::Milliseconds(100)});
  HttpsClient client = Client();
  ASSERT_TRUE(client.Send("GET / HT"));
  EXPECT_EQ(client.NextChunk(), std::nullopt);
}

TEST_F(Server, TakesOnlySoManyConnections) {
  Start({.connections = 2});
  const HttpsClient first = Client();
  const HttpsClient second = Client();
  EXPECT_TRUE(first.is_connected() && second.is_connected());
  EXPECT_FALSE(Client().is_connected());
}

TEST_F(Server, StreamsPiecesUntilTheEnd) {
  Start();
  HttpsClient client = Client();
  EXPECT_EQ(client.Begin({.target = "/stream"}).Header("Transfer-Encoding"), "chunked");
  EXPECT_EQ(client.NextChunk(), "<0>\n<1>\n<2>\n");
  EXPECT_EQ(client.NextChunk(), "");
  EXPECT_EQ(handler_.closed, 0);
}

TEST_F(Server, NoticesThatAWatcherHasGone) {
  handler_.ends = false;
  Start();
  {
    HttpsClient client = Client();
    client.Begin({.target = "/stream"});
    client.NextChunk();
  }
  EXPECT_TRUE(WaitForClosed(1));
}

TEST_F(Server, CutsOffAWatcherThatIsTooSlow) {
  handler_.lines = 2'000'000;
  handler_.ends = false;
  Start({.stream_backlog_bytes = 100'000});
  HttpsClient client = Client();
  EXPECT_EQ(client.Begin({.target = "/stream"}).status, 200);
  EXPECT_TRUE(WaitForClosed(1));
  EXPECT_EQ(client.NextChunk(), "");
}

TEST_F(Server, HasOnlySoManyStreams) {
  handler_.ends = false;
  Start({.streams = 1});
  HttpsClient first = Client();
  EXPECT_EQ(first.Begin({.target = "/stream"}).status, 200);
  EXPECT_EQ(Client().Get("/stream").status, 429);
}

TEST_F(Server, EndsStreamsInGoodOrderWhenItStops) {
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

TEST_F(Server, FinishesRequestsUnderWayWhenItStops) {
  Start();
  HttpsClient client = Client();
  client.Get("/a");
  std::thread stopper;
  ASSERT_TRUE(client.Send("GET /later HTTP/1.1\r\nHost: x\r\n\r\n"));
  std::this_thread::sleep_for(std::chrono::milliseconds(10));
  stopper = std::thread([&] { server_->Stop(base::Duration::Seconds(5)); });
  EXPECT_EQ(client.NextChunk(), "");  // the status line; its first characters are no number
  stopper.join();
}

TEST_F(Server, SaysWhatIsWrongWithAnAddress) {
  HttpServerOptions options{.address = "here", .credentials = Credentials()};
  const auto started = HttpServer::Start(std::move(options), handler_);
  ASSERT_FALSE(started);
  EXPECT_THAT(started.error().message, HasSubstr("here"));
}

}  // namespace
}  // namespace berth::apiserver
