#include "replica/probe_server.h"

#include <gtest/gtest.h>

#include <deque>

#include "http/testing/https_client.h"

namespace berth::replica {
namespace {

using http::testing::HttpsClient;

class ProbeServerTest : public ::testing::Test {
 protected:
  std::unique_ptr<ProbeServer> server_ = *ProbeServer::Start(
      {.ip = "127.0.0.1", .port = 0}, {{.path = "/readyz", .is_healthy = [] { return true; }}});
  HttpsClient Connect() { return HttpsClient(server_->port()); }
};

TEST_F(ProbeServerTest, AnswersWhileStrangersHoldConnections) {
  std::deque<HttpsClient> idle;
  for (int i = 0; i < 500; ++i) idle.emplace_back(server_->port());
  EXPECT_EQ(Connect().Get("/readyz").status, 200);
  EXPECT_EQ(idle.front().ReadSome(), "") << "the oldest was closed";
}

TEST_F(ProbeServerTest, SurvivesRequestsThatAreNone) {
  for (const std::string& bytes :
       {std::string("\r\n\r\n"), std::string("GET\r\n\r\n"), std::string(" \r\n\r\n"),
        std::string(100'000, 'a'), std::string("\0\xff\r\n\r\n", 6), std::string("\x16\x03\x01")})
    Connect().Send(bytes);
  EXPECT_EQ(Connect().Get("/readyz?verbose").status, 200);
  EXPECT_EQ(Connect().Get("/other").status, 404);
}

}  // namespace
}  // namespace berth::replica
