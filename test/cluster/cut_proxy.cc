#include "cluster/cut_proxy.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

namespace berth::cluster {
namespace {

sockaddr_in Loopback(uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

// The socket API takes a generic address type.
const sockaddr* AsAddress(const sockaddr_in& address) {
  return reinterpret_cast<const sockaddr*>(&address);
}

void Pump(int from, int to) {
  std::array<char, 16384> buffer;
  for (;;) {
    const ssize_t size = recv(from, buffer.data(), buffer.size(), 0);
    if (size <= 0) break;
    for (ssize_t sent = 0; sent < size;) {
      const ssize_t now =
          send(to, buffer.data() + sent, static_cast<size_t>(size - sent), MSG_NOSIGNAL);
      if (now <= 0) return;
      sent += now;
    }
  }
  shutdown(to, SHUT_WR);
}

}  // namespace

class CutProxy::Parts {
 public:
  explicit Parts(uint16_t server_port) : server_port_(server_port) {
    listener_ = socket(AF_INET, SOCK_STREAM, 0);
    const sockaddr_in any = Loopback(0);
    bind(listener_, AsAddress(any), sizeof(any));
    listen(listener_, 64);
    acceptor_ = std::thread([this] { Accept(); });
  }

  ~Parts() {
    shutdown(listener_, SHUT_RDWR);
    acceptor_.join();
    close(listener_);
    Cut();
    for (std::thread& thread : threads_) thread.join();
    for (const int one : opened_) close(one);
  }

  uint16_t port() const {
    sockaddr_in address{};
    socklen_t size = sizeof(address);
    getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size);
    return ntohs(address.sin_port);
  }

  size_t Cut() {
    const std::lock_guard lock(mutex_);
    const size_t count = live_.size() / 2;
    for (const int one : live_) shutdown(one, SHUT_RDWR);
    live_.clear();
    return count;
  }

 private:
  void Accept() {
    for (;;) {
      const int client = accept(listener_, nullptr, nullptr);
      if (client < 0) return;
      const int server = socket(AF_INET, SOCK_STREAM, 0);
      const sockaddr_in address = Loopback(server_port_);
      const bool is_connected = connect(server, AsAddress(address), sizeof(address)) == 0;
      const std::lock_guard lock(mutex_);
      opened_.insert(opened_.end(), {client, server});
      if (!is_connected) {
        shutdown(client, SHUT_RDWR);
        continue;
      }
      live_.insert({client, server});
      threads_.emplace_back(Pump, client, server);
      threads_.emplace_back(Pump, server, client);
    }
  }

  uint16_t server_port_;
  int listener_ = -1;
  std::mutex mutex_;
  std::set<int> live_;
  std::vector<int> opened_;  // closed at the end, so that descriptors are not reused
  std::vector<std::thread> threads_;
  std::thread acceptor_;
};

CutProxy::CutProxy(uint16_t server_port) : parts_(std::make_unique<Parts>(server_port)) {}
CutProxy::~CutProxy() = default;
uint16_t CutProxy::port() const { return parts_->port(); }
size_t CutProxy::Cut() { return parts_->Cut(); }

}  // namespace berth::cluster
