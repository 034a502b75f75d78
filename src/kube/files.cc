#include "kube/files.h"

#include "store/read_file.h"

namespace berth::kube {

base::Result<std::string> ReadFileText(const std::string& path) {
  return store::ReadFile(path, 16 << 20);
}

}  // namespace berth::kube
