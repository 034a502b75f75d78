#pragma once

#include <vector>

#include "engine/quota_forest.h"

namespace berth::engine {

// How far a node lives beyond its own quota, as a share of what its parent could have:
//
//   share = max over resources of
//             (sum over flavors of usage above subtree quota) x 1000 / lendable capacity of parent
//
// divided by the node's weight. A root, or a queue without a cohort, has share 0. A node of weight
// 0 that borrows has an infinite share; two such are compared by their unweighted shares.
struct FairShare {
  double unweighted = 0;
  double weight = 1;
  bool is_borrowing = false;
  ResourceId dominant_resource;  // none if the share is 0; of equal ones, the first by name

  bool has_infinite_share() const { return weight == 0 && unweighted != 0; }
  // +infinity where infinite.
  double Weighted() const;
};

// Below everything, to begin a search for the largest.
inline constexpr FairShare kLowestShare{.unweighted = -1};

// -1, 0 or 1. The lower share goes first when quota is given, the higher when it is taken.
int Compare(const FairShare& a, const FairShare& b);

FairShare ShareOf(const QuotaForest& forest, NodeId node);

// Whether the node borrows in a column where `amounts` has something.
bool IsBorrowingOnAny(const QuotaForest& forest, NodeId node,
                      const std::vector<ColumnAmount>& amounts);

// As status shows it: rounded up, the largest int64 where infinite.
int64_t RoundedShare(const FairShare& share);

}  // namespace berth::engine
