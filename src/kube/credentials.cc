#include "kube/credentials.h"

#include <utility>

#include "base/base64.h"
#include "kube/files.h"
#include "kube/run_program.h"

namespace berth::kube {
namespace {

constexpr base::Duration kTokenFileLife = base::Duration::Seconds(60);
constexpr base::Duration kPluginLimit = base::Duration::Seconds(60);

std::string WithoutSpaceAround(std::string text) {
  constexpr const char* kSpace = " \t\r\n";
  text.erase(text.find_last_not_of(kSpace) + 1);
  text.erase(0, text.find_first_not_of(kSpace));
  return text;
}

// Rejects header injection by line ends.
bool FitsInHeader(std::string_view text) {
  for (const char c : text)
    if (static_cast<unsigned char>(c) < ' ' || c == 127) return false;
  return true;
}

}  // namespace

base::Result<void> Credentials::ReadTokenFile(base::Time now) {
  if (file_read_ && now - *file_read_ < kTokenFileLife) return {};
  auto text = ReadFileText(access_.token_file);
  if (text) {
    file_token_ = WithoutSpaceAround(std::move(*text));
    file_read_ = now;
    return {};
  }
  if (!file_token_.empty()) return {};  // keep the old token until the file is back
  return std::unexpected(text.error());
}

base::Result<void> Credentials::RunPlugin(base::Time now) {
  if (plugin_credential_ && !IsStale(*plugin_credential_, now)) return {};
  auto environment = access_.exec->environment;
  environment.emplace_back("KUBERNETES_EXEC_INFO", ExecInfo(access_));
  auto printed =
      RunProgram(access_.exec->command, access_.exec->arguments, environment, kPluginLimit);
  if (!printed)
    return base::Fail(
        "the credential plugin " + access_.exec->command + ": " + printed.error().message,
        access_.exec->install_hint);
  auto credential = ReadExecCredential(*printed, *access_.exec);
  if (!credential) return std::unexpected(credential.error());
  plugin_credential_ = std::move(*credential);
  return {};
}

base::Result<std::string> Credentials::Token(base::Time now) {
  if (access_.exec) {
    if (auto asked = RunPlugin(now); !asked) return std::unexpected(asked.error());
    return plugin_credential_->token;
  }
  if (access_.token_file.empty()) return access_.token;
  if (auto read = ReadTokenFile(now); !read) return std::unexpected(read.error());
  return file_token_;
}

base::Result<std::string> Credentials::Headers(base::Time now) {
  const auto token = Token(now);
  if (!token) return std::unexpected(token.error());
  std::string lines;
  if (!token->empty()) {
    lines = "Authorization: Bearer " + *token + "\r\n";
  } else if (!access_.user.empty()) {
    lines = "Authorization: Basic " + base::EncodeBase64(access_.user + ":" + access_.password) +
            "\r\n";
  }
  if (!FitsInHeader(*token) || !FitsInHeader(access_.impersonated_user))
    return base::Fail("the token has characters that no token has", "look at where it comes from");
  if (!access_.impersonated_user.empty())
    lines += "Impersonate-User: " + access_.impersonated_user + "\r\n";
  for (const std::string& group : access_.impersonated_groups)
    if (FitsInHeader(group)) lines += "Impersonate-Group: " + group + "\r\n";
  return lines;
}

TlsIdentity Credentials::Identity() const {
  TlsIdentity identity{.authority = access_.authority,
                       .skips_verification = access_.skips_verification,
                       .certificate = access_.certificate,
                       .key = access_.key};
  if (plugin_credential_ && !plugin_credential_->certificate.empty()) {
    identity.certificate = plugin_credential_->certificate;
    identity.key = plugin_credential_->key;
  }
  return identity;
}

bool Credentials::OnUnauthorized() {
  if (access_.exec) {
    plugin_credential_.reset();
    return true;
  }
  return std::exchange(file_read_, std::nullopt).has_value();
}

}  // namespace berth::kube
