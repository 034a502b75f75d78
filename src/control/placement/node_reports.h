#pragma once

// Which failures of its nodes were reported for a Workload, so that each is reported once.
//
// A node counts as reported from the moment when status.unhealthyNodes names it until a plan finds
// that it has not failed any more. The scheduler may take it off the list before that. A plan takes
// off the nodes that have recovered; until that is written, the list says nothing about a new
// failure of them.

#include <set>
#include <string>
#include <vector>

#include "api/kueue/workload.h"

namespace berth::control {

class NodeReports {
 public:
  using List = std::vector<api::UnhealthyNode>;

  // A version of the Workload with this list is known.
  void OnListed(const List& listed);
  // A plan found these nodes failed, and `planned` is to replace the list.
  void OnPlan(const std::set<std::string>& failed, const List& listed, const List& planned);

  // The nodes that were reported since they failed.
  const std::set<std::string>& reported() const { return reported_; }

 private:
  std::set<std::string> reported_;
  std::set<std::string> recovered_;  // being taken off the list
};

}  // namespace berth::control
