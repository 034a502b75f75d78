#pragma once

// Conditions on the figures of a simulation, for `--fail-if`.
//
//   p90(wait, queue=a) > 1.2 * base
//   utilisation(queue=a, resource=cpu) < 60%
//   preemptions() > base + 10
//   max(wait, class=large) >= 2h
//
// A comparison (> >= < <= == !=) of two arithmetic expressions of numbers, durations (90s, 1h30m),
// percentages and figures. `base` is the value of the other side in the world before the change.
//
//   p1(wait, …) … p99(wait, …), max(wait, …), mean(wait, …)   seconds
//   jobs(…) finished(…) unstarted(…) preemptions(…) evictions(…)   counts
//   throughput(…)     finished per hour
//   abovenominal(…)   share of time above nominal quota, of ClusterQueues
//   utilisation(…)    usage of nominal quota; queue=, flavor= and resource= select
//   makespan() loops() starved() infeasible()   of the whole world
//
// queue=NAME selects a ClusterQueue, queue=NAMESPACE/NAME a LocalQueue, class=NAME a class.

#include <memory>
#include <string>
#include <string_view>

#include "base/error.h"
#include "simulate/report/report.h"

namespace berth::simulate {

class Condition {
 public:
  static base::Result<Condition> Parse(std::string_view text);

  struct Verdict {
    bool holds = false;
    double left = 0;
    double right = 0;
  };
  // `base`: null without a change. Fails if the condition uses `base` then, or names an unknown
  // queue or class.
  base::Result<Verdict> Evaluate(const Report& world, const Report* base) const;

  const std::string& text() const { return text_; }

  struct Node;  // of the syntax tree

 private:
  std::string text_;
  std::string comparison_;
  std::shared_ptr<const Node> left_, right_;
};

}  // namespace berth::simulate
