#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace berth::workload {

// Objects by name, in the order of their names.
template <class T>
class ObjectMap {
 public:
  // Null if there is none. Valid until the object is erased.
  const T* Find(std::string_view name) const {
    const auto found = objects_.find(name);
    return found == objects_.end() ? nullptr : &found->second;
  }
  T* Find(std::string_view name) {
    const auto found = objects_.find(name);
    return found == objects_.end() ? nullptr : &found->second;
  }
  bool Contains(std::string_view name) const { return objects_.contains(name); }

  // The object of this name, default-constructed if it is new.
  struct Inserted {
    T& object;
    bool is_new;
  };
  Inserted Insert(const std::string& name) {
    const auto [position, is_new] = objects_.try_emplace(name);
    return {position->second, is_new};
  }
  // False if there was none.
  bool Erase(std::string_view name) {
    const auto found = objects_.find(name);
    if (found == objects_.end()) return false;
    objects_.erase(found);
    return true;
  }
  void clear() { objects_.clear(); }

  auto begin() { return objects_.begin(); }
  auto end() { return objects_.end(); }
  auto begin() const { return objects_.begin(); }
  auto end() const { return objects_.end(); }
  auto lower_bound(std::string_view name) const { return objects_.lower_bound(name); }

 private:
  std::map<std::string, T, std::less<>> objects_;
};

}  // namespace berth::workload
