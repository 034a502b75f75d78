#include "load/workload_of.h"

#include <string>

namespace berth::load {

api::Workload WorkloadOf(const simulate::Input& input, uint32_t job) {
  api::Workload workload = input.kinds[input.jobs[job].kind].workload;
  const std::string name = simulate::NameOf(input, job);  // includes the namespace
  workload.metadata.name = name.substr(name.find('/') + 1);
  return workload;
}

}  // namespace berth::load
