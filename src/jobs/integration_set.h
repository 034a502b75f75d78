#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "jobs/integration.h"
#include "jobs/managed.h"
#include "schema/problem.h"

namespace berth::jobs {

// The known job kinds: the built-in ones and those of an administrator's files.
class IntegrationSet {
 public:
  // The descriptions in kinds/.
  static const IntegrationSet& BuiltIn();
  // A copy of the built-in set, to be extended.
  static IntegrationSet WithBuiltIn() { return BuiltIn(); }

  // Adds the descriptions of a YAML or JSON text, one per document. Returns all problems with their
  // positions; if there are any, nothing is added. A known framework or kind is an error.
  schema::Problems Add(std::string_view text, std::string_view file);

  // Adds all .yaml, .yml and .json files of a directory, ordered by name.
  schema::Problems AddDirectory(const std::string& directory);

  const std::deque<Integration>& all() const { return all_; }
  // By group and kind, regardless of the version. Null if unknown.
  const Integration* Find(std::string_view api_version, std::string_view kind) const;
  const Integration* FindFramework(std::string_view framework) const;

  // The kinds beyond the built-in ones, for ManagedJobsPolicy.
  std::vector<ManagedJobsPolicy::Kind> AddedKinds() const;

 private:
  std::deque<Integration> all_;  // stable addresses
};

}  // namespace berth::jobs
