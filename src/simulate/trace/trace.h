#pragma once

// Readers of job traces, one job a line.
//
// All readers report problems with their line, up to a limit, and leave the input unchanged if
// there are any. The LocalQueues of jobs must be among the objects of the input.
//
//   arrival   arrival time: seconds or a duration (`90`, `1h30m`) after the start, or a timestamp
//             (`2026-01-02T15:04:05Z`); one form for the whole file
//   queue     LocalQueue: `namespace/name`, or a name in the namespace `default`
//   requests  of one pod, by resource
//   count     number of pods; default 1
//   runTime   seconds or a duration; default unknown
//   priority  default 0
//   class     class in summaries
//   name      default: class and index

#include <string>
#include <string_view>

#include "schema/problem.h"
#include "simulate/input.h"

namespace berth::simulate {

struct TraceOptions {
  std::string file;
  // LocalQueue of jobs without one; "": none. In Standard Workload Format, {queue}, {partition},
  // {user} and {group} are replaced by the numbers of the job.
  std::string queue = {};
};

// Comma-separated values with a header. Other columns are resources: `cpu`, `memory`,
// `nvidia.com/gpu`. Lines that begin with # are comments.
schema::Problems AddCsvTrace(std::string_view text, const TraceOptions& options, Input& input);

// One JSON object a line.
schema::Problems AddJsonTrace(std::string_view text, const TraceOptions& options, Input& input);

// The log format of the Parallel Workloads Archive, 18 numbers a line. Each processor becomes a pod
// with one cpu and the requested memory, or the used memory if that is unknown. Jobs cancelled
// before they ran are omitted.
schema::Problems AddSwfTrace(std::string_view text, const TraceOptions& options, Input& input);

// Format by file name extension: .csv, .jsonl or .ndjson, .swf.
schema::Problems AddTrace(std::string_view text, const TraceOptions& options, Input& input);

}  // namespace berth::simulate
