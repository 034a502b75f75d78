#pragma once

#include <set>
#include <string>
#include <string_view>

namespace berth::query {

// A set of namespaces.
class Namespaces {
 public:
  static Namespaces All() {
    Namespaces all;
    all.is_all_ = true;
    return all;
  }
  void Add(std::string name) { names_.insert(std::move(name)); }
  bool Contains(std::string_view name) const { return is_all_ || names_.contains(name); }
  bool is_all() const { return is_all_; }
  const std::set<std::string, std::less<>>& names() const { return names_; }

 private:
  bool is_all_ = false;
  std::set<std::string, std::less<>> names_;
};

// The objects that a user may see. Every answer leaves out all others.
struct Viewer {
  std::string user;
  bool sees_cluster_queues = false;
  bool sees_cohorts = false;
  bool sees_flavors = false;
  Namespaces workloads;     // whose Workloads the user may see
  Namespaces local_queues;  // whose LocalQueues the user may see

  static Viewer OfEverything(std::string user) {
    return {.user = std::move(user),
            .sees_cluster_queues = true,
            .sees_cohorts = true,
            .sees_flavors = true,
            .workloads = Namespaces::All(),
            .local_queues = Namespaces::All()};
  }
  bool SeesEverything() const {
    return sees_cluster_queues && sees_cohorts && sees_flavors && workloads.is_all() &&
           local_queues.is_all();
  }
  // Equal for viewers who see the same objects.
  std::string Scope() const;
};

}  // namespace berth::query
