#include "cli/progress.h"

#include <algorithm>
#include <csignal>

#include "simulate/report/format.h"

namespace berth::cli {
namespace {

constexpr std::chrono::milliseconds kBetweenDraws(200);
constexpr size_t kBarWidth = 24;

volatile std::sig_atomic_t interrupted = 0;

void OnInterrupt(int) {
  interrupted = 1;
  std::signal(SIGINT, SIG_DFL);
}

}  // namespace

Progress::Progress(Output& err, std::string label, uint64_t total)
    : err_(err),
      label_(std::move(label)),
      total_(std::max<uint64_t>(total, 1)),
      is_shown_(err.IsTerminal()),
      begin_(Clock::now()),
      next_(begin_ + kBetweenDraws) {}

Progress::~Progress() {
  if (!has_drawn_) return;
  err_ << "\r\x1b[K";
  err_.Flush();
}

void Progress::Show(uint64_t done) {
  if (!is_shown_) return;
  const Clock::time_point now = Clock::now();
  if (now < next_) return;
  next_ = now + kBetweenDraws;
  has_drawn_ = true;
  const double seconds = std::chrono::duration<double>(now - begin_).count();
  const double rate = static_cast<double>(done) / seconds;
  const double part = std::min(1.0, static_cast<double>(done) / static_cast<double>(total_));
  const auto filled = static_cast<size_t>(part * kBarWidth);
  std::string line = "\r\x1b[K[" + std::string(filled, '#') + std::string(kBarWidth - filled, ' ') +
                     "] " + simulate::PercentText(part) + " of " + std::to_string(total_) + " " +
                     label_ + ", " + simulate::FixedText(rate, 0) + "/s";
  if (rate > 0)
    line += ", " +
            simulate::LengthText(static_cast<double>(total_ - std::min(done, total_)) / rate) +
            " to go";
  err_ << line;
  err_.Flush();
}

InterruptWatch::InterruptWatch() {
  interrupted = 0;
  std::signal(SIGINT, OnInterrupt);
}

InterruptWatch::~InterruptWatch() { std::signal(SIGINT, SIG_DFL); }

bool InterruptWatch::is_interrupted() const { return interrupted != 0; }

}  // namespace berth::cli
