#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "api/meta/source.h"
#include "lint/catalog.h"
#include "lint/finding.h"
#include "schema/problem.h"

namespace berth::lint {

// "flavors[2]".
inline std::string ElementField(std::string_view field, size_t index) {
  return std::string(field) + "[" + std::to_string(index) + "]";
}

// Collects findings and locates their fields.
class Report {
 public:
  // A problem with a field of an object ("": the whole object).
  struct Detail {
    std::string field;
    std::string message;
    std::string hint = {};
  };

  void Error(const Entry& entry, std::string_view rule, Detail detail) {
    Add(entry, Severity::kError, rule, std::move(detail));
  }
  void Warn(const Entry& entry, std::string_view rule, Detail detail) {
    Add(entry, Severity::kWarning, rule, std::move(detail));
  }

  // A problem from another validation. Keeps its place, if it has one.
  void Add(const Entry& entry, Severity severity, std::string_view rule,
           const schema::Problem& problem);

  // The place of an entry's field.
  base::Place PlaceOf(const Entry& entry, std::string_view field);

  // Whether an error was reported so far.
  bool HasErrors(const Entry& entry) const { return wrong_.contains(&entry); }

  // All findings, sorted.
  Findings Take() &&;

 private:
  void Add(const Entry& entry, Severity severity, std::string_view rule, Detail detail);

  Findings findings_;
  std::set<const Entry*> wrong_;
  const Entry* located_ = nullptr;  // the entry that the locator is for
  std::optional<api::Locator> locator_;
};

}  // namespace berth::lint
