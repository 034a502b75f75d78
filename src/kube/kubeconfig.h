#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "base/error.h"
#include "kube/access.h"

namespace berth::kube {

struct KubeconfigFile {
  std::string path;  // paths in it are relative to where it lies
  std::string text;  // YAML or JSON
};

// What a file holds that a kubeconfig names.
using ReadFile = std::function<base::Result<std::string>(const std::string& path)>;

// What the context says; "" is the current one. Of several files the first that has a cluster, a
// user, a context or the name of the current context counts. Everything that is missing, or that
// Berth cannot do, is an Error which names the place.
base::Result<Access> AccessFrom(std::span<const KubeconfigFile> files, std::string_view context,
                                const ReadFile& read_file);

}  // namespace berth::kube
