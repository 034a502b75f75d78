// Every text yields an Access with a server or an Error with a message.

#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "kube/kubeconfig.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const berth::kube::KubeconfigFile file{
      .path = "/a/config", .text = std::string(reinterpret_cast<const char*>(data), size)};
  const auto access = berth::kube::AccessFrom(
      {&file, 1}, "", [](const std::string& path) -> berth::base::Result<std::string> {
        return berth::base::Fail("there is no " + path);
      });
  if (access) {
    CHECK(!access->server.empty());
  } else {
    CHECK(!access.error().message.empty());
  }
  return 0;
}
