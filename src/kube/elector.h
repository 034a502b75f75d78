#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "kube/election.h"
#include "store/store.h"

namespace berth::kube {

// Takes part in an election, on a thread of its own, so that work elsewhere holds no renewal back.
class Elector {
 public:
  struct Handlers {
    // Each at most once, on the elector's thread.
    std::function<void()> on_leading;
    std::function<void()> on_lost;  // end the process: others may lead already
    std::function<void(std::string_view)> log = [](std::string_view) {};
  };

  // Begins at once. The store must outlive it.
  Elector(store::Store& store, ElectionSettings settings, Handlers handlers);
  // Leaves the election, without handing over.
  ~Elector();

  // From any thread, at any moment.
  bool IsLeading() const;

  // Gives the lease back if it is ours, and leaves the election. By then nothing may act any more.
  void HandOver();

 private:
  class Run;
  std::unique_ptr<Run> run_;
};

// The host's name and something random: like no other process's.
std::string NewIdentity();

}  // namespace berth::kube
