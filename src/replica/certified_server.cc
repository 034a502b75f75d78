#include "replica/certified_server.h"

#include <optional>
#include <utility>

#include "http/private_file.h"
#include "store/system_time.h"

namespace berth::replica {
namespace {

std::optional<http::KeyPair> CertificateIn(const std::string& directory) {
  if (directory.empty()) return std::nullopt;
  const auto certificate = http::ReadWholeFile(directory + "/tls.crt");
  const auto key = http::ReadWholeFile(directory + "/tls.key");
  if (!certificate || !key) return std::nullopt;
  return http::KeyPair{.certificate = *certificate, .key = *key};
}

}  // namespace

CertifiedServer::CertifiedServer(Options options, http::Handler& handler, Refresh refresh)
    : options_(std::move(options)),
      refresh_(std::move(refresh)),
      server_({.address = options_.address.ip,
               .port = options_.address.port,
               .credentials = {},
               .tokens = {},
               .limits = options_.limits,
               .tls = options_.tls,
               .threads = 1},  // handlers are single-threaded
              handler) {}

CertifiedServer::~CertifiedServer() { Stop(); }

void CertifiedServer::Stop() {
  reloads_.reset();
  server_.Stop();
}

base::Result<void> CertifiedServer::Start() {
  const auto self_signed = http::MakeTlsCredentials({}, store::SystemTime());
  if (!self_signed) return std::unexpected(self_signed.error());
  if (auto serves = Serve(*self_signed); !serves) return serves;
  reloads_ = std::make_unique<store::Periodic>(options_.rate_limit, [this] { return Reload(); });
  return {};
}

base::Result<void> CertifiedServer::Serve(const http::TlsCredentials& credentials) {
  if (auto serves = server_.Serve(credentials); !serves) return serves;
  served_ = credentials;
  return {};
}

bool CertifiedServer::Reload() {
  http::TlsCredentials credentials = served_;
  if (const auto given = CertificateIn(options_.certificates)) credentials.server = *given;
  const bool is_fresh = refresh_(credentials);
  if (credentials.server == served_.server && credentials.authority == served_.authority)
    return is_fresh;
  const base::Result<void> serves = Serve(credentials);
  if (!serves) options_.log(base::ToString(serves.error()));
  return serves.has_value() && is_fresh;
}

}  // namespace berth::replica
