#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "api/kueue/workload.h"
#include "simulate/input.h"
#include "store/inbox.h"
#include "store/informer.h"
#include "store/store.h"

namespace berth::load {

// The speed of the server for the writes of a whole run without decisions and waits: an upper bound
// for any controller. As in a run, an owner and a controller watch the Workloads, and a client
// watches the Events.
class WriteBaseline {
 public:
  // The writes of a run, besides the creation of each Workload.
  struct Counts {
    size_t status_patches = 0;
    size_t status_updates = 0;
    size_t events = 0;
    size_t queue_patches = 0;  // status of ClusterQueues and LocalQueues
  };
  struct Figures {
    size_t writes = 0;
    double seconds = 0;
    std::vector<std::string> faults;
  };

  // All arguments must outlive it. The objects that the jobs need must exist.
  WriteBaseline(store::Store& store, const simulate::Input& input, const Counts& counts);

  // Performs the writes, spread evenly over the Workloads and sequentially for each.
  Figures Run();

 private:
  enum class Step : uint8_t { kCreate, kWait, kAdmit, kUpdate, kFinish, kEvent, kQueue };

  // The sequence of writes of a Workload.
  struct Life {
    uint32_t job = 0;
    std::vector<Step> steps;
    size_t next = 0;
    store::Object newest;  // the Workload as last returned
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
