#pragma once

#include <optional>
#include <string>
#include <vector>

#include "api/kueue/fair_sharing.h"
#include "api/kueue/resource_group.h"
#include "api/meta/meta.h"
#include "schema/describe.h"

namespace berth::api {

struct CohortSpec {
  std::optional<std::string> parent_name;  // absent: a root
  std::vector<ResourceGroup> resource_groups;
  std::optional<FairSharing> fair_sharing;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const CohortSpec&, const CohortSpec&) = default;
};

struct CohortStatus {
  std::optional<FairSharingStatus> fair_sharing;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const CohortStatus&, const CohortStatus&) = default;
};

// A node of the tree in which ClusterQueues borrow from each other. A Cohort that is only
// referenced, by a ClusterQueue or a child, exists implicitly; an object adds quota, a parent or a
// weight.
struct Cohort {
  ObjectMeta metadata;
  CohortSpec spec;
  CohortStatus status;
  schema::Extra extra;

  static const schema::Kind& KindInfo();
  static const schema::Struct& Description();
  friend bool operator==(const Cohort&, const Cohort&) = default;
};

}  // namespace berth::api
