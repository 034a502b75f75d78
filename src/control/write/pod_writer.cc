#include "control/write/pod_writer.h"

#include <map>
#include <optional>
#include <utility>

#include "base/time.h"
#include "control/write/finalizer_patch.h"
#include "control/write/pod_failure.h"
#include "jobs/pods/pod_group.h"
#include "jobs/start_stop.h"
#include "json/path.h"
#include "schema/decode.h"
#include "workload/convert/convert_workload.h"

namespace berth::control {
namespace {

constexpr std::string_view kPodController = "pod-kueue-controller";
constexpr std::string_view kGroupResource = "podgroups";

// Groups have no object of their own; their key cannot be one of a pod.
ObjectKey WriterKey(const PodUnitKey& key) {
  return {.resource = key.is_group ? std::string(kGroupResource)
                                   : store::ResourceOf<api::Pod>().GroupResource(),
          .namespace_ = key.namespace_,
          .name = key.name};
}

PodUnitKey UnitKey(const ObjectKey& key) {
  return {
      .namespace_ = key.namespace_, .name = key.name, .is_group = key.resource == kGroupResource};
}

// A merge patch of the pod, whatever its version.
store::Patch MergePatchCall(const PodCache::Entry& pod, const json::object& patch,
                            std::string_view subresource) {
  return {.resource = store::ResourceOf<api::Pod>(),
          .namespace_ = pod.text.namespace_,
          .name = pod.text.name,
          .subresource = std::string(subresource),
          .type = store::PatchType::kMerge,
          .body = json::Print(patch),
          .is_forced = false,
          .options = {}};
}

// A patch that is valid only for the known version of the pod.
store::Patch PatchCall(const PodCache::Entry& pod, json::object patch,
                       std::string_view subresource = "") {
  json::value& metadata = patch["metadata"];
  if (!metadata.is_object()) metadata.emplace_object();
  metadata.get_object()["resourceVersion"] = pod.text.resource_version;
  return MergePatchCall(pod, patch, subresource);
}

// The conditions of the pod, with the reason why it is stopped.
json::array WithTerminationTarget(const json::value& pod, const StopPod& stop, base::Time now) {
  json::array conditions;
  const json::value* known = json::Find(pod, {"status", "conditions"});
  if (known != nullptr && known->is_array())
    for (const json::value& condition : known->get_array())
      if (json::StringAt(condition, {"type"}) != "TerminationTarget")
        conditions.push_back(condition);
  conditions.push_back({{"type", "TerminationTarget"},
                        {"status", "True"},
                        {"reason", stop.reason},
                        {"message", stop.message},
                        {"lastTransitionTime", base::FormatTime(now)}});
  return conditions;
}

}  // namespace

// A plan that is being run.
struct PodWriter::Work {
  PodUnitKey key;
  PodPlan plan;
  std::map<std::string, std::string> uids;  // of the pods, which may be gone by the time of Events
  bool removes_gate = false;                // the request in flight
};

PodWriter::PodWriter(store::Store& store, store::Executor& executor, PodCache& pods,
                     WorkloadWriter& workloads, EventRecorder& events, Hooks hooks)
    : executor_(executor),
      pods_(pods),
      workloads_(workloads),
      hooks_(std::move(hooks)),
      writer_(store, executor, events, CacheHooks(),
              [this](const ObjectKey& key, const store::Failure& failure) {
                hooks_.on_failure(UnitKey(key), failure);
              }) {}

PodWriter::~PodWriter() = default;

ObjectWriter::Cache PodWriter::CacheHooks() {
  return {.find_version = [this](const ObjectKey& key) -> std::optional<std::string> {
            const PodCache::Entry* pod =
                pods_.FindPod({.namespace_ = key.namespace_, .name = key.name});
            if (pod == nullptr) return std::nullopt;
            return pod->text.resource_version;
          },
          .upsert =
              [this](const ObjectKey&, const store::Object& object) {
                for (const PodUnitKey& unit : pods_.OnWatchEvent(object.key(), &object))
                  hooks_.replan(unit);
              }};
}

bool PodWriter::IsBusy(const PodUnitKey& key) const { return writer_.IsBusy(WriterKey(key)); }

void PodWriter::OnWatchEvent(const PodUnitKey& key) { writer_.OnWatchEvent(WriterKey(key)); }

void PodWriter::Run(const PodUnitKey& key, PodPlan plan) {
  auto work = std::make_shared<Work>(Work{.key = key, .plan = std::move(plan)});
  if (const auto* names = pods_.FindNames(key))
    for (const store::ObjectName& name : *names)
      work->uids[name.name] = pods_.FindPod(name)->text.uid;
  ObjectWriter::Sequence sequence;
  for (const PodAction& action : work->plan.actions)
    for (Write& write : std::visit([&](const auto& a) { return WritesOf(work, a); }, action)) {
      write.accepts_not_found = true;
      sequence.writes.push_back(std::move(write));
    }
  sequence.events = [work] { return EventsOf(*work); };
  sequence.on_done = [this, work](const ObjectWriter::Result& result) {
    if (result.is_written && !work->plan.actions.empty()) hooks_.replan(work->key);
  };
  sequence.replan = [this, key] { hooks_.replan(key); };
  writer_.Submit(WriterKey(key), std::move(sequence));
}

// --- Actions -------------------------------------------------------------------------------------

std::vector<PodWriter::Write> PodWriter::WritesOf(const std::shared_ptr<Work>& work,
                                                  const CreateWorkload& action) {
  return {{.build = [work, &action] { return Request(CreateCallFor(action.workload)); },
           .on_answer =
               [this, work](const store::Outcome<store::Reply>& outcome) {
                 if (outcome) OnCreated(work->key, outcome->object);
               }}};
}

std::vector<PodWriter::Write> PodWriter::WritesOf(const std::shared_ptr<Work>&,
                                                  const ChangeWorkload& action) {
  lifecycle::WorkloadPlan plan = PlanFor(action);
  plan.reporter = kPodController;
  return {workloads_.HandoffOf(workload::NamespacedName(action.workload.metadata), plan)};
}

std::vector<PodWriter::Write> PodWriter::WritesOf(const std::shared_ptr<Work>& work,
                                                  const DeleteWorkload& action) {
  return {workloads_.HandoffOf(workload::NamespacedName(work->key.namespace_, action.name),
                               {.write = lifecycle::WorkloadPlan::Write::kDelete})};
}

std::vector<PodWriter::Write> PodWriter::WritesOf(const std::shared_ptr<Work>& work,
                                                  const WritePod& action) {
  return {{.build = [this, work, &action] { return BuildPatch(*work, action); },
           .on_answer =
               [this, work](const store::Outcome<store::Reply>& outcome) {
                 if (outcome && work->removes_gate) hooks_.on_ungated(work->key);
               }}};
}

std::vector<PodWriter::Write> PodWriter::WritesOf(const std::shared_ptr<Work>& work,
                                                  const RemovePodFinalizer& action) {
  return {{.build = [this, work, &action] { return BuildFinalizerRemoval(*work, action); }}};
}

std::vector<PodWriter::Write> PodWriter::WritesOf(const std::shared_ptr<Work>& work,
                                                  const StopPod& action) {
  return {{.build = [this, work, &action] { return BuildStop(*work, action); }},
          {.build = [this, work, &action] { return BuildDelete(*work, action.pod); }}};
}

std::vector<PodWriter::Write> PodWriter::WritesOf(const std::shared_ptr<Work>& work,
                                                  const DeletePod& action) {
  return {{.build = [this, work, &action] { return BuildDelete(*work, action.pod); }}};
}

// --- Requests ------------------------------------------------------------------------------------

const PodCache::Entry* PodWriter::FindPod(const Work& work, const std::string& pod) const {
  const PodCache::Entry* found = pods_.FindPod({.namespace_ = work.key.namespace_, .name = pod});
  const auto planned = work.uids.find(pod);
  const bool is_planned =
      found != nullptr && planned != work.uids.end() && planned->second == found->text.uid;
  return is_planned ? found : nullptr;
}

// Changes that others made to the pod since the plan must not be undone.
PodWriter::Request PodWriter::BuildPatch(Work& work, const WritePod& action) const {
  const PodCache::Entry* pod = FindPod(work, action.pod);
  if (pod == nullptr) return ObjectWriter::NothingToWrite{};
  if (json::StringAt(action.object, {"metadata", "resourceVersion"}) != pod->text.resource_version)
    return ObjectWriter::Outdated{};
  json::value patch = jobs::MergePatchBetween(pod->known.tree, action.object);
  if (patch.as_object().empty()) return ObjectWriter::NothingToWrite{};
  work.removes_gate =
      jobs::IsGated(pod->known.pod) && json::Find(patch, {"spec", "schedulingGates"}) != nullptr;
  return PatchCall(*pod, std::move(patch.as_object()));
}

PodWriter::Request PodWriter::BuildFinalizerRemoval(const Work& work,
                                                    const RemovePodFinalizer& action) const {
  const PodCache::Entry* pod = FindPod(work, action.pod);
  if (pod == nullptr || !HasPodFinalizer(pod->known.pod)) return ObjectWriter::NothingToWrite{};
  json::object patch = FinalizerPatch(pod->known.pod.metadata, kPodFinalizer, false);
  if (action.is_strict) return PatchCall(*pod, std::move(patch));
  patch["metadata"].get_object().erase("resourceVersion");
  return MergePatchCall(*pod, patch, "");
}

PodWriter::Request PodWriter::BuildStop(const Work& work, const StopPod& action) const {
  const PodCache::Entry* pod = FindPod(work, action.pod);
  if (pod == nullptr) return ObjectWriter::NothingToWrite{};
  json::array conditions = WithTerminationTarget(pod->known.tree, action, executor_.Now());
  return PatchCall(*pod, {{"status", json::object{{"conditions", std::move(conditions)}}}},
                   store::kStatusSubresource);
}

PodWriter::Request PodWriter::BuildDelete(const Work& work, const std::string& name) const {
  const PodCache::Entry* pod = FindPod(work, name);
  if (pod == nullptr) return ObjectWriter::NothingToWrite{};
  return store::Delete{.resource = store::ResourceOf<api::Pod>(),
                       .namespace_ = pod->text.namespace_,
                       .name = pod->text.name,
                       .options = {.uid = pod->text.uid}};
}

// --- Answers -------------------------------------------------------------------------------------

// Until the watch delivers the new Workload, the pods would be planned without it again.
void PodWriter::OnCreated(const PodUnitKey& key, const store::Object& object) {
  auto workload = schema::Decode<api::Workload>(object.text());
  if (!workload) return;
  if (const auto* names = pods_.FindNames(key))
    hooks_.on_workload_created(
        MadeFor(pods_.FindPod(*names->begin())->known.tree, api::Pod::KindInfo().kind, *workload));
  workloads_.OnWatchEvent(workload::NamespacedName(workload->metadata), *workload);
}

std::vector<ObjectWriter::ObjectEvent> PodWriter::EventsOf(const Work& work) {
  std::vector<ObjectWriter::ObjectEvent> events;
  for (const auto& [pod, event] : work.plan.events) {
    const auto uid = work.uids.find(pod);
    events.push_back({.regarding = PodReference({work.key.namespace_, pod},
                                                uid == work.uids.end() ? "" : uid->second),
                      .controller = std::string(kPodController),
                      .event = event});
  }
  return events;
}

}  // namespace berth::control
