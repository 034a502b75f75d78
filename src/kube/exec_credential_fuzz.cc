// Any output of a credential plugin is a credential that proves something, or an error.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "kube/exec_credential.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto credential = berth::kube::ReadExecCredential(
      text, {.command = "login", .api_version = "client.authentication.k8s.io/v1"});
  if (credential) {
    CHECK(!credential->token.empty() || !credential->certificate.empty());
    CHECK(credential->certificate.empty() == credential->key.empty());
  } else {
    CHECK(!credential.error().message.empty());
  }
  return 0;
}
