#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <iostream>
#include <thread>
#include <vector>

#include "apiserver/testing/api_server.h"
#include "http/testing/https_client.h"

namespace berth::apiserver {
namespace {

using http::testing::HttpsClient;
using http::testing::HttpsRequest;
using Clock = std::chrono::steady_clock;

constexpr const char* kMaps = "/api/v1/namespaces/default/configmaps";

HttpsRequest Post(std::string target, std::string body) {
  return {.method = "POST",
          .target = std::move(target),
          .headers = {{"Content-Type", "application/json"}},
          .body = std::move(body)};
}

std::string LargeMap() {
  std::string text = R"({"metadata":{"name":"large"},"data":{)";
  for (int64_t i = 0; i < 100'000; ++i)
    text += (i == 0 ? "\"k" : ",\"k") + std::to_string(i * 7919 % 1'000'003) + "\":\"\"";
  return text + "}}";
}

double MillisecondsOf(Clock::duration span) {
  return std::chrono::duration<double, std::milli>(span).count();
}

// One thread serves all connections: whatever blocks it, blocks every client.
TEST(SlowRequests, LeaveSmallOnesAlone) {
  testing::ApiServer server({.threads = 1});
  ASSERT_EQ(server.error(), "");
  HttpsClient small(server.port(), server.credentials());
  ASSERT_EQ(small.Do(Post(kMaps, R"({"metadata":{"name":"small"}})")).status, 201);

  std::atomic<bool> is_over = false;
  std::atomic<int> slow = 0;
  std::thread other([&] {
    const std::string map = LargeMap();
    HttpsClient client(server.port(), server.credentials());
    for (; !is_over; ++slow)
      EXPECT_EQ(client.Do(Post(std::string(kMaps) + "?dryRun=All", map)).status, 201);
  });
  std::vector<double> milliseconds;
  for (const auto begin = Clock::now(); Clock::now() - begin < std::chrono::seconds(3);) {
    const auto sent = Clock::now();
    EXPECT_EQ(small.Get(std::string(kMaps) + "/small").status, 200);
    milliseconds.push_back(MillisecondsOf(Clock::now() - sent));
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  is_over = true;
  other.join();
  std::ranges::sort(milliseconds);
  const double p99 = milliseconds[milliseconds.size() * 99 / 100];
  std::cout << milliseconds.size() << " gets beside " << slow << " slow requests: p99 " << p99
            << " ms\n";
  EXPECT_LT(p99, 100);
}

// No user of a local cluster has fewer rights than another one.
TEST(Impersonation, IsRefused) {
  testing::ApiServer server;
  ASSERT_EQ(server.error(), "");
  HttpsClient client(server.port(), server.credentials());
  for (const char* name : {"Impersonate-User", "impersonate-group", "Impersonate-Extra-Scopes"})
    EXPECT_EQ(client.Do({.target = kMaps, .headers = {{name, "anna"}}}).status, 403) << name;
}

}  // namespace
}  // namespace berth::apiserver
