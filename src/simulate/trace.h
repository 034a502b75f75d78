#pragma once

// Jobs from files: a row, a line or an object each.
//
// All readers promise the same. Everything that is wrong is said with its line, up to a number that
// a person still reads; and if anything is wrong, the input is as it was before. LocalQueues that
// jobs name must be among the input's objects.
//
//   arrival   when it comes: seconds or a length of time (`90`, `1h30m`) after the start, or a time
//             (`2026-01-02T15:04:05Z`); all jobs of a file in the same way
//   queue     LocalQueue: `namespace/name`, or just its name in the namespace `default`
//   requests  of one pod, by resource
//   count     number of pods; 1 unless given
//   runTime   how long it runs, as arrival; unknown unless given
//   priority  0 unless given
//   class     what summaries count it under
//   name      its own; made up unless given

#include <string>
#include <string_view>

#include "schema/problem.h"
#include "simulate/input.h"

namespace berth::simulate {

struct TraceOptions {
  std::string file;
  // LocalQueue of jobs that name none; "" if all must. In Standard Workload Format {queue},
  // {partition}, {user} and {group} stand for the numbers of the job.
  std::string queue = {};
};

// Comma-separated values with a line of column names. Columns besides those above are resources:
// `cpu`, `memory`, `nvidia.com/gpu`. Lines that begin with # are comments.
schema::Problems AddCsvTrace(std::string_view text, const TraceOptions& options, Input& input);

// A JSON object a line.
schema::Problems AddJsonTrace(std::string_view text, const TraceOptions& options, Input& input);

// The log format of the Parallel Workloads Archive, 18 numbers a line. Each processor becomes a pod
// with one cpu and the memory that was asked for or, if that is unknown, used. What was cancelled
// before it ran is left out.
schema::Problems AddSwfTrace(std::string_view text, const TraceOptions& options, Input& input);

// By the end of the file's name: .csv, .jsonl or .ndjson, .swf.
schema::Problems AddTrace(std::string_view text, const TraceOptions& options, Input& input);

}  // namespace berth::simulate
