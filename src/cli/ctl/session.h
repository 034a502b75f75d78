#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "cli/output.h"
#include "ctl/cluster.h"
#include "ctl/output_format.h"
#include "kube/client.h"
#include "kube/find_access.h"
#include "store/inbox.h"

namespace CLI {
class App;
}

namespace berth::cli {

// Flags of every command, as kubectl has them.
struct GlobalFlags {
  kube::AccessFlags access;
  std::string namespace_;
  std::string request_timeout = "0";
  std::string as_uid;
  std::vector<std::string> as_user_extra;
  std::string cache_dir;              // no effect: nothing is cached
  bool disables_compression = false;  // no effect: nothing is compressed
};
void AddGlobalFlags(CLI::App& app, GlobalFlags& flags);

// One run of a command: its global flags, its output, and the cluster once it is needed.
class CtlSession {
 public:
  // `program` is what the user calls it: "kubectl kueue".
  CtlSession(std::string program, Output& out, Output& err)
      : program_(std::move(program)), out_(out), err_(err) {}

  GlobalFlags& flags() { return flags_; }
  const std::string& program() const { return program_; }
  Output& out() { return out_; }
  Output& err() { return err_; }

  // Connects on first use.
  base::Result<ctl::Cluster*> Connect();
  // That of --namespace, else of the context. Valid after Connect.
  const std::string& namespace_name() const { return namespace_; }
  // For watches: the event loop of this thread, which outlives the connection.
  store::Inbox& inbox() { return inbox_; }

  // Reports the error; the exit code.
  int Fail(const base::Error& error);
  // Prints the text, free of control characters, or reports the error; the exit code.
  int Conclude(const base::Result<std::string>& text);
  // What kubectl says about an empty list. `is_namespaced`: of the present namespace only.
  void ReportNothing(bool is_namespaced);
  // What the server warned of.
  void PrintWarnings();

 private:
  base::Result<void> Open();

  std::string program_;
  Output& out_;
  Output& err_;
  GlobalFlags flags_;
  std::string namespace_ = "default";
  store::Inbox inbox_;
  std::unique_ptr<kube::Client> client_;
  std::unique_ptr<ctl::Cluster> cluster_;
};

// -o and its companions.
struct OutputFlags {
  std::string output;
  std::string go_template;
  bool shows_managed_fields = false;
  bool allows_missing_keys = true;

  base::Result<ctl::OutputFormat> Read() const;
};
void AddOutputFlags(CLI::App& app, OutputFlags& flags);

// --dry-run.
void AddDryRunFlag(CLI::App& app, std::string& dry_run);
base::Result<ctl::DryRun> ReadDryRun(const std::string& text);

// Flags of commands that write an object and print it.
struct WriteFlags {
  OutputFlags output;
  std::string dry_run;
};
void AddWriteFlags(CLI::App& app, WriteFlags& flags);

struct WriteOptions {
  ctl::OutputFormat format;
  ctl::DryRun dry_run = ctl::DryRun::kNone;
};
base::Result<WriteOptions> ReadWriteFlags(const WriteFlags& flags);

}  // namespace berth::cli
