#pragma once

// The fits of domains during a search, which replaces those of chosen domains by their shares.

#include <utility>
#include <vector>

#include "engine/topology/domain_fit.h"
#include "engine/topology/topology_forest.h"

namespace berth::engine {

class SearchFits {
 public:
  // `fits` must outlive this.
  explicit SearchFits(std::vector<DomainFit>& fits) : fits_(&fits) {}

  const std::vector<DomainFit>& all() const { return *fits_; }
  const DomainFit& operator[](DomainIndex domain) const { return (*fits_)[domain]; }
  DomainFit& Change(DomainIndex domain) {
    changed_.emplace_back(domain, (*fits_)[domain]);
    return (*fits_)[domain];
  }
  // Undoes all changes.
  void Restore() {
    for (; !changed_.empty(); changed_.pop_back())
      (*fits_)[changed_.back().first] = changed_.back().second;
  }

 private:
  std::vector<DomainFit>* fits_;
  std::vector<std::pair<DomainIndex, DomainFit>> changed_;  // as they were
};

}  // namespace berth::engine
