#include "cli/ctl/session.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <optional>
#include <utility>

#include "base/time.h"
#include "cli/command.h"
#include "cli/ctl/ctl_command.h"
#include "cli/printable.h"
#include "ctl/failure.h"

namespace berth::cli {
namespace {

constexpr const char* kPageSizeVariable = "KUEUECTL_LIST_REQUEST_LIMIT";
constexpr base::Duration kNoLimit = base::Duration::Seconds(24 * 3600);

// "0" is none; "30" and "30s" are seconds.
base::Result<base::Duration> ReadTimeout(const std::string& text) {
  int64_t seconds = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, seconds);
  std::optional<base::Duration> length;
  if (error == std::errc() && stop == end)
    length =
        base::Duration::Seconds(std::clamp<int64_t>(seconds, -1, kNoLimit.nanos / 1'000'000'000));
  else
    length = base::ParseDuration(text);
  if (!length || length->nanos < 0)
    return base::Fail("--request-timeout " + text + " is not a duration",
                      "write it like 1s, 2m or 3h");
  return length->nanos == 0 ? kNoLimit : *length;
}

base::Result<int64_t> ReadPageSize() {
  const char* text = std::getenv(kPageSizeVariable);
  if (text == nullptr || *text == '\0') return ctl::Cluster::Options{}.page_size;
  int64_t size = 0;
  const char* end = text + std::char_traits<char>::length(text);
  const auto [stop, error] = std::from_chars(text, end, size);
  if (error != std::errc() || stop != end || size < 0)
    return base::Fail(std::string("invalid list request limit: ") + kPageSizeVariable + "=" + text,
                      "set it to a number, such as 100");
  return size;
}

base::Result<void> RefuseUnsupported(const GlobalFlags& flags) {
  if (!flags.as_uid.empty())
    return base::Fail("--as-uid is not supported", "impersonate with --as and --as-group only");
  if (!flags.as_user_extra.empty())
    return base::Fail("--as-user-extra is not supported",
                      "impersonate with --as and --as-group only");
  return {};
}

}  // namespace

void AddGlobalFlags(CLI::App& app, GlobalFlags& flags) {
  const auto add = [&app](const char* names, std::string& value, const char* what,
                          const char* label) {
    app.add_option(names, value, what)->option_text(label)->group(kGlobalGroup);
  };
  kube::AccessFlags& access = flags.access;
  add("--kubeconfig", access.kubeconfig, "Path to the kubeconfig file", "PATH");
  add("--context", access.context, "Context of the kubeconfig", "NAME");
  add("--cluster", access.cluster, "Cluster of the kubeconfig", "NAME");
  add("--user", access.user, "User of the kubeconfig", "NAME");
  add("-n,--namespace", flags.namespace_, "Namespace (default: that of the context)", "NAME");
  add("--request-timeout", flags.request_timeout, "Time limit of a request; 0 is none", "DURATION");
  add("-s,--server", access.server, "Address of the API server", "URL");
  add("--tls-server-name", access.tls_server_name, "Name in the server's certificate", "NAME");
  add("--token", access.token, "Bearer token", "TOKEN");
  add("--as", access.as, "User to impersonate", "NAME");
  app.add_option("--as-group", access.as_groups, "Group to impersonate; may be repeated")
      ->allow_extra_args(false)
      ->option_text("NAME")
      ->group(kGlobalGroup);
  add("--as-uid", flags.as_uid, "Not supported", "UID");
  app.add_option("--as-user-extra", flags.as_user_extra, "Not supported")
      ->allow_extra_args(false)
      ->option_text("KEY=VALUE")
      ->group(kGlobalGroup);
  add("--certificate-authority", access.certificate_authority, "Certificate of the authority",
      "PATH");
  add("--client-certificate", access.client_certificate, "Client certificate", "PATH");
  add("--client-key", access.client_key, "Key of the client certificate", "PATH");
  add("--cache-dir", flags.cache_dir, "No effect; for compatibility", "DIR");
  app.add_flag("--disable-compression", flags.disables_compression, "No effect; for compatibility")
      ->group(kGlobalGroup);
  app.add_flag("--insecure-skip-tls-verify", access.skips_verification,
               "Do not check the server's certificate")
      ->group(kGlobalGroup);
}

base::Result<ctl::Cluster*> CtlSession::Connect() {
  if (cluster_ == nullptr) {
    if (auto opened = Open(); !opened) return std::unexpected(opened.error());
  }
  return cluster_.get();
}

base::Result<void> CtlSession::Open() {
  if (auto refused = RefuseUnsupported(flags_); !refused) return refused;
  const auto limit = ReadTimeout(flags_.request_timeout);
  if (!limit) return std::unexpected(limit.error());
  const auto page_size = ReadPageSize();
  if (!page_size) return std::unexpected(page_size.error());
  auto access = kube::FindAccess(flags_.access);
  if (!access) return std::unexpected(access.error());
  namespace_ = flags_.namespace_.empty() ? access->namespace_ : flags_.namespace_;
  kube::ClientOptions options{.requests_per_second = 0, .connections = 4, .answer_limit = *limit};
  options.retry.most_attempts = 3;
  options.user_agent = "kubectl-kueue";
  auto client = kube::Client::Make(std::move(*access), std::move(options));
  if (!client) return std::unexpected(client.error());
  client_ = std::move(*client);
  cluster_ = std::make_unique<ctl::Cluster>(
      *client_, ctl::Cluster::Options{.answer_limit = *limit, .page_size = *page_size});
  return {};
}

int CtlSession::Fail(const base::Error& error) {
  PrintWarnings();
  out_.Flush();
  err_ << PrintableLines(ctl::ToText(error));
  return kExitFound;
}

int CtlSession::Conclude(const base::Result<std::string>& text) {
  if (!text) return Fail(text.error());
  PrintWarnings();
  out_ << PrintableLines(*text);
  return kExitOk;
}

void CtlSession::ReportNothing(bool is_namespaced) {
  err_ << (is_namespaced ? "No resources found in " + namespace_ + " namespace.\n"
                         : std::string("No resources found\n"));
}

void CtlSession::PrintWarnings() {
  if (cluster_ == nullptr) return;
  for (const std::string& warning : cluster_->warnings())
    err_ << "Warning: " << Printable(warning) << "\n";
}

base::Result<ctl::OutputFormat> OutputFlags::Read() const {
  if (!go_template.empty() || !allows_missing_keys)
    return base::Fail(go_template.empty() ? "--allow-missing-template-keys=false is not supported"
                                          : "--template is not supported",
                      "use -o jsonpath='{.metadata.name}', or -o json and jq");
  auto format = ctl::OutputFormat::Parse(output);
  if (format) format->shows_managed_fields = shows_managed_fields;
  return format;
}

void AddOutputFlags(CLI::App& app, OutputFlags& flags) {
  app.add_option("-o,--output", flags.output, "Output format: json, yaml, name, wide, jsonpath=…")
      ->option_text("FORMAT");
  app.add_flag("--show-managed-fields", flags.shows_managed_fields,
               "Keep managedFields in JSON and YAML");
  app.add_option("--template", flags.go_template, "Not supported")->group("");
  app.add_flag("--allow-missing-template-keys", flags.allows_missing_keys, "Only true is supported")
      ->group("");
}

void AddDryRunFlag(CLI::App& app, std::string& dry_run) {
  dry_run = "none";
  app.add_option("--dry-run", dry_run,
                 "client: send nothing; server: validate, but do not store (default: none)")
      ->option_text("none|server|client");
}

base::Result<ctl::DryRun> ReadDryRun(const std::string& text) {
  const auto found = std::ranges::find(ctl::kDryRunNames, text);
  if (found == ctl::kDryRunNames.end())
    return base::Fail("invalid dry-run value (" + text + ")",
                      "must be \"none\", \"server\", or \"client\"");
  return static_cast<ctl::DryRun>(found - ctl::kDryRunNames.begin());
}

void AddWriteFlags(CLI::App& app, WriteFlags& flags) {
  AddOutputFlags(app, flags.output);
  AddDryRunFlag(app, flags.dry_run);
}

base::Result<WriteOptions> ReadWriteFlags(const WriteFlags& flags) {
  auto format = flags.output.Read();
  if (!format) return std::unexpected(format.error());
  const auto dry_run = ReadDryRun(flags.dry_run);
  if (!dry_run) return std::unexpected(dry_run.error());
  return WriteOptions{.format = std::move(*format), .dry_run = *dry_run};
}

}  // namespace berth::cli
