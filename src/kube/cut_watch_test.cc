// A watch whose connection breaks in the middle of an event.

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <string>
#include <thread>

#include "kube/client.h"
#include "store/inbox.h"

namespace berth::kube {
namespace {

constexpr std::string_view kHead = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";

std::string Chunk(const std::string& text) {
  std::array<char, 20> size{};
  snprintf(size.data(), size.size(), "%zx\r\n", text.size());
  return size.data() + text + "\r\n";
}

std::string EventOf(const std::string& name) {
  return R"({"type":"ADDED","object":{"kind":"ConfigMap","metadata":{"name":")" + name +
         R"(","namespace":"default","uid":"1","resourceVersion":"7"}}})"
         "\n";
}

// Answers one request with these bytes, and hangs up.
class OneAnswer {
 public:
  explicit OneAnswer(std::string bytes) : listener_(socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    bind(listener_, reinterpret_cast<const sockaddr*>(&address), sizeof(address));
    listen(listener_, 1);
    thread_ = std::thread([this, bytes = std::move(bytes)] {
      const int client = accept(listener_, nullptr, nullptr);
      std::array<char, 4096> request;
      (void)!recv(client, request.data(), request.size(), 0);
      (void)!send(client, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      close(client);
    });
  }
  ~OneAnswer() {
    thread_.join();
    close(listener_);
  }

  std::string url() const {
    sockaddr_in address{};
    socklen_t size = sizeof(address);
    getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size);
    return "http://127.0.0.1:" + std::to_string(ntohs(address.sin_port));
  }

 private:
  int listener_;
  std::thread thread_;
};

struct Told {
  int events = 0;
  bool has_failed = false;
};

Told Watch(std::string answer) {
  const OneAnswer server(std::move(answer));
  const auto client = Client::Make({.server = server.url()});
  store::Inbox inbox;
  Told told;
  const store::Subscription watch = (*client)->Subscribe(
      {.resource = {.version = "v1", .plural = "configmaps", .kind = "ConfigMap"}}, inbox,
      [&](const store::Outcome<store::Event>& event) {
        told.events += event ? 1 : 0;
        told.has_failed = !event;
      });
  EXPECT_TRUE(inbox.RunUntil([&] { return told.has_failed; }, base::Duration::Seconds(30)));
  return told;
}

TEST(CutWatch, FailsBetweenEvents) {
  const Told told = Watch(std::string(kHead) + Chunk(EventOf("a")));
  EXPECT_EQ(told.events, 1);
  EXPECT_TRUE(told.has_failed);
}

TEST(CutWatch, FailsWithinTheEndOfAChunk) {
  std::string answer = std::string(kHead) + Chunk(EventOf("a")) + Chunk(EventOf("b"));
  answer.pop_back();
  const Told told = Watch(answer);
  EXPECT_EQ(told.events, 2);
  EXPECT_TRUE(told.has_failed);
}

TEST(CutWatch, FailsWithinTheLengthOfAChunk) {
  const Told told = Watch(std::string(kHead) + Chunk(EventOf("a")) + "2");
  EXPECT_EQ(told.events, 1);
  EXPECT_TRUE(told.has_failed);
}

TEST(CutWatch, FailsWithinTheHead) {
  const Told told = Watch("HTTP/1.1 200 O");
  EXPECT_EQ(told.events, 0);
  EXPECT_TRUE(told.has_failed);
}

}  // namespace
}  // namespace berth::kube
