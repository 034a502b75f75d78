#include "cli/up/stop_signal.h"

#include <atomic>
#include <csignal>
#include <cstdlib>

namespace berth::cli {
namespace {

std::atomic<bool> g_is_stop_asked = false;
static_assert(std::atomic<bool>::is_always_lock_free);  // set by a signal handler

void OnStopSignal(int signal) {
  if (g_is_stop_asked.exchange(true)) std::_Exit(128 + signal);
}

}  // namespace

void CatchStopSignals() {
  std::signal(SIGINT, OnStopSignal);
  std::signal(SIGTERM, OnStopSignal);
}

bool IsStopAsked() { return g_is_stop_asked; }

}  // namespace berth::cli
