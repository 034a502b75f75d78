#pragma once

#include "api/job.h"
#include "schema/problem.h"

namespace berth::apiserver {

// What of a Job may not change once it exists: selector and completion mode; completions, except of
// an indexed job whose parallelism changes with them; the pod template, of which scheduling
// directives may change while the job is suspended and has not started.
schema::Problems JobChangeProblems(const api::Job& job, const api::Job& old_job);

}  // namespace berth::apiserver
