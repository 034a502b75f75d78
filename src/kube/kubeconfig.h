#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "base/error.h"
#include "kube/access.h"

namespace berth::kube {

struct KubeconfigFile {
  std::string path;  // base of relative paths in the file
  std::string text;  // YAML or JSON
};

// Reads a file that a kubeconfig refers to.
using ReadFile = std::function<base::Result<std::string>(const std::string& path)>;

// Resolves a context; "" is the current one. Files are merged as kubectl does: the first file that
// defines a cluster, user, context or current context wins. Missing entries and unsupported
// features are Errors that name the place.
base::Result<Access> AccessFrom(std::span<const KubeconfigFile> files, std::string_view context,
                                const ReadFile& read_file);

}  // namespace berth::kube
