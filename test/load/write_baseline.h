#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "api/workload.h"
#include "simulate/input.h"
#include "store/inbox.h"
#include "store/informer.h"
#include "store/store.h"

namespace berth::load {

// How fast the server takes the writes of a whole run when nobody has to decide anything and nobody
// waits for anything but answers: what no controller can do better. As in a run, the Workloads have
// an owner and a controller who watch them, and somebody watches the Events.
class WriteBaseline {
 public:
  // What was written in a run, besides each Workload once to create it.
  struct Counts {
    size_t status_patches = 0;
    size_t status_updates = 0;
    size_t events = 0;
    size_t queue_patches = 0;  // of the status of ClusterQueues and LocalQueues
  };
  struct Figures {
    size_t writes = 0;
    double seconds = 0;
    std::vector<std::string> faults;
  };

  // Everything must outlive it. What the jobs need must be there.
  WriteBaseline(store::Store& store, const simulate::Input& input, const Counts& counts);

  // Writes that much, spread evenly over the Workloads: of each, one thing after the other.
  Figures Run();

 private:
  enum class Step : uint8_t { kCreate, kWait, kAdmit, kUpdate, kFinish, kEvent, kQueue };

  // A Workload's writes, one by one.
  struct Life {
    uint32_t job = 0;
    std::vector<Step> steps;
    size_t next = 0;
    store::Object newest;  // the Workload as the server gave it last
  };

  Life LifeOf(uint32_t job) const;
  void Begin(Life& life);
  void Do(Life& life);
  store::Call CallFor(const Life& life) const;
  store::Call CreateCall(const Life& life) const;
  store::Call PatchCall(const Life& life) const;
  store::Call UpdateCall(const Life& life) const;
  store::Call EventCall(const Life& life) const;
  store::Call QueueCall(const Life& life) const;
  void Fault(std::string text);

  store::Store& store_;
  const simulate::Input& input_;
  const Counts counts_;
  store::Inbox inbox_;
  std::vector<const api::Object*> queues_;
  uint32_t begun_ = 0;
  size_t ended_ = 0;
  Figures figures_;
};

}  // namespace berth::load
