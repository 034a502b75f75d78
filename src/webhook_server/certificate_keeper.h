#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "http/tls_credentials.h"
#include "store/periodic.h"
#include "store/store.h"

namespace berth::webhook_server {

// Maintains the serving certificate and the API server's trust in it (caBundle). Reconciles every
// minute, and so picks up changes by another replica or an administrator.
class CertificateKeeper {
 public:
  struct Settings {
    // Either a directory with tls.crt and tls.key, maintained by cert-manager or an administrator…
    std::string directory;
    // …or, if "", a Secret that the keeper owns; the caBundles of callers of the Service are
    // updated.
    std::string namespace_;
    std::string service;
    std::string secret;
    std::string subject = "webhooks";  // in log lines
    store::Periodic::RateLimit rate_limit = {};
    std::function<void(std::string_view)> log = [](std::string_view) {};
  };
  // Called with each new certificate, on the thread of the keeper. False: retry soon.
  using OnCredentials = std::function<bool(const http::TlsCredentials&)>;

  // Starts at once. The store must outlive the keeper and allow writes.
  CertificateKeeper(store::Store& store, Settings settings, OnCredentials on_credentials);

 private:
  bool Reconcile();
  bool ReadDirectory();
  bool ReconcileSecret();
  bool Serve(const http::TlsCredentials& credentials);
  bool UpdateCaBundles(const std::string& authority);
  bool UpdateCaBundle(const store::Resource& resource, const std::string& name,
                      const std::string& authority);
  bool Fail(const std::string& what);

  store::Store& store_;
  Settings settings_;
  OnCredentials on_credentials_;
  std::string served_;  // the certificate in use
  store::Periodic reconciles_;
};

}  // namespace berth::webhook_server
