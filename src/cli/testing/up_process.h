#pragma once

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "apiserver/testing/command.h"
#include "http/testing/https_client.h"
#include "http/tls_credentials.h"
#include "store/system_time.h"

namespace berth::cli::testing {

// A `berth up` process with its own data directory and a free port.
class UpProcess {
 public:
  explicit UpProcess(std::filesystem::path data_dir, std::vector<std::string> more = {})
      : data_dir_(std::move(data_dir)), command_(Arguments(data_dir_, std::move(more)), {}) {}

  // False if it exits early or times out.
  bool WaitUntilReady() {
    constexpr std::string_view kAddress = "Berth is up at https://127.0.0.1:";
    if (!command_.WaitFor("Press Ctrl-C to stop.", 60)) return false;
    const std::string& out = command_.out();
    const size_t begin = out.find(kAddress) + kAddress.size();
    std::from_chars(out.data() + begin, out.data() + out.size(), port_);
    return port_ != 0;
  }

  uint16_t port() const { return port_; }
  const std::string& out() const { return command_.out(); }
  void Signal(int signal) { command_.Signal(signal); }
  int WaitForEnd(int timeout_seconds = 60) { return command_.WaitForEnd(timeout_seconds); }

  // Reads the client credentials from the data directory; call when ready.
  http::TlsCredentials Credentials() const {
    const std::vector<std::string> names = {"127.0.0.1"};
    auto credentials = http::LoadTlsCredentials(data_dir_ / "tls", names, store::SystemTime());
    return credentials ? *std::move(credentials) : http::TlsCredentials();
  }
  http::testing::HttpsClient Connect() const { return {port_, Credentials()}; }

 private:
  static std::vector<std::string> Arguments(const std::filesystem::path& data_dir,
                                            std::vector<std::string> more) {
    std::vector<std::string> all = {BERTH_BINARY, "up", "--data-dir", data_dir.string()};
    if (std::ranges::find(more, "--port") == more.end()) all.insert(all.end(), {"--port", "0"});
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }

  std::filesystem::path data_dir_;
  apiserver::testing::BackgroundCommand command_;
  uint16_t port_ = 0;
};

}  // namespace berth::cli::testing
