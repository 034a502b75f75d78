#pragma once

// Where pods are kept as they are known, by what they wait in, and what is planned for them is
// written, one plan for each unit at a time.

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>

#include "control/event_recorder.h"
#include "control/pod_plan.h"
#include "control/workload_desk.h"
#include "store/store.h"

namespace berth::control {

// A single pod, or a group of them, among all.
struct PodUnitKey {
  std::string namespace_;
  std::string name;  // of the group, or of the pod
  bool is_group = false;

  friend auto operator<=>(const PodUnitKey&, const PodUnitKey&) = default;
};

class PodDesk {
 public:
  struct Hooks {
    std::function<void(const PodUnitKey&)> on_known;  // changed, or is no longer busy
    std::function<void(const PodUnitKey&, const store::Failure&)> on_failure;
    std::function<void(const WorkloadMade&)> on_made;
    std::function<void(const PodUnitKey&)> on_released;  // the gate of one of its pods was opened
  };

  // `reads_annotations`: a group's name may stand in an annotation.
  PodDesk(store::Store& store, store::Executor& executor, WorkloadDesk& workloads,
          EventRecorder& events, bool reads_annotations, Hooks hooks);
  ~PodDesk();

  // What a watch says; null if it was deleted.
  void OnSeen(const store::ObjectName& name, const store::Object* object);

  // The pods of the unit, by name; none if there is no such unit.
  PodUnit Find(const PodUnitKey& key) const;
  // Null if there is no pod of this uid.
  const PodUnitKey* FindByUid(std::string_view uid) const;
  void ForEach(const std::function<void(const PodUnitKey&, const KnownPod&)>& visit) const;

  bool IsBusy(const PodUnitKey& key) const { return busy_.contains(key); }
  bool is_idle() const { return busy_.empty(); }

  // The unit must not be busy, nor one of the Workloads that the plan changes.
  void Perform(const PodUnitKey& key, PodPlan plan);

 private:
  struct Entry {
    KnownPod known;
    store::Object text;
    PodUnitKey unit;
  };
  struct Work;

  PodUnitKey UnitOf(const api::Pod& pod) const;
  void Learn(const store::Object& object);
  void Forget(std::map<store::ObjectName, Entry>::iterator entry);
  Entry* FindPod(const Work& work, const std::string& pod);
  void Next(const std::shared_ptr<Work>& work);
  void Done(const Work& work);
  void Skip(const std::shared_ptr<Work>& work);
  void Act(const std::shared_ptr<Work>& work, const CreateWorkload& action);
  void Act(const std::shared_ptr<Work>& work, const ChangeWorkload& action);
  void Act(const std::shared_ptr<Work>& work, const DeleteWorkload& action);
  void Act(const std::shared_ptr<Work>& work, const WritePod& action);
  void Act(const std::shared_ptr<Work>& work, const LetPodGo& action);
  void Act(const std::shared_ptr<Work>& work, const StopPod& action);
  void Act(const std::shared_ptr<Work>& work, const DeletePod& action);
  void SendPatch(const std::shared_ptr<Work>& work, const Entry& pod, store::json::object patch,
                 std::string_view subresource);
  void SendDelete(const std::shared_ptr<Work>& work, const Entry& pod);
  void Send(const std::shared_ptr<Work>& work, store::Call call);
  void LearnWritten(const Work& work, const store::Reply& reply, bool is_of_pod);
  void OnConflict(const Work& work);
  void OnRefused(const std::shared_ptr<Work>& work, const store::Failure& failure);
  void Tell(const Work& work);

  store::Store& store_;
  store::Executor& executor_;
  WorkloadDesk& workloads_;
  EventRecorder& events_;
  const bool reads_annotations_;
  Hooks hooks_;
  std::map<store::ObjectName, Entry> pods_;
  std::map<PodUnitKey, std::set<store::ObjectName>> units_;
  std::map<std::string, PodUnitKey, std::less<>> by_uid_;
  std::set<PodUnitKey> busy_;
  std::shared_ptr<PodDesk*> self_;
};

}  // namespace berth::control
