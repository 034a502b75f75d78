#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "apiserver/tls_credentials.h"
#include "base/error.h"

namespace berth::apiserver {

// A kubeconfig whose one context reaches the server at `url` as its administrator, with all
// certificates inside. The context, the cluster and the user are called `name`.
std::string KubeconfigText(std::string_view url, const TlsCredentials& credentials,
                           std::string_view name = "berth");

// Writes it for its owner only, in one step.
base::Result<void> WriteKubeconfig(const std::filesystem::path& path, std::string_view url,
                                   const TlsCredentials& credentials);

}  // namespace berth::apiserver
