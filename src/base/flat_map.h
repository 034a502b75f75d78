#pragma once

#include <algorithm>
#include <initializer_list>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace berth::base {

// A sorted vector of string keys and values, for labels, node selectors and resource lists. Lookup
// is O(log n), insertion O(n) with small n, iteration in key order.
template <class Value>
class FlatMap {
 public:
  using value_type = std::pair<std::string, Value>;
  using mapped_type = Value;
  using const_iterator = typename std::vector<value_type>::const_iterator;

  FlatMap() = default;
  FlatMap(std::initializer_list<value_type> entries) {
    for (const auto& [key, value] : entries) Set(key, value);
  }

  bool empty() const { return entries_.empty(); }
  size_t size() const { return entries_.size(); }
  const_iterator begin() const { return entries_.begin(); }
  const_iterator end() const { return entries_.end(); }

  // Null if the key is absent. Valid until the next modification.
  const Value* Find(std::string_view key) const {
    auto it = LowerBound(key);
    return it != entries_.end() && it->first == key ? &it->second : nullptr;
  }
  Value* Find(std::string_view key) { return const_cast<Value*>(std::as_const(*this).Find(key)); }
  bool Contains(std::string_view key) const { return Find(key) != nullptr; }
  // A copy of the value, or an empty value if the key is absent.
  Value ValueOrEmpty(std::string_view key) const {
    const Value* value = Find(key);
    return value == nullptr ? Value() : *value;
  }

  // Returns the value of the key, default-constructed if the key was absent; second is true for a
  // new key.
  std::pair<Value*, bool> Insert(std::string_view key) {
    // Encoders emit keys in order, so appending is the common case.
    if (entries_.empty() || entries_.back().first < key) {
      entries_.emplace_back(std::piecewise_construct, std::forward_as_tuple(key), std::tuple<>());
      return {&entries_.back().second, true};
    }
    auto it = entries_.begin() + (LowerBound(key) - entries_.cbegin());
    if (it->first == key) return {&it->second, false};
    it = entries_.emplace(it, std::string(key), Value());
    return {&it->second, true};
  }

  Value& operator[](std::string_view key) { return *Insert(key).first; }
  void Set(std::string_view key, Value value) { *Insert(key).first = std::move(value); }

  bool Erase(std::string_view key) {
    auto it = LowerBound(key);
    if (it == entries_.end() || it->first != key) return false;
    entries_.erase(it);
    return true;
  }
  void clear() { entries_.clear(); }
  void Reserve(size_t count) { entries_.reserve(count); }

  friend bool operator==(const FlatMap&, const FlatMap&) = default;

 private:
  const_iterator LowerBound(std::string_view key) const {
    return std::lower_bound(entries_.begin(), entries_.end(), key,
                            [](const value_type& e, std::string_view k) { return e.first < k; });
  }

  std::vector<value_type> entries_;
};

}  // namespace berth::base
