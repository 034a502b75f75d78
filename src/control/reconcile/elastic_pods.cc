#include "control/reconcile/elastic_pods.h"

#include <algorithm>
#include <utility>

#include "api/kueue/well_known.h"
#include "control/reconcile/slices.h"
#include "jobs/injection.h"
#include "jobs/pods/pod_group.h"
#include "jobs/start_stop.h"
#include "json/path.h"
#include "store/resource_version.h"
#include "workload/convert/convert_workload.h"
#include "workload/status_changes.h"

namespace berth::control {
namespace {

const std::string kPodSetPath = "metadata.labels[" + std::string(api::kPodSetLabel) + "]";

bool IsGate(std::string_view gate) { return gate == api::kElasticJobSchedulingGate; }

ObjectKey PodKey(const std::string& namespace_name, const std::string& name) {
  return ObjectKey::Of(store::ResourceOf<api::Pod>(), namespace_name, name);
}

}  // namespace

std::vector<std::string> PodsToUngate(std::vector<ElasticPod> pods, const api::Workload& slice) {
  std::map<std::string_view, int64_t> room;
  for (const api::PodSet& pod_set : slice.spec.pod_sets)
    room[pod_set.name] = pod_set.count.value_or(1);
  for (const ElasticPod& pod : pods)
    if (!pod.is_gated) --room[pod.pod_set];
  std::ranges::sort(pods, {}, &ElasticPod::name);
  std::vector<std::string> names;
  for (const ElasticPod& pod : pods)
    if (pod.is_gated && room[pod.pod_set]-- > 0) names.push_back(pod.name);
  return names;
}

std::expected<json::value, jobs::StartFailure> UngatedPod(const json::value& pod,
                                                          const api::Workload& slice) {
  const auto info = jobs::InfoFromChecks(slice, json::TextAt(pod, kPodSetPath));
  if (!info) return std::unexpected(info.error());
  json::value ungated = pod;
  auto injected = jobs::Inject(jobs::InjectionPaths::InTemplate(""), *info, {}, ungated);
  if (!injected) return std::unexpected(injected.error());
  if (json::value* gates = json::FindAt(ungated, "spec.schedulingGates")) {
    json::array left;
    for (const json::value& gate : gates->get_array())
      if (!IsGate(json::TextAt(gate, "name"))) left.push_back(gate);
    *gates = std::move(left);
  }
  return ungated;
}

ElasticPods::ElasticPods(store::Store& store, store::Executor& executor,
                         const workload::ClusterState& cluster, EventRecorder& events, Hooks hooks)
    : executor_(executor),
      cluster_(cluster),
      hooks_(std::move(hooks)),
      writer_(store, executor, events, CacheHooks(),
              [this](const ObjectKey& key, const store::Failure& failure) {
                hooks_.log("Pod " + workload::NamespacedName(key.namespace_, key.name) +
                           " not written: " + store::ToString(failure));
              }) {}

ElasticPods::~ElasticPods() = default;

void ElasticPods::Enqueue(const FamilyName& name) {
  queued_.insert(name);
  hooks_.on_enqueued();
}

void ElasticPods::OnDelete(const store::Object& pod) {
  const auto known = pods_.find(pod.key());
  if (known == pods_.end()) return;
  const FamilyName name = known->second;
  pods_.erase(known);
  families_[name].pods.erase(pod.name);
  Enqueue(name);
  EraseIfEmpty(name);
}

void ElasticPods::EraseIfEmpty(const FamilyName& name) {
  const auto family = families_.find(name);
  if (!family->second.pods.empty() || !family->second.slices.empty()) return;
  families_.erase(family);
  queued_.erase(name);
}

ElasticPods::Known* ElasticPods::Find(const ObjectKey& key) {
  const auto name = pods_.find({.namespace_ = key.namespace_, .name = key.name});
  if (name == pods_.end()) return nullptr;
  return &families_[name->second].pods[key.name];
}

ObjectWriter::Cache ElasticPods::CacheHooks() {
  return {.find_version = [this](const ObjectKey& key) -> std::optional<std::string> {
            const Known* pod = Find(key);
            if (pod == nullptr) return std::nullopt;
            return pod->version;
          },
          .upsert = [this](const ObjectKey&, const store::Object& pod) { OnUpsert(pod); }};
}

void ElasticPods::OnPodChange(const store::Change& change) {
  if (change.before != nullptr &&
      (change.after == nullptr || change.after->uid != change.before->uid))
    OnDelete(*change.before);
  if (change.after != nullptr) OnUpsert(*change.after);
}

void ElasticPods::OnUpsert(const store::Object& object) {
  // Most pods are not of elastic jobs, and need not be decoded.
  if (!object.text().contains(api::kWorkloadSliceNameAnnotation)) return;
  const auto pod = object.Decode<api::Pod>();
  if (!pod) return;
  const std::string family =
      pod->metadata.annotations.ValueOrEmpty(api::kWorkloadSliceNameAnnotation);
  if (family.empty()) return;
  if (jobs::IsEnded(*pod)) return OnDelete(object);
  const FamilyName name{.namespace_ = pod->metadata.namespace_, .name = family};
  Known known{.uid = pod->metadata.uid,
              .version = pod->metadata.resource_version,
              .pod_set = pod->metadata.labels.ValueOrEmpty(api::kPodSetLabel),
              .tree = json::Parse(object.text()).value_or(json::object())};
  for (const api::PodSchedulingGate& gate : pod->spec.scheduling_gates)
    known.is_gated |= IsGate(gate.name);
  pods_.insert_or_assign(object.key(), name);
  Known& here = families_[name].pods[pod->metadata.name];
  if (here.uid == known.uid && !store::IsOlderVersion(here.version, known.version)) return;
  here = std::move(known);
  Enqueue(name);
}

bool ElasticPods::OnWorkload(const api::Workload& workload) {
  const api::ObjectMeta& metadata = workload.metadata;
  const std::string family = metadata.annotations.ValueOrEmpty(api::kWorkloadSliceNameAnnotation);
  if (family.empty()) return false;
  const FamilyName name{.namespace_ = metadata.namespace_, .name = family};
  families_[name].slices.insert(workload::NamespacedName(metadata));
  Enqueue(name);
  return true;
}

void ElasticPods::OnWorkloadDeleted(const api::Workload& workload) {
  const api::ObjectMeta& metadata = workload.metadata;
  const FamilyName name{
      .namespace_ = metadata.namespace_,
      .name = metadata.annotations.ValueOrEmpty(api::kWorkloadSliceNameAnnotation)};
  const auto family = families_.find(name);
  if (family == families_.end()) return;
  family->second.slices.erase(workload::NamespacedName(metadata));
  EraseIfEmpty(name);
}

void ElasticPods::Plan() {
  for (const FamilyName& name : std::exchange(queued_, {})) PlanFamily(name);
}

const api::Workload* ElasticPods::SliceOf(Family& family) const {
  std::vector<const api::Workload*> slices;
  std::erase_if(family.slices, [&](const std::string& name) {
    const api::Workload* slice = cluster_.FindWorkload(name);
    if (slice != nullptr) slices.push_back(slice);
    return slice == nullptr;
  });
  const api::Workload* holder = ChooseSlices(std::move(slices)).holder;
  const bool may_run =
      holder != nullptr && workload::IsAdmitted(*holder) && !workload::IsEvicted(*holder);
  return may_run ? holder : nullptr;
}

void ElasticPods::PlanFamily(const FamilyName& name) {
  const auto found = families_.find(name);
  if (found == families_.end()) return;
  Family& family = found->second;
  if (const api::Workload* slice = SliceOf(family)) {
    std::vector<ElasticPod> pods;
    for (const auto& [pod, known] : family.pods)
      pods.push_back({.name = pod,
                      .pod_set = known.pod_set,
                      .is_gated = known.is_gated && !writer_.IsBusy(PodKey(name.namespace_, pod))});
    for (const std::string& pod : PodsToUngate(std::move(pods), *slice))
      Ungate(name, pod, workload::NamespacedName(slice->metadata));
  }
  if (family.pods.empty() && family.slices.empty()) families_.erase(found);
}

void ElasticPods::Ungate(const FamilyName& family, const std::string& pod,
                         const std::string& slice) {
  const ObjectKey key = PodKey(family.namespace_, pod);
  ObjectWriter::Sequence sequence;
  sequence.writes.push_back({.build = [this, key, slice] { return BuildUngate(key, slice); },
                             .on_answer =
                                 [this, slice](const store::Outcome<store::Reply>& outcome) {
                                   if (outcome) ReportUngated(slice);
                                 }});
  sequence.replan = [this, family] { Enqueue(family); };
  writer_.Submit(key, std::move(sequence));
}

ObjectWriter::Request ElasticPods::BuildUngate(const ObjectKey& key, const std::string& slice) {
  const Known* known = Find(key);
  const api::Workload* workload = cluster_.FindWorkload(slice);
  if (known == nullptr || workload == nullptr) return ObjectWriter::NothingToWrite{};
  const auto ungated = UngatedPod(known->tree, *workload);
  if (!ungated) {
    hooks_.log("Pod " + workload::NamespacedName(key.namespace_, key.name) +
               " stays gated: " + ungated.error().error.message);
    return ObjectWriter::NothingToWrite{};
  }
  json::value patch = jobs::MergePatchBetween(known->tree, *ungated);
  if (json::value* version = json::MakeAt(patch, "metadata.resourceVersion"))
    *version = json::string(known->version);
  return store::Patch{.resource = store::ResourceOf<api::Pod>(),
                      .namespace_ = key.namespace_,
                      .name = key.name,
                      .subresource = "",
                      .type = store::PatchType::kMerge,
                      .body = json::Print(patch),
                      .is_forced = false,
                      .options = {}};
}

void ElasticPods::ReportUngated(const std::string& slice) const {
  if (const api::Workload* workload = cluster_.FindWorkload(slice))
    hooks_.observe(PodReleased{.workload = workload,
                               .gate = api::kElasticJobSchedulingGate,
                               .is_of_group = false,
                               .now = executor_.Now()});
}

}  // namespace berth::control
