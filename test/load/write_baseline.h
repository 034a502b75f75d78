#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "simulate/input.h"
#include "store/inbox.h"
#include "store/store.h"

namespace berth::load {

// How fast the server takes the writes of a whole run when nobody has to decide anything, nobody
// watches, and nobody waits for anything but answers: what no controller can do better.
class WriteBaseline {
 public:
  struct Figures {
    size_t writes = 0;
    double seconds = 0;
    std::vector<std::string> faults;
  };

  // Everything must outlive it. What the jobs need must be there.
  WriteBaseline(store::Store& store, const simulate::Input& input);

  // Creates a Workload for each job, and says of it that it waits, that it is admitted and that it
  // has finished: four writes.
  Figures WriteWorkloads();
  // So many Events about each of them.
  Figures WriteEvents(size_t each);

 private:
  using MakeCall = std::function<store::Call(uint32_t job, size_t step)>;
  // Of each kind of job, what is written after one another.
  struct Life {
    std::string waits, is_admitted, has_finished;
  };

  Figures Play(size_t steps, const MakeCall& make_call);
  void Begin();
  void Do(uint32_t job, size_t step);
  store::Call WorkloadCall(uint32_t job, size_t step) const;
  store::Call EventCall(uint32_t job, size_t step) const;

  store::Store& store_;
  const simulate::Input& input_;
  store::Inbox inbox_;
  std::vector<Life> lives_;  // parallel to the kinds
  // While something is played:
  MakeCall make_call_;
  size_t steps_ = 0;
  size_t next_ = 0;
  size_t ended_ = 0;
  Figures figures_;
};

}  // namespace berth::load
