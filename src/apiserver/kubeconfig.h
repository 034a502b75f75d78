#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "base/error.h"
#include "http/tls_credentials.h"

namespace berth::apiserver {

// A kubeconfig with one context for the administrator of the server at `url`, certificates
// included. Context, cluster and user are named `name`.
std::string KubeconfigText(std::string_view url, const http::TlsCredentials& credentials,
                           std::string_view name = "berth");

// Writes the file atomically with mode 0600.
base::Result<void> WriteKubeconfig(const std::filesystem::path& path, std::string_view url,
                                   const http::TlsCredentials& credentials);

// The same for a file that may be the user's: sets context, cluster and user `berth` and makes that
// context the current one; the rest stays. Comments are lost. A file that is not a kubeconfig is an
// error.
base::Result<void> MergeKubeconfig(const std::filesystem::path& path, std::string_view url,
                                   const http::TlsCredentials& credentials);

}  // namespace berth::apiserver
