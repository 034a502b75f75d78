#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "apiserver/tls_credentials.h"
#include "store/periodic.h"
#include "store/store.h"

namespace berth::webhook_server {

// Sees to it that there is a certificate to serve with, and that the API server trusts it. Looks
// again every minute, and so notices what another replica, or an administrator, has changed.
class CertificateKeeper {
 public:
  struct Settings {
    // Either a folder with tls.crt and tls.key, which somebody else keeps up to date…
    std::string directory;
    // …or, if it is "", a Secret of our own, and those who call the Service are told whom to trust.
    std::string namespace_;
    std::string service;
    std::string secret;
    std::string subject = "webhooks";  // what it is for, in logs
    store::Periodic::Pace pace = {};
    std::function<void(std::string_view)> log = [](std::string_view) {};
  };
  // Called with each new certificate, on the keeper's thread. False: try again soon.
  using OnCredentials = std::function<bool(const apiserver::TlsCredentials&)>;

  // Begins at once. The store, which must let us write, must outlive it.
  CertificateKeeper(store::Store& store, Settings settings, OnCredentials on_credentials);

 private:
  bool Look();
  bool LookInDirectory();
  bool LookInSecret();
  bool Serve(const apiserver::TlsCredentials& credentials);
  bool TellCallers(const std::string& authority);
  bool TellCaller(const store::Resource& resource, const std::string& name,
                  const std::string& authority);
  bool Fail(const std::string& what);

  store::Store& store_;
  Settings settings_;
  OnCredentials on_credentials_;
  std::string served_;  // the certificate that is in use
  store::Periodic looks_;
};

}  // namespace berth::webhook_server
