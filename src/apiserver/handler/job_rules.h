#pragma once

#include "api/batch/job.h"
#include "schema/problem.h"

namespace berth::apiserver {

// Immutable fields of a Job: selector and completion mode; completions, except together with the
// parallelism of an indexed job; the pod template, except scheduling directives of a suspended job
// that has not started.
schema::Problems JobChangeProblems(const api::Job& job, const api::Job& old_job);

}  // namespace berth::apiserver
