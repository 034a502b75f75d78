#include "scenario/scenario_compare.h"

#include <algorithm>

#include "api/meta/problem_report.h"
#include "base/list_text.h"

namespace berth::scenario {
namespace {

using api::Quoted;

bool Contains(const Names& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

// The ClusterQueue that lists a workload; null if there is none.
const std::string* QueueOf(const std::optional<NamesByQueue>& by_queue, std::string_view name) {
  if (!by_queue) return nullptr;
  for (const auto& [queue, names] : *by_queue) {
    if (Contains(names, name)) return &queue;
  }
  return nullptr;
}

std::string Joined(const std::vector<std::string>& parts, std::string_view separator) {
  std::string text;
  for (const std::string& part : parts) {
    if (!text.empty()) text += separator;
    text += part;
  }
  return text;
}

std::string PodsText(int64_t count) { return base::CountText(static_cast<size_t>(count), "pod"); }

std::string PodSetText(const api::PodSetAssignment& pod_set) {
  std::vector<std::string> parts;
  for (const auto& [resource, usage] : pod_set.resource_usage) {
    const std::string* flavor = pod_set.flavors.Find(resource);
    parts.push_back(resource + " " + usage.ToString() +
                    (flavor == nullptr ? "" : " from flavor " + Quoted(*flavor)));
  }
  std::string text = Quoted(pod_set.name);
  if (pod_set.count) text += " x" + std::to_string(*pod_set.count);
  return text + (parts.empty() ? "" : " with " + Joined(parts, ", "));
}

std::string AdmissionText(const api::Admission& admission) {
  std::vector<std::string> parts;
  for (const api::PodSetAssignment& pod_set : admission.pod_set_assignments)
    parts.push_back(PodSetText(pod_set));
  return "admitted in " + Quoted(admission.cluster_queue) +
         (parts.empty() ? "" : ": " + Joined(parts, "; "));
}

// The podset of another admission with the same name and, among several of that name, the same
// position.
const api::PodSetAssignment* FindPodSet(const api::Admission& in, const api::Admission& other,
                                        const api::PodSetAssignment& like) {
  size_t before = 0;
  for (const api::PodSetAssignment* p = other.pod_set_assignments.data(); p != &like; ++p)
    before += p->name == like.name ? 1 : 0;
  for (const api::PodSetAssignment& pod_set : in.pod_set_assignments) {
    if (pod_set.name == like.name && before-- == 0) return &pod_set;
  }
  return nullptr;
}

// Pod counts of an assignment by domain ("block-1/rack-2").
base::FlatMap<int64_t> PodsByDomain(const std::optional<api::TopologyAssignment>& assignment) {
  base::FlatMap<int64_t> pods;
  if (!assignment) return pods;
  for (const api::TopologyDomain& domain : api::UnpackTopologyAssignment(*assignment))
    pods[Joined(domain.values, "/")] += domain.count;
  return pods;
}

// Formats the values that differ.
class Comparison {
 public:
  Comparison(const Outcome& want, const Outcome& got) : want_(want), got_(got) {}

  std::vector<std::string> Run() {
    CompareAdmissions();
    CompareSets("newly admitted", want_.newly_admitted, got_.newly_admitted);
    CompareReasons("preempted", want_.preempted, got_.preempted);
    CompareReasons("evicted", want_.evicted, got_.evicted);
    CompareSets("finished", want_.finished, got_.finished);
    CompareQueues("pending", want_.pending, got_.pending);
    CompareQueues("inadmissible", want_.inadmissible, got_.inadmissible);
    CompareWaitReasons();
    CompareJobs();
    CompareProblems("error", want_.configuration_errors, got_.configuration_errors);
    CompareProblems("warning", want_.configuration_warnings, got_.configuration_warnings);
    ComparePerCycle();
    return std::move(lines_);
  }

 private:
  void Add(std::string_view workload, std::string_view expected, std::string_view actual) {
    lines_.push_back(context_ + std::string(workload) + ": expected " + std::string(expected) +
                     ", but " + std::string(actual));
  }

  // The actual state of a workload, for messages.
  std::string StateOf(std::string_view name) const {
    const std::string* reason = got_.reasons.Find(name);
    const std::string why = reason == nullptr || reason->empty() ? "" : ": " + *reason;
    if (const std::string* queue = QueueOf(got_.pending, name))
      return "it is pending in " + Quoted(*queue) + why;
    if (const std::string* queue = QueueOf(got_.inadmissible, name))
      return "it is inadmissible in " + Quoted(*queue) + why;
    if (got_.finished && Contains(*got_.finished, name)) return "it is finished";
    if (!got_.admissions) return "it is not pending";
    if (got_.admissions->Contains(name)) return "it holds quota";
    return "it has no quota and is not pending";
  }

  void CompareAdmissions() {
    if (!want_.admissions) return;
    for (const auto& [name, wanted] : *want_.admissions) {
      const api::Admission* actual = got_.admissions->Find(name);
      if (actual == nullptr) {
        Add(name, "to be " + AdmissionText(wanted), StateOf(name));
      } else {
        CompareAdmission(name, wanted, *actual);
      }
    }
    for (const auto& [name, actual] : *got_.admissions) {
      if (!want_.admissions->Contains(name))
        Add(name, "to hold no quota", "it is " + AdmissionText(actual));
    }
  }

  void CompareAdmission(const std::string& name, const api::Admission& wanted,
                        const api::Admission& actual) {
    if (wanted.cluster_queue != actual.cluster_queue)
      Add(name, "to be admitted in " + Quoted(wanted.cluster_queue),
          "it is in " + Quoted(actual.cluster_queue));
    for (const api::PodSetAssignment& pod_set : wanted.pod_set_assignments) {
      const api::PodSetAssignment* given = FindPodSet(actual, wanted, pod_set);
      if (given == nullptr) {
        Add(name, "podset " + PodSetText(pod_set), "it has no such podset");
      } else {
        ComparePodSet(name + ", podset " + Quoted(pod_set.name), pod_set, *given);
      }
    }
    for (const api::PodSetAssignment& pod_set : actual.pod_set_assignments) {
      if (FindPodSet(wanted, actual, pod_set) == nullptr)
        Add(name, "no podset " + Quoted(pod_set.name), "it has " + PodSetText(pod_set));
    }
  }

  void ComparePodSet(const std::string& where, const api::PodSetAssignment& wanted,
                     const api::PodSetAssignment& given) {
    if (wanted.count && wanted.count != given.count)
      Add(where, PodsText(*wanted.count), "it has " + std::to_string(given.count.value_or(0)));
    for (const auto& [resource, flavor] : wanted.flavors) {
      const std::string* actual = given.flavors.Find(resource);
      if (actual == nullptr || *actual != flavor)
        Add(where, resource + " from flavor " + Quoted(flavor),
            actual == nullptr ? "it has no flavor" : "it comes from flavor " + Quoted(*actual));
    }
    for (const auto& [resource, flavor] : given.flavors) {
      if (!wanted.flavors.Contains(resource))
        Add(where, "no flavor for " + resource, "it comes from flavor " + Quoted(flavor));
    }
    CompareUsage(where, wanted.resource_usage, given.resource_usage);
    CompareTopology(where, wanted.topology_assignment, given.topology_assignment);
    const std::string wanted_delay = wanted.delayed_topology_request.value_or("none");
    const std::string delay = given.delayed_topology_request.value_or("none");
    if (wanted_delay != delay)
      Add(where, "a delayed topology request in state " + wanted_delay, "the state is " + delay);
  }

  void CompareTopology(const std::string& where,
                       const std::optional<api::TopologyAssignment>& wanted,
                       const std::optional<api::TopologyAssignment>& given) {
    const std::vector<std::string> none;
    const std::vector<std::string>& wanted_levels = wanted ? wanted->levels : none;
    const std::vector<std::string>& levels = given ? given->levels : none;
    if (wanted_levels != levels)
      Add(where, "levels " + Joined(wanted_levels, ", "),
          levels.empty() ? "it has none" : "they are " + Joined(levels, ", "));
    const base::FlatMap<int64_t> expected = PodsByDomain(wanted);
    const base::FlatMap<int64_t> actual = PodsByDomain(given);
    for (const auto& [domain, pods] : expected) {
      const int64_t* found = actual.Find(domain);
      if (found == nullptr || *found != pods)
        Add(where, PodsText(pods) + " in " + Quoted(domain),
            found == nullptr ? "there is none" : "the number is " + std::to_string(*found));
    }
    for (const auto& [domain, pods] : actual) {
      if (!expected.Contains(domain))
        Add(where, "no pod in " + Quoted(domain), "the number is " + std::to_string(pods));
    }
  }

  void CompareUsage(const std::string& where, const base::FlatMap<quantity::Quantity>& wanted,
                    const base::FlatMap<quantity::Quantity>& given) {
    for (const auto& [resource, amount] : wanted) {
      const quantity::Quantity* actual = given.Find(resource);
      if (actual == nullptr || !(*actual == amount))
        Add(where, "it to use " + amount.ToString() + " of " + resource,
            "it uses " + (actual == nullptr ? "none" : actual->ToString()));
    }
    for (const auto& [resource, amount] : given) {
      if (!wanted.Contains(resource))
        Add(where, "it to use no " + resource, "it uses " + amount.ToString());
    }
  }

  void CompareSets(std::string_view what, const std::optional<Names>& wanted,
                   const std::optional<Names>& actual) {
    if (!wanted) return;
    for (const std::string& name : *wanted) {
      if (!Contains(*actual, name))
        Add(name, "to be " + std::string(what), "it is not; " + StateOf(name));
    }
    for (const std::string& name : *actual) {
      if (!Contains(*wanted, name)) Add(name, "not to be " + std::string(what), "it is");
    }
  }

  void CompareReasons(std::string_view what, const std::optional<Reasons>& wanted,
                      const std::optional<Reasons>& actual) {
    if (!wanted) return;
    for (const auto& [name, reason] : *wanted) {
      const std::string* given = actual->Find(name);
      if (given == nullptr) {
        Add(name, "to be " + std::string(what) + " (" + reason + ")",
            "it is not; " + StateOf(name));
      } else if (*given != reason) {
        Add(name, "to be " + std::string(what) + " because of " + reason,
            "the reason is " + *given);
      }
    }
    for (const auto& [name, reason] : *actual) {
      if (!wanted->Contains(name))
        Add(name, "not to be " + std::string(what), "it is (" + reason + ")");
    }
  }

  void CompareQueues(std::string_view what, const std::optional<NamesByQueue>& wanted,
                     const std::optional<NamesByQueue>& actual) {
    if (!wanted) return;
    for (const auto& [queue, names] : *wanted) {
      const Names* given = actual->Find(queue);
      for (const std::string& name : names) {
        if (given == nullptr || !Contains(*given, name))
          Add(name, "to be " + std::string(what) + " in " + Quoted(queue), StateOf(name));
      }
    }
    for (const auto& [queue, names] : *actual) {
      const Names* expected = wanted->Find(queue);
      for (const std::string& name : names) {
        if (expected == nullptr || !Contains(*expected, name))
          Add(name, "not to be " + std::string(what) + " in " + Quoted(queue), "it is");
      }
    }
  }

  void CompareWaitReasons() {
    for (const auto& [name, reason] : want_.reasons) {
      const std::string* given = got_.reasons.Find(name);
      if (given == nullptr) {
        Add(name, "the pending reason " + reason, StateOf(name));
      } else if (*given != reason) {
        Add(name, "the pending reason " + reason, "the reason is " + *given);
      }
    }
  }

  void CompareJobs() {
    for (const auto& [name, wanted] : want_.jobs) {
      const JobOutcome* actual = got_.jobs.Find(name);
      if (actual == nullptr) {
        Add(name, "a job of this name", "there is none; jobs are named as in Job team/train");
      } else {
        CompareJob(name, wanted, *actual);
      }
    }
  }

  void CompareJob(const std::string& name, const JobOutcome& wanted, const JobOutcome& actual) {
    const std::string answer = "it is " + actual.answer;
    if (wanted.is_managed && wanted.is_managed != actual.is_managed) {
      Add(name, *wanted.is_managed ? "to be managed" : "not to be managed", answer);
    } else if (wanted.reason && wanted.reason != actual.reason) {
      Add(name, "the reason " + *wanted.reason,
          "it is " + actual.reason.value_or("") + " (" + actual.answer + ")");
    }
    if (wanted.queue && wanted.queue != actual.queue)
      Add(name,
          wanted.queue->empty() ? "to name no queue" : "to name queue " + Quoted(*wanted.queue),
          actual.queue->empty() ? "it names none" : "it names " + Quoted(*actual.queue));
    if (wanted.is_suspended && wanted.is_suspended != actual.is_suspended)
      Add(name, *wanted.is_suspended ? "to be suspended" : "not to be suspended",
          !actual.is_suspended ? "its pods are gated instead" : SuspendedText(actual));
    CompareWorkloads(name, wanted, actual);
    if (wanted.problem && (wanted.problem->empty() ? !actual.problem->empty()
                                                   : !actual.problem->contains(*wanted.problem)))
      Add(name, wanted.problem->empty() ? "no problem" : "the problem " + Quoted(*wanted.problem),
          actual.problem->empty() ? "there is none" : "it is " + Quoted(*actual.problem));
  }

  static std::string SuspendedText(const JobOutcome& job) {
    return (*job.is_suspended ? "it is; it is " : "it is not; it is ") + job.answer;
  }

  void CompareWorkloads(const std::string& name, const JobOutcome& wanted,
                        const JobOutcome& actual) {
    if (!wanted.workloads) return;
    for (const std::string& workload : *wanted.workloads) {
      if (Contains(*actual.workloads, workload)) continue;
      const std::string others = actual.workloads->empty()
                                     ? "it has no Workload"
                                     : "it has " + Joined(*actual.workloads, ", ");
      Add(name, "to have the Workload " + workload,
          actual.problem->empty() ? others : others + ": " + *actual.problem);
    }
    for (const std::string& workload : *actual.workloads) {
      if (!Contains(*wanted.workloads, workload))
        Add(name, "not to have the Workload " + workload, "it has");
    }
  }

  // Whether a line of the file, a field or a field and a part of the message, matches a problem.
  static bool Matches(std::string_view wanted, std::string_view actual) {
    const size_t colon = wanted.find(": ");
    const std::string_view field = wanted.substr(0, colon);
    if (!actual.starts_with(field) || !actual.substr(field.size()).starts_with(": ")) return false;
    return colon == wanted.npos || actual.substr(field.size()).contains(wanted.substr(colon + 2));
  }

  void CompareProblems(std::string_view what, const std::optional<std::vector<std::string>>& wanted,
                       const std::optional<std::vector<std::string>>& actual) {
    if (!wanted) return;
    for (const std::string& line : *wanted) {
      if (std::ranges::none_of(*actual, [&](const auto& a) { return Matches(line, a); }))
        Add("configuration", "the " + std::string(what) + " " + Quoted(line), "there is none");
    }
    for (const std::string& line : *actual) {
      if (std::ranges::none_of(*wanted, [&](const auto& w) { return Matches(w, line); }))
        Add("configuration", "no " + std::string(what), "there is: " + line);
    }
  }

  void ComparePerCycle() {
    if (!want_.per_cycle) return;
    const std::vector<CycleOutcome>& wanted = *want_.per_cycle;
    const std::vector<CycleOutcome>& actual = *got_.per_cycle;
    if (wanted.size() != actual.size())
      lines_.push_back("expected " + base::CountText(wanted.size(), "cycle") +
                       ", but the number is " + std::to_string(actual.size()));
    for (size_t i = 0; i < std::min(wanted.size(), actual.size()); ++i) {
      const Outcome want = AsOutcome(wanted[i]);
      Outcome got = AsOutcome(actual[i]);
      Comparison cycle(want, got);
      cycle.context_ = context_ + "in cycle " + std::to_string(i + 1) + ", ";
      std::ranges::move(cycle.Run(), std::back_inserter(lines_));
    }
  }

  static Outcome AsOutcome(const CycleOutcome& cycle) {
    Outcome outcome;
    outcome.newly_admitted = cycle.newly_admitted;
    outcome.preempted = cycle.preempted;
    outcome.evicted = cycle.evicted;
    outcome.finished = cycle.finished;
    outcome.pending = cycle.pending;
    outcome.inadmissible = cycle.inadmissible;
    return outcome;
  }

  const Outcome& want_;
  const Outcome& got_;
  std::string context_;
  std::vector<std::string> lines_;
};

}  // namespace

std::vector<std::string> Differences(const Outcome& want, const Outcome& got) {
  return Comparison(want, got).Run();
}

}  // namespace berth::scenario
