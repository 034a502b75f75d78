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

base::Result<std::vector<KubeconfigFile>> ReadFiles(const std::vector<std::string>& paths) {
  std::vector<KubeconfigFile> files;
  for (const std::string& path : paths) {
    auto text = ReadFileText(path);
    if (!text) return std::unexpected(text.error());
    files.push_back({.path = path, .text = std::move(*text)});
  }
  return files;
}

base::Result<Access> AccessFromFiles(const std::vector<std::string>& paths,
                                     const KubeconfigChoice& choice) {
  const auto files = ReadFiles(paths);
  if (!files) return std::unexpected(files.error());
  return AccessFrom(*files, choice, ReadFileText);
}

std::vector<std::string> FilesAtHome() { return ExistingFiles(Variable("HOME") + "/.kube/config"); }

base::Result<Access> FindChosen(const std::string& kubeconfig, const KubeconfigChoice& choice) {
  if (!kubeconfig.empty()) return AccessFromFiles({kubeconfig}, choice);
  if (const auto files = ExistingFiles(Variable("KUBECONFIG")); !files.empty())
    return AccessFromFiles(files, choice);
  const std::string host = Variable("KUBERNETES_SERVICE_HOST");
  const std::string port = Variable("KUBERNETES_SERVICE_PORT");
  if (!host.empty() && !port.empty() && choice.context.empty())
    return InClusterAccess(host, port, kAccountDirectory);
  if (const auto files = FilesAtHome(); !files.empty()) return AccessFromFiles(files, choice);
  return base::Fail("there is no kubeconfig and no service account",
                    "give --kubeconfig FILE, or set KUBECONFIG");
}

// Replaces a text by a flag, or by the content of its file.
void Override(std::string& text, const std::string& flag) {
  if (!flag.empty()) text = flag;
}
base::Result<void> OverrideFromFile(std::string& text, const std::string& path) {
  if (path.empty()) return {};
  auto read = ReadFileText(path);
  if (!read) return std::unexpected(read.error());
  text = std::move(*read);
  return {};
}

base::Result<void> Apply(const AccessFlags& flags, Access& access) {
  Override(access.server, flags.server);
  Override(access.tls_server_name, flags.tls_server_name);
  if (!flags.token.empty()) {
    access.token = flags.token;
    access.token_file.clear();
    access.exec.reset();
  }
  if (!flags.as.empty()) {
    access.impersonated_user = flags.as;
    access.impersonated_groups = flags.as_groups;
  }
  if (flags.skips_verification) access.skips_verification = true;
  if (auto read = OverrideFromFile(access.authority, flags.certificate_authority); !read)
    return read;
  if (auto read = OverrideFromFile(access.certificate, flags.client_certificate); !read)
    return read;
  return OverrideFromFile(access.key, flags.client_key);
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
  return FindChosen(kubeconfig, {.context = context, .cluster = {}, .user = {}});
}

base::Result<Access> FindAccess(const AccessFlags& flags) {
  if (flags.as.empty() && !flags.as_groups.empty())
    return base::Fail("--as-group without --as", "name the user with --as, too");
  auto access = FindChosen(flags.kubeconfig, {flags.context, flags.cluster, flags.user});
  const bool names_entries = !flags.kubeconfig.empty() || !flags.context.empty() ||
                             !flags.cluster.empty() || !flags.user.empty();
  if (!access && !flags.server.empty() && !names_entries) {
    access.emplace();
    access->namespace_ = "default";
  }
  if (!access) return access;
  if (auto applied = Apply(flags, *access); !applied) return std::unexpected(applied.error());
  return access;
}

std::vector<std::string> FindKubeconfigNames(const std::string& kubeconfig, std::string_view list) {
  std::vector<std::string> paths{kubeconfig};
  if (kubeconfig.empty()) paths = ExistingFiles(Variable("KUBECONFIG"));
  if (paths.empty()) paths = FilesAtHome();
  const auto files = ReadFiles(paths);
  return files ? KubeconfigNames(*files, list) : std::vector<std::string>();
}

}  // namespace berth::kube
