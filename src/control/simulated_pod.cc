#include "control/simulated_pod.h"

#include <algorithm>
#include <string>
#include <utility>

#include "api/pod.h"
#include "jobs/path.h"
#include "store/same_json.h"

namespace berth::control {
namespace {

class PodSimulation {
 public:
  PodSimulation(const store::json::value& pod, const SimulationSettings& settings, base::Time now)
      : pod_(pod), settings_(settings), now_(now), phase_(jobs::TextAt(pod, "status.phase")) {
    const store::json::value* status = store::FindJson(pod, {"status"});
    if (status != nullptr && status->is_object()) before_ = status->get_object();
    status_ = before_;
  }

  SimulatedPodStep Run() {
    if (jobs::FindAt(pod_, "metadata.deletionTimestamp") != nullptr)
      GoAway();
    else if (IsEnded())
      return {};
    else if (jobs::IsSetAt(pod_, "spec.schedulingGates"))
      SetCondition("PodScheduled", false, "SchedulingGated", "Its scheduling gates hold it back");
    else if (!HasNode())
      step_.gets_node = true;
    else
      Advance();
    if (!store::SameJson(status_, before_)) step_.status = status_;
    return std::move(step_);
  }

 private:
  bool IsEnded() const { return phase_ == api::kPodSucceeded || phase_ == api::kPodFailed; }
  bool HasNode() const { return !jobs::TextAt(pod_, "spec.nodeName").empty(); }

  void GoAway() {
    if (HasNode() && !IsEnded()) return End(true, "Deleted", "It was deleted while it ran");
    // With no time left, it is only there for its finalizers.
    step_.is_over = jobs::IntAt(pod_, "metadata.deletionGracePeriodSeconds").value_or(0) > 0;
  }

  void Advance() {
    const auto started = base::ParseTime(jobs::TextAt(pod_, "status.startTime"));
    if (!started) {
      status_["startTime"] = base::FormatTime(now_);
      SetCondition("PodScheduled", true, "", "");
      step_.look_again = now_ + settings_.start_time;
      return;
    }
    if (phase_ != api::kPodRunning) return Start(*started);
    if (!EndsByItself()) return;
    const base::Time end = *started + SimulatedRunTime(pod_, settings_);
    if (now_ < end) {
      step_.look_again = end;
      return;
    }
    const bool fails = FailsInTheEnd(pod_, settings_);
    End(fails, fails ? "PodFailed" : "PodCompleted", "The simulated run is over");
  }

  bool EndsByItself() const {
    const std::string policy = jobs::TextAt(pod_, "spec.restartPolicy");
    return HasOwnRunTime(pod_) || (!policy.empty() && policy != "Always");
  }

  void Start(base::Time began) {
    const base::Time ready = began + settings_.start_time;
    if (now_ < ready) {
      step_.look_again = ready;
      return;
    }
    status_["phase"] = store::BoostView(api::kPodRunning);
    for (const std::string_view type : {"Initialized", "ContainersReady", "Ready"})
      SetCondition(type, true, "", "");
    store::json::array containers;
    ForEachContainer([&](const std::string& name, const std::string& image) {
      containers.push_back(
          {{"name", name},
           {"image", image},
           {"ready", true},
           {"started", true},
           {"restartCount", 0},
           {"state",
            store::json::object{
                {"running", store::json::object{{"startedAt", base::FormatTime(now_)}}}}}});
    });
    status_["containerStatuses"] = std::move(containers);
  }

  void End(bool fails, std::string_view reason, std::string_view message) {
    status_["phase"] = store::BoostView(fails ? api::kPodFailed : api::kPodSucceeded);
    for (const std::string_view type : {"ContainersReady", "Ready"})
      SetCondition(type, false, reason, message);
    store::json::array containers;
    ForEachContainer([&](const std::string& name, const std::string& image) {
      containers.push_back(
          {{"name", name},
           {"image", image},
           {"ready", false},
           {"restartCount", 0},
           {"state",
            store::json::object{
                {"terminated", store::json::object{{"exitCode", fails ? 1 : 0},
                                                   {"reason", fails ? "Error" : "Completed"},
                                                   {"finishedAt", base::FormatTime(now_)}}}}}});
    });
    status_["containerStatuses"] = std::move(containers);
  }

  template <class Visit>
  void ForEachContainer(Visit visit) const {
    const store::json::value* containers = jobs::FindAt(pod_, "spec.containers");
    if (containers == nullptr || !containers->is_array()) return;
    for (const store::json::value& container : containers->get_array())
      visit(jobs::TextAt(container, "name"), jobs::TextAt(container, "image"));
  }

  void SetCondition(std::string_view type, bool is_true, std::string_view reason,
                    std::string_view message) {
    const std::string_view status = is_true ? "True" : "False";
    store::json::value& conditions = status_["conditions"];
    if (!conditions.is_array()) conditions.emplace_array();
    store::json::array& list = conditions.get_array();
    const auto known = std::find_if(list.begin(), list.end(), [&](const store::json::value& c) {
      return store::JsonStringAt(c, {"type"}) == type;
    });
    if (known != list.end() && store::JsonStringAt(*known, {"status"}) == status &&
        store::JsonStringAt(*known, {"reason"}) == reason)
      return;
    if (known != list.end()) list.erase(known);
    store::json::object condition{{"type", store::BoostView(type)},
                                  {"status", store::BoostView(status)},
                                  {"lastTransitionTime", base::FormatTime(now_)}};
    if (!reason.empty()) condition["reason"] = store::BoostView(reason);
    if (!message.empty()) condition["message"] = store::BoostView(message);
    list.push_back(std::move(condition));
  }

  const store::json::value& pod_;
  const SimulationSettings& settings_;
  const base::Time now_;
  const std::string phase_;
  store::json::object before_;
  store::json::object status_;
  SimulatedPodStep step_;
};

}  // namespace

SimulatedPodStep SimulatePod(const store::json::value& pod, const SimulationSettings& settings,
                             base::Time now) {
  return PodSimulation(pod, settings, now).Run();
}

}  // namespace berth::control
