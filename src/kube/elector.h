#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "kube/election.h"
#include "store/store.h"

namespace berth::kube {

// Participates in leader election on its own thread, so that no other work delays a renewal.
class Elector {
 public:
  struct Handlers {
    // Each is called at most once, on the thread of the elector.
    std::function<void()> on_leading;
    std::function<void()> on_lost;  // exit the process: another replica may lead already
    std::function<void(std::string_view)> log = [](std::string_view) {};
  };

  // Starts at once. The store must outlive the elector.
  Elector(store::Store& store, ElectionSettings settings, Handlers handlers);
  // Leaves the election without releasing the lease.
  ~Elector();

  // Thread-safe.
  bool IsLeading() const;

  // Releases the lease if it is ours and leaves the election. All writers must have stopped before.
  void HandOver();

 private:
  class Run;
  std::unique_ptr<Run> run_;
};

// Host name and random suffix: unique to this process.
std::string NewIdentity();

}  // namespace berth::kube
