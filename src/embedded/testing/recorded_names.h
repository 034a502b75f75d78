#pragma once

// The correspondence between the names of a recording and those of its replay. A Workload's name
// ends in a hash of a uid, a recorded uid is a placeholder, and the role of a pod is a hash.

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "embedded/testing/normal_form.h"
#include "json/json.h"

namespace berth::embedded::testing {

class RecordedNames {
 public:
  // The objects of the recording at its next step.
  void Expect(const json::array& objects);
  // The current objects: Workloads are matched by their owners and, if those have several slices,
  // by age.
  void Match(const std::vector<json::value>& objects);
  // The two correspond: their uids and roles do, too.
  void Pair(const json::value& expected, const json::value& actual);

  // From names of the replay to names of the recording.
  const Renaming& renaming() const { return renaming_; }
  std::string ActualName(std::string_view expected) const;
  // The name of a Workload that is in no step of the recording, without its hash.
  std::string WithoutUnknownHash(std::string_view workload) const;
  // JSON in which every text that is a recorded name or uid is replaced by the actual one.
  std::string WithActualNames(std::string text) const;

 private:
  // The slices of a job in order of their creation.
  struct Slices {
    std::vector<std::string> expected;
    std::vector<std::string> actual;
  };

  Renaming renaming_;
  std::set<std::string, std::less<>> known_;     // recorded names of Workloads
  std::map<std::string, std::string> expected_;  // names of Workloads, by owner
  std::map<std::string, Slices> slices_;         // by owner
};

}  // namespace berth::embedded::testing
