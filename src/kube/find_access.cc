#include "kube/find_access.h"

#include <cstdlib>
#include <filesystem>
#include <vector>

#include "kube/files.h"
#include "kube/kubeconfig.h"

namespace berth::kube {
namespace {

constexpr const char* kAccountDirectory = "/var/run/secrets/kubernetes.io/serviceaccount";

std::string Variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// Missing files of KUBECONFIG are ignored, as in kubectl.
std::vector<std::string> ExistingFiles(const std::string& paths) {
  std::vector<std::string> files;
  size_t begin = 0;
  while (begin <= paths.size()) {
    const size_t end = std::min(paths.find(':', begin), paths.size());
    const std::string path = paths.substr(begin, end - begin);
    std::error_code ignored;
    if (!path.empty() && std::filesystem::exists(path, ignored)) files.push_back(path);
    begin = end + 1;
  }
  return files;
}

// An IPv6 address gets brackets.
std::string ServerUrl(const std::string& host, const std::string& port) {
  const bool is_v6 = host.find(':') != std::string::npos;
  return "https://" + (is_v6 ? "[" + host + "]" : host) + ":" + port;
}

base::Result<Access> AccessFromFiles(const std::vector<std::string>& paths,
                                     const std::string& context) {
  std::vector<KubeconfigFile> files;
  for (const std::string& path : paths) {
    auto text = ReadFileText(path);
    if (!text) return std::unexpected(text.error());
    files.push_back({.path = path, .text = std::move(*text)});
  }
  return AccessFrom(files, context, ReadFileText);
}

}  // namespace

base::Result<Access> InClusterAccess(const std::string& host, const std::string& port,
                                     const std::string& directory) {
  Access access{.server = ServerUrl(host, port), .token_file = directory + "/token"};
  auto authority = ReadFileText(directory + "/ca.crt");
  if (!authority) return std::unexpected(authority.error());
  access.authority = std::move(*authority);
  if (auto token = ReadFileText(access.token_file); !token) return std::unexpected(token.error());
  access.namespace_ = ReadFileText(directory + "/namespace").value_or("default");
  return access;
}

base::Result<Access> FindAccess(const std::string& kubeconfig, const std::string& context) {
  if (!kubeconfig.empty()) return AccessFromFiles({kubeconfig}, context);
  if (const auto files = ExistingFiles(Variable("KUBECONFIG")); !files.empty())
    return AccessFromFiles(files, context);
  const std::string host = Variable("KUBERNETES_SERVICE_HOST");
  const std::string port = Variable("KUBERNETES_SERVICE_PORT");
  if (!host.empty() && !port.empty() && context.empty())
    return InClusterAccess(host, port, kAccountDirectory);
  const std::string home = Variable("HOME") + "/.kube/config";
  if (const auto files = ExistingFiles(home); !files.empty())
    return AccessFromFiles(files, context);
  return base::Fail("there is no kubeconfig and no service account",
                    "give --kubeconfig FILE, or set KUBECONFIG");
}

}  // namespace berth::kube
