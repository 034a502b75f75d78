#include <sys/ioctl.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>

#include "cli/command.h"
#include "cli/ctl/ctl_command.h"
#include "cli/printable.h"
#include "cli/progress.h"
#include "ctl/decoded.h"
#include "ctl/top_view.h"
#include "store/inbox.h"
#include "store/informer.h"
#include "store/system_time.h"

namespace berth::cli {
namespace {

constexpr base::Duration kBetweenFrames = base::Duration::Seconds(1);
// The alternate screen without a cursor, and back.
constexpr std::string_view kEnterScreen = "\x1b[?1049h\x1b[?25l";
constexpr std::string_view kLeaveScreen = "\x1b[?25h\x1b[?1049l";
constexpr std::string_view kHome = "\x1b[H";
constexpr std::string_view kClearLine = "\x1b[K";
constexpr std::string_view kClearBelow = "\x1b[J";

base::Result<ctl::TopState> ReadTopState(ctl::Cluster& cluster) {
  auto cluster_queues = ctl::ListDecoded<api::ClusterQueue>(cluster);
  if (!cluster_queues) return std::unexpected(cluster_queues.error());
  auto local_queues = ctl::ListDecoded<api::LocalQueue>(cluster);
  if (!local_queues) return std::unexpected(local_queues.error());
  auto workloads = ctl::ListDecoded<api::Workload>(cluster);
  if (!workloads) return std::unexpected(workloads.error());
  return ctl::TopState{std::move(*cluster_queues), std::move(*local_queues), std::move(*workloads)};
}

ctl::TopOptions TerminalSize(size_t heads) {
  winsize size{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
    return {.width = 80, .height = 24, .heads = heads};
  return {.width = size.ws_col, .height = size.ws_row, .heads = heads};
}

// A kind that is watched.
template <class T>
class WatchedKind {
 public:
  WatchedKind(store::Store& store, store::Executor& executor, bool& has_changed)
      : informer_(store, executor, store::ResourceOf<T>(), {},
                  {.on_change = [&has_changed](const store::Change&) { has_changed = true; },
                   .on_synced = [&has_changed] { has_changed = true; },
                   .on_failure = {}}) {}

  bool is_synced() const { return informer_.is_synced(); }

  // An object that does not decode is left out.
  std::vector<T> Objects() const {
    std::vector<T> objects;
    for (const auto& [name, object] : informer_.objects())
      if (auto decoded = object.template Decode<T>()) objects.push_back(std::move(*decoded));
    return objects;
  }

 private:
  store::Informer informer_;
};

// The live picture, until Ctrl-C.
class LiveTop {
 public:
  LiveTop(store::Store& store, store::Inbox& inbox, size_t heads, Output& out)
      : heads_(heads),
        inbox_(inbox),
        out_(out),
        cluster_queues_(store, inbox_, has_changed_),
        local_queues_(store, inbox_, has_changed_),
        workloads_(store, inbox_, has_changed_) {}

  void Run() {
    const InterruptWatch interrupt;
    out_ << kEnterScreen;
    while (!interrupt.is_interrupted()) {
      if (IsSynced()) Draw();
      inbox_.RunUntil([&] { return interrupt.is_interrupted(); }, kBetweenFrames);
    }
    out_ << kLeaveScreen;
    out_.Flush();
  }

 private:
  bool IsSynced() const {
    return cluster_queues_.is_synced() && local_queues_.is_synced() && workloads_.is_synced();
  }

  void Draw() {
    if (has_changed_)
      state_ = {cluster_queues_.Objects(), local_queues_.Objects(), workloads_.Objects()};
    has_changed_ = false;
    ctl::TopOptions options = TerminalSize(heads_);
    options.height = std::max<size_t>(options.height, 2) - 1;
    const std::string text = PrintableLines(ctl::TopView(state_, options, store::SystemTime()));
    out_ << kHome;
    for (size_t begin = 0; begin < text.size();) {
      const size_t end = std::min(text.find('\n', begin), text.size());
      out_ << text.substr(begin, end - begin) << kClearLine << "\n";
      begin = end + 1;
    }
    out_ << kClearBelow;
    out_.Flush();
  }

  size_t heads_;
  store::Inbox& inbox_;
  Output& out_;
  bool has_changed_ = false;
  ctl::TopState state_;
  WatchedKind<api::ClusterQueue> cluster_queues_;
  WatchedKind<api::LocalQueue> local_queues_;
  WatchedKind<api::Workload> workloads_;
};

struct TopArguments {
  size_t heads = 3;
  bool is_once = false;
};

int ShowTop(const TopArguments& arguments, CtlSession& session) {
  const auto cluster = session.Connect();
  if (!cluster) return session.Fail(cluster.error());
  // Also what fails if the user may not read it.
  const auto state = ReadTopState(**cluster);
  if (!state) return session.Fail(state.error());
  if (arguments.is_once || !session.out().IsTerminal())
    return session.Conclude(ctl::TopView(
        *state, {.width = SIZE_MAX, .height = 0, .heads = arguments.heads}, store::SystemTime()));
  LiveTop((*cluster)->store(), session.inbox(), arguments.heads, session.out()).Run();
  return kExitOk;
}

CtlAction DeclareTop(CLI::App& app) {
  auto arguments = std::make_shared<TopArguments>();
  app.add_flag("--once", arguments->is_once, "Print one picture, as where there is no terminal");
  app.add_option("--heads", arguments->heads, "Pending workloads of each queue (default: 3)")
      ->option_text("N");
  return [arguments](CtlSession& session) { return ShowTop(*arguments, session); };
}

}  // namespace

CtlCommand TopCommand() {
  return {"top",
          "",
          {},
          "Watch the queues: usage and who is next; Ctrl-C ends it",
          "  kubectl kueue top\n  kubectl kueue top --once --heads 10",
          &DeclareTop};
}

}  // namespace berth::cli
