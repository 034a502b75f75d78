#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "jobs/integration.h"
#include "jobs/managed.h"
#include "schema/problem.h"

namespace berth::jobs {

// The kinds of jobs that are known: Berth's own and those of an admin's files.
class IntegrationSet {
 public:
  // Those in kinds/.
  static const IntegrationSet& BuiltIn();
  // A set with the built-in ones, to which others can be added.
  static IntegrationSet WithBuiltIn() { return BuiltIn(); }

  // Adds the descriptions of a text: YAML or JSON, a document each. Everything that is wrong is
  // reported with its place; then nothing of the text is added. A framework or a kind that is there
  // already is an error.
  schema::Problems Add(std::string_view text, std::string_view file);

  // Adds every file of a directory whose name ends in .yaml, .yml or .json, by name.
  schema::Problems AddDirectory(const std::string& directory);

  const std::deque<Integration>& all() const { return all_; }
  // By group and kind, whatever the version. Null if there is none.
  const Integration* Find(std::string_view api_version, std::string_view kind) const;
  const Integration* FindFramework(std::string_view framework) const;

  // The kinds that were added to the built-in ones, for ManagedJobsPolicy.
  std::vector<ManagedJobsPolicy::Kind> AddedKinds() const;

 private:
  std::deque<Integration> all_;  // stay where they are
};

}  // namespace berth::jobs
