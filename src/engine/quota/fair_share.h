#pragma once

#include <vector>

#include "engine/quota/quota_forest.h"

namespace berth::engine {

// The dominant resource share: a node's usage beyond its quota relative to its parent's capacity:
//
//   share = max over resources of
//             (sum over flavors of usage above subtree quota) x 1000 / lendable capacity of parent
//
// divided by the node's weight. A root, or a queue without a cohort, has share 0. A borrowing node
// of weight 0 has an infinite share; two infinite shares compare by their unweighted shares.
struct FairShare {
  double unweighted = 0;
  double weight = 1;
  bool is_borrowing = false;
  ResourceId dominant_resource;  // none if the share is 0; the first by name on a tie

  bool has_infinite_share() const { return weight == 0 && unweighted != 0; }
  // +infinity if infinite.
  double Weighted() const;
};

// Lower than any share; the initial value of a maximum search.
inline constexpr FairShare kLowestShare{.unweighted = -1};

// -1, 0 or 1. The lower share comes first when quota is granted, the higher when it is reclaimed.
int Compare(const FairShare& a, const FairShare& b);

FairShare ShareOf(const QuotaForest& forest, NodeId node);

// Whether the node borrows in a column with a non-zero entry in `amounts`.
bool IsBorrowingOnAny(const QuotaForest& forest, NodeId node,
                      const std::vector<ColumnAmount>& amounts);

// As shown in status: rounded up, the largest int64 if infinite.
int64_t RoundedShare(const FairShare& share);

}  // namespace berth::engine
