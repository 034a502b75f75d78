#include "embedded/nodes/simulated_pod.h"

#include <algorithm>
#include <string>
#include <utility>

#include "api/core/pod.h"
#include "json/path.h"
#include "json/same.h"

namespace berth::embedded {
namespace {

// No effect if the condition is like this already.
void SetPodCondition(json::object& pod_status, std::string_view type, bool is_true,
                     std::string_view reason, std::string_view message, base::Time now) {
  const std::string_view status = is_true ? "True" : "False";
  json::value& conditions = pod_status["conditions"];
  if (!conditions.is_array()) conditions.emplace_array();
  json::array& list = conditions.get_array();
  const auto known = std::find_if(list.begin(), list.end(), [&](const json::value& c) {
    return json::StringAt(c, {"type"}) == type;
  });
  base::Time since = now;
  if (known != list.end()) {
    if (json::StringAt(*known, {"status"}) == status) {
      if (json::StringAt(*known, {"reason"}) == reason &&
          json::StringAt(*known, {"message"}) == message)
        return;
      since = base::ParseTime(json::TextAt(*known, "lastTransitionTime")).value_or(now);
    }
    list.erase(known);
  }
  json::object condition{{"type", json::BoostView(type)},
                         {"status", json::BoostView(status)},
                         {"lastTransitionTime", base::FormatTime(since)}};
  if (!reason.empty()) condition["reason"] = json::BoostView(reason);
  if (!message.empty()) condition["message"] = json::BoostView(message);
  list.push_back(std::move(condition));
}

json::object StatusOf(const json::value& pod) {
  const json::value* status = json::Find(pod, {"status"});
  return status != nullptr && status->is_object() ? status->get_object() : json::object();
}

class PodSimulation {
 public:
  PodSimulation(const json::value& pod, const SimulationSettings& settings, base::Time now)
      : pod_(pod),
        settings_(settings),
        now_(now),
        phase_(json::TextAt(pod, "status.phase")),
        before_(StatusOf(pod)),
        status_(before_) {}

  SimulatedPodStep Run() {
    if (json::FindAt(pod_, "metadata.deletionTimestamp") != nullptr)
      Terminate();
    else if (IsFinished())
      return {};
    else if (json::IsSetAt(pod_, "spec.schedulingGates"))
      SetCondition("PodScheduled", false, "SchedulingGated", "Scheduling gates are set");
    else if (!HasNode())
      step_.needs_node = true;
    else
      Advance();
    if (!json::Same(status_, before_)) step_.status = status_;
    return std::move(step_);
  }

 private:
  bool IsFinished() const { return phase_ == api::kPodSucceeded || phase_ == api::kPodFailed; }
  bool HasNode() const { return !json::TextAt(pod_, "spec.nodeName").empty(); }

  void Terminate() {
    if (HasNode() && !IsFinished()) return Finish(true, "Deleted", "Pod deleted while running");
    // Without a grace period, only finalizers keep the pod.
    step_.is_stopped = json::IntAt(pod_, "metadata.deletionGracePeriodSeconds").value_or(0) > 0;
  }

  void Advance() {
    const auto started = base::ParseTime(json::TextAt(pod_, "status.startTime"));
    if (!started) {
      status_["startTime"] = base::FormatTime(now_);
      SetCondition("PodScheduled", true, "", "");
      step_.requeue_at = now_ + settings_.start_time;
      return;
    }
    if (phase_ != api::kPodRunning) return Start(*started);
    if (!Completes()) return;
    const base::Time end = *started + SimulatedRunTime(pod_, settings_);
    if (now_ < end) {
      step_.requeue_at = end;
      return;
    }
    const bool fails = SimulatedRunFails(pod_, settings_);
    Finish(fails, fails ? "PodFailed" : "PodCompleted", "Simulated run finished");
  }

  bool Completes() const {
    const std::string policy = json::TextAt(pod_, "spec.restartPolicy");
    return HasRunTimeAnnotation(pod_) || (!policy.empty() && policy != "Always");
  }

  void Start(base::Time began) {
    const base::Time ready = began + settings_.start_time;
    if (now_ < ready) {
      step_.requeue_at = ready;
      return;
    }
    status_["phase"] = json::BoostView(api::kPodRunning);
    for (const std::string_view type : {"Initialized", "ContainersReady", "Ready"})
      SetCondition(type, true, "", "");
    json::array containers;
    ForEachContainer([&](const std::string& name, const std::string& image) {
      containers.push_back(
          {{"name", name},
           {"image", image},
           {"ready", true},
           {"started", true},
           {"restartCount", 0},
           {"state",
            json::object{{"running", json::object{{"startedAt", base::FormatTime(now_)}}}}}});
    });
    status_["containerStatuses"] = std::move(containers);
  }

  void Finish(bool fails, std::string_view reason, std::string_view message) {
    status_["phase"] = json::BoostView(fails ? api::kPodFailed : api::kPodSucceeded);
    for (const std::string_view type : {"ContainersReady", "Ready"})
      SetCondition(type, false, reason, message);
    json::array containers;
    ForEachContainer([&](const std::string& name, const std::string& image) {
      containers.push_back(
          {{"name", name},
           {"image", image},
           {"ready", false},
           {"restartCount", 0},
           {"state",
            json::object{{"terminated", json::object{{"exitCode", fails ? 1 : 0},
                                                     {"reason", fails ? "Error" : "Completed"},
                                                     {"finishedAt", base::FormatTime(now_)}}}}}});
    });
    status_["containerStatuses"] = std::move(containers);
  }

  template <class Visit>
  void ForEachContainer(Visit visit) const {
    const json::value* containers = json::FindAt(pod_, "spec.containers");
    if (containers == nullptr || !containers->is_array()) return;
    for (const json::value& container : containers->get_array())
      visit(json::TextAt(container, "name"), json::TextAt(container, "image"));
  }

  void SetCondition(std::string_view type, bool is_true, std::string_view reason,
                    std::string_view message) {
    SetPodCondition(status_, type, is_true, reason, message, now_);
  }

  const json::value& pod_;
  const SimulationSettings& settings_;
  const base::Time now_;
  const std::string phase_;
  json::object before_;
  json::object status_;
  SimulatedPodStep step_;
};

}  // namespace

SimulatedPodStep SimulatePod(const json::value& pod, const SimulationSettings& settings,
                             base::Time now) {
  return PodSimulation(pod, settings, now).Run();
}

std::optional<json::object> UnschedulableStatus(const json::value& pod, std::string_view message,
                                                base::Time now) {
  json::object status = StatusOf(pod);
  const json::object before = status;
  SetPodCondition(status, "PodScheduled", false, "Unschedulable", message, now);
  if (status == before) return std::nullopt;
  return status;
}

json::object EvictedStatus(const json::value& pod, base::Time now) {
  json::object status = StatusOf(pod);
  SetPodCondition(status, "DisruptionTarget", true, "DeletionByTaintManager",
                  "The node has a taint NoExecute that the pod does not tolerate", now);
  return status;
}

}  // namespace berth::embedded
