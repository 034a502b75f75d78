#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace berth::workload {

// Distinct names in the order of their insertion.
class OrderedNames {
 public:
  void Insert(std::string_view name) {
    if (index_.emplace(name).second) order_.emplace_back(name);
  }
  bool Contains(std::string_view name) const { return index_.contains(name); }
  bool empty() const { return order_.empty(); }
  auto begin() const { return order_.begin(); }
  auto end() const { return order_.end(); }

 private:
  std::vector<std::string> order_;
  std::set<std::string, std::less<>> index_;
};

}  // namespace berth::workload
