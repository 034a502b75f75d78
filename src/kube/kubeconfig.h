#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "kube/access.h"

namespace berth::kube {

struct KubeconfigFile {
  std::string path;  // base of relative paths in the file
  std::string text;  // YAML or JSON
};

// Reads a file that a kubeconfig refers to.
using ReadFile = std::function<base::Result<std::string>(const std::string& path)>;

// Names of entries.
struct KubeconfigChoice {
  std::string context;  // "" is the current one
  std::string cluster;  // "" is that of the context
  std::string user;     // "" is that of the context
};

// Resolves a context. Files are merged as kubectl does: the first file that defines a cluster,
// user, context or current context wins. Missing entries and unsupported features are Errors that
// name the place.
base::Result<Access> AccessFrom(std::span<const KubeconfigFile> files,
                                const KubeconfigChoice& choice, const ReadFile& read_file);
inline base::Result<Access> AccessFrom(std::span<const KubeconfigFile> files,
                                       std::string_view context, const ReadFile& read_file) {
  return AccessFrom(files, {.context = std::string(context), .cluster = {}, .user = {}}, read_file);
}

// The names of all entries of a list, "contexts", "clusters" or "users", in the order of the files;
// unreadable files have none.
std::vector<std::string> KubeconfigNames(std::span<const KubeconfigFile> files,
                                         std::string_view list);

}  // namespace berth::kube
