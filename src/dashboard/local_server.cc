#include "dashboard/local_server.h"

#include <utility>

#include "dashboard/limits.h"

namespace berth::dashboard {
namespace {

constexpr base::Duration kGrace = base::Duration::Seconds(2);
constexpr std::string_view kAdministrator = "berth-admin";

}  // namespace

base::Result<std::unique_ptr<LocalServer>> LocalServer::Start(StateSource source, Options options) {
  std::unique_ptr<LocalServer> made(new LocalServer());
  made->token_ = http::MakeToken();
  options.tokens.Add(made->token_, {.user = std::string(kAdministrator), .groups = {}});
  made->dashboard_ =
      std::make_unique<Dashboard>(std::move(source), made->gate_,
                                  Dashboard::Options{.mode = "local",
                                                     .version = options.version,
                                                     .hosts = {"localhost", kAddress},
                                                     .what_if = std::move(options.what_if),
                                                     .journal = std::move(options.journal)});
  http::ServerOptions settings{.address = kAddress,
                               .port = options.port,
                               .is_plain = true,
                               .credentials = {},
                               .tokens = std::move(options.tokens),
                               .limits = DashboardLimits(),
                               .threads = 1};
  auto server = http::Server::Start(settings, *made->dashboard_);
  if (!server && options.may_use_other_port) {
    settings.port = 0;
    server = http::Server::Start(settings, *made->dashboard_);
  }
  if (!server)
    return base::Fail("the dashboard " + server.error().message,
                      "choose another port with --dashboard-port, or --no-dashboard");
  made->server_ = *std::move(server);
  return made;
}

LocalServer::~LocalServer() {
  if (server_) server_->Stop(kGrace);
  dashboard_.reset();  // its tasks use the server's executor
}

std::string LocalServer::url() const {
  return "http://" + std::string(kAddress) + ":" + std::to_string(server_->port()) +
         "/#token=" + token_;
}

}  // namespace berth::dashboard
