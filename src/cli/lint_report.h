#pragma once

#include <cstddef>
#include <vector>

#include "cli/output.h"
#include "lint/lint.h"
#include "lint/managed_jobs.h"

// Output of `berth lint`.
namespace berth::cli {

struct LintCounts {
  size_t files = 0;
  size_t objects = 0;
  size_t errors = 0;
  size_t warnings = 0;
};

LintCounts Count(const lint::LintResult& result, size_t files);

// Like a compiler: a line for each finding, a second one for its hint, and a summary.
void PrintHuman(const lint::LintResult& result, const LintCounts& counts, bool has_colour,
                Output& out);

// A line for each job: its location, its kind, whether it is managed and why.
void PrintManaged(const std::vector<lint::ManagedJob>& jobs, bool has_colour, Output& out);

// One JSON object: counts, unknownKinds, findings and, if `managed` is not null, managedJobs.
void PrintJson(const lint::LintResult& result, const LintCounts& counts,
               const std::vector<lint::ManagedJob>* managed, Output& out);

}  // namespace berth::cli
