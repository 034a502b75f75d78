#include "apiserver/table_columns.h"

#include <optional>
#include <string>

#include "apiserver/table.h"

namespace berth::apiserver {
namespace {

namespace json = store::json;
using Path = std::initializer_list<std::string_view>;

constexpr std::string_view kCreated = ".metadata.creationTimestamp";
constexpr BuiltInColumn kAge{"Age", "date", "Time since the object was created.", kCreated};

int64_t NumberAt(const json::value& object, Path path, int64_t otherwise = 0) {
  const json::value* found = store::FindJson(object, path);
  return found != nullptr && found->is_int64() ? found->get_int64() : otherwise;
}

size_t SizeAt(const json::value& object, Path path) {
  const json::value* found = store::FindJson(object, path);
  if (found == nullptr) return 0;
  if (found->is_array()) return found->get_array().size();
  return found->is_object() ? found->get_object().size() : 0;
}

std::span<const json::value> ElementsAt(const json::value& object, Path path) {
  const json::value* found = store::FindJson(object, path);
  if (found == nullptr || !found->is_array()) return {};
  return {found->get_array().data(), found->get_array().size()};
}

std::optional<base::Time> TimeAt(const json::value& object, Path path) {
  return base::ParseTime(store::JsonStringAt(object, path));
}

bool HasCondition(const json::value& object, std::string_view type) {
  for (const json::value& condition : ElementsAt(object, {"status", "conditions"})) {
    if (store::JsonStringAt(condition, {"type"}) == type)
      return store::JsonStringAt(condition, {"status"}) == "True";
  }
  return false;
}

std::string Joined(std::span<const json::value> elements, std::string_view key) {
  std::string text;
  for (const json::value& element : elements) {
    if (!text.empty()) text += ',';
    text += store::JsonStringAt(element, {key});
  }
  return text;
}

std::string OrNone(const std::string& text) { return text.empty() ? "<none>" : text; }

std::string SelectorText(const json::value& object) {
  const json::value* labels = store::FindJson(object, {"spec", "selector", "matchLabels"});
  std::string text;
  if (labels != nullptr && labels->is_object()) {
    for (const auto& label : labels->get_object()) {
      if (!text.empty()) text += ',';
      text += store::View(label.key());
      text += '=';
      if (label.value().is_string()) text += store::View(label.value().get_string());
    }
  }
  return OrNone(text);
}

std::string Ratio(int64_t part, int64_t whole) {
  return std::to_string(part) + "/" + std::to_string(whole);
}

// --- What pod templates have in common ----------------------------------------------------------

json::value ContainersOf(const json::value& object, base::Time) {
  return store::JsonText(
      Joined(ElementsAt(object, {"spec", "template", "spec", "containers"}), "name"));
}
json::value ImagesOf(const json::value& object, base::Time) {
  return store::JsonText(
      Joined(ElementsAt(object, {"spec", "template", "spec", "containers"}), "image"));
}
json::value SelectorOf(const json::value& object, base::Time) {
  return store::JsonText(SelectorText(object));
}

constexpr BuiltInColumn kContainers{"Containers", "string",      "Containers of the pods.",
                                    {},           &ContainersOf, 1};
constexpr BuiltInColumn kImages{"Images", "string", "Images of the containers.", {}, &ImagesOf, 1};
constexpr BuiltInColumn kSelector{"Selector", "string", "Labels of the pods.", {}, &SelectorOf, 1};

// --- Pods ---------------------------------------------------------------------------------------

json::value PodReady(const json::value& pod, base::Time) {
  int64_t ready = 0;
  for (const json::value& container : ElementsAt(pod, {"status", "containerStatuses"})) {
    const json::value* is_ready = store::FindJson(container, {"ready"});
    if (is_ready != nullptr && is_ready->is_bool() && is_ready->get_bool()) ++ready;
  }
  return store::JsonText(Ratio(ready, static_cast<int64_t>(SizeAt(pod, {"spec", "containers"}))));
}

// Why a container waits or has ended, where one does: that says more than the phase.
std::string_view ContainerReason(const json::value& pod) {
  for (const json::value& container : ElementsAt(pod, {"status", "containerStatuses"})) {
    for (const std::string_view state : {"waiting", "terminated"}) {
      const std::string_view reason = store::JsonStringAt(container, {"state", state, "reason"});
      if (!reason.empty()) return reason;
    }
  }
  return {};
}

bool IsGated(const json::value& pod) {
  for (const json::value& condition : ElementsAt(pod, {"status", "conditions"})) {
    if (store::JsonStringAt(condition, {"type"}) == "PodScheduled" &&
        store::JsonStringAt(condition, {"reason"}) == "SchedulingGated")
      return true;
  }
  return false;
}

json::value PodStatus(const json::value& pod, base::Time) {
  if (store::FindJson(pod, {"metadata", "deletionTimestamp"}) != nullptr)
    return store::JsonText("Terminating");
  const std::string_view reason = store::JsonStringAt(pod, {"status", "reason"});
  if (!reason.empty()) return store::JsonText(reason);
  if (IsGated(pod)) return store::JsonText("SchedulingGated");
  if (const std::string_view of_container = ContainerReason(pod); !of_container.empty())
    return store::JsonText(of_container);
  const std::string_view phase = store::JsonStringAt(pod, {"status", "phase"});
  return store::JsonText(phase == "Succeeded" ? "Completed" : phase == "Failed" ? "Error" : phase);
}

json::value PodRestarts(const json::value& pod, base::Time) {
  int64_t restarts = 0;
  for (const json::value& container : ElementsAt(pod, {"status", "containerStatuses"}))
    restarts += NumberAt(container, {"restartCount"});
  return store::JsonText(std::to_string(restarts));
}

json::value PodAddress(const json::value& pod, base::Time) {
  return store::JsonText(OrNone(std::string(store::JsonStringAt(pod, {"status", "podIP"}))));
}
json::value PodNode(const json::value& pod, base::Time) {
  return store::JsonText(OrNone(std::string(store::JsonStringAt(pod, {"spec", "nodeName"}))));
}

constexpr BuiltInColumn kPod[] = {
    {"Ready", "string", "Containers that are ready, of all.", {}, &PodReady},
    {"Status", "string", "What the pod does, or what keeps it from that.", {}, &PodStatus},
    {"Restarts", "string", "How often containers were restarted.", {}, &PodRestarts},
    kAge,
    {"IP", "string", "Address of the pod.", {}, &PodAddress, 1},
    {"Node", "string", "Node of the pod.", {}, &PodNode, 1},
};

// --- Jobs ---------------------------------------------------------------------------------------

json::value JobStatus(const json::value& job, base::Time) {
  if (HasCondition(job, "Complete")) return store::JsonText("Complete");
  if (HasCondition(job, "Failed")) return store::JsonText("Failed");
  if (store::FindJson(job, {"metadata", "deletionTimestamp"}) != nullptr)
    return store::JsonText("Terminating");
  if (HasCondition(job, "Suspended")) return store::JsonText("Suspended");
  if (HasCondition(job, "FailureTarget")) return store::JsonText("FailureTarget");
  if (HasCondition(job, "SuccessCriteriaMet")) return store::JsonText("SuccessCriteriaMet");
  return store::JsonText("Running");
}

json::value JobCompletions(const json::value& job, base::Time) {
  const int64_t succeeded = NumberAt(job, {"status", "succeeded"});
  const int64_t completions = NumberAt(job, {"spec", "completions"}, -1);
  if (completions >= 0) return store::JsonText(Ratio(succeeded, completions));
  const int64_t parallelism = NumberAt(job, {"spec", "parallelism"}, 1);
  if (parallelism > 1)
    return store::JsonText(std::to_string(succeeded) + "/1 of " + std::to_string(parallelism));
  return store::JsonText(Ratio(succeeded, 1));
}

json::value JobDuration(const json::value& job, base::Time now) {
  const auto start = TimeAt(job, {"status", "startTime"});
  if (!start) return store::JsonText("");
  const auto end = TimeAt(job, {"status", "completionTime"});
  return store::JsonText(HumanAge(end.value_or(now) - *start));
}

constexpr BuiltInColumn kJob[] = {
    {"Status", "string", "Whether it runs, waits or has ended.", {}, &JobStatus},
    {"Completions", "string", "Pods that succeeded, of those that must.", {}, &JobCompletions},
    {"Duration", "string", "Time from its start to its end, or until now.", {}, &JobDuration},
    kAge,
    kContainers,
    kImages,
    kSelector,
};

json::value CronJobSuspend(const json::value& job, base::Time) {
  const json::value* suspend = store::FindJson(job, {"spec", "suspend"});
  return store::JsonText(suspend != nullptr && suspend->is_bool() && suspend->get_bool() ? "True"
                                                                                         : "False");
}
json::value CronJobActive(const json::value& job, base::Time) {
  return static_cast<int64_t>(SizeAt(job, {"status", "active"}));
}
json::value CronJobZone(const json::value& job, base::Time) {
  return store::JsonText(OrNone(std::string(store::JsonStringAt(job, {"spec", "timeZone"}))));
}
json::value CronJobLast(const json::value& job, base::Time now) {
  const auto last = TimeAt(job, {"status", "lastScheduleTime"});
  return store::JsonText(last ? HumanAge(now - *last) : "<none>");
}

constexpr BuiltInColumn kCronJob[] = {
    {"Schedule", "string", "When it starts jobs.", ".spec.schedule"},
    {"Timezone", "string", "Time zone of the schedule.", {}, &CronJobZone},
    {"Suspend", "boolean", "Whether it is paused.", {}, &CronJobSuspend},
    {"Active", "integer", "Jobs that run.", {}, &CronJobActive},
    {"Last Schedule", "string", "Time since the last job was started.", {}, &CronJobLast},
    kAge,
};

// --- Sets of pods -------------------------------------------------------------------------------

json::value ReadyOfReplicas(const json::value& set, base::Time) {
  return store::JsonText(
      Ratio(NumberAt(set, {"status", "readyReplicas"}), NumberAt(set, {"spec", "replicas"}, 1)));
}
json::value DesiredReplicas(const json::value& set, base::Time) {
  return NumberAt(set, {"spec", "replicas"}, 1);
}
json::value CurrentReplicas(const json::value& set, base::Time) {
  return NumberAt(set, {"status", "replicas"});
}
json::value ReadyReplicas(const json::value& set, base::Time) {
  return NumberAt(set, {"status", "readyReplicas"});
}
json::value UpdatedReplicas(const json::value& set, base::Time) {
  return NumberAt(set, {"status", "updatedReplicas"});
}
json::value AvailableReplicas(const json::value& set, base::Time) {
  return NumberAt(set, {"status", "availableReplicas"});
}

constexpr BuiltInColumn kDeployment[] = {
    {"Ready", "string", "Pods that are ready, of those wanted.", {}, &ReadyOfReplicas},
    {"Up-to-date", "integer", "Pods of the newest template.", {}, &UpdatedReplicas},
    {"Available", "integer", "Pods that have been ready for long enough.", {}, &AvailableReplicas},
    kAge,
    kContainers,
    kImages,
    kSelector,
};
constexpr BuiltInColumn kReplicaSet[] = {
    {"Desired", "integer", "Pods that are wanted.", {}, &DesiredReplicas},
    {"Current", "integer", "Pods that there are.", {}, &CurrentReplicas},
    {"Ready", "integer", "Pods that are ready.", {}, &ReadyReplicas},
    kAge,
    kContainers,
    kImages,
    kSelector,
};
constexpr BuiltInColumn kStatefulSet[] = {
    {"Ready", "string", "Pods that are ready, of those wanted.", {}, &ReadyOfReplicas},
    kAge,
    kContainers,
    kImages,
};

// --- Nodes --------------------------------------------------------------------------------------

json::value NodeStatus(const json::value& node, base::Time) {
  std::string text = HasCondition(node, "Ready") ? "Ready" : "NotReady";
  const json::value* unschedulable = store::FindJson(node, {"spec", "unschedulable"});
  if (unschedulable != nullptr && unschedulable->is_bool() && unschedulable->get_bool())
    text += ",SchedulingDisabled";
  return store::JsonText(text);
}

json::value NodeRoles(const json::value& node, base::Time) {
  constexpr std::string_view kPrefix = "node-role.kubernetes.io/";
  const json::value* labels = store::FindJson(node, {"metadata", "labels"});
  std::string roles;
  if (labels != nullptr && labels->is_object()) {
    for (const auto& label : labels->get_object()) {
      const std::string_view key = store::View(label.key());
      if (!key.starts_with(kPrefix) || key.size() == kPrefix.size()) continue;
      if (!roles.empty()) roles += ',';
      roles += key.substr(kPrefix.size());
    }
  }
  return store::JsonText(OrNone(roles));
}

constexpr BuiltInColumn kNode[] = {
    {"Status", "string", "Whether it takes pods.", {}, &NodeStatus},
    {"Roles", "string", "What it is for.", {}, &NodeRoles},
    kAge,
    {"Version", "string", "Version of its kubelet.", ".status.nodeInfo.kubeletVersion"},
};

// --- Events -------------------------------------------------------------------------------------

// The newest of the moments that an event may have; which of them it has depends on who wrote it.
std::optional<base::Time> LastSeen(const json::value& event) {
  if (const auto time = TimeAt(event, {"series", "lastObservedTime"})) return time;
  for (const std::string_view field : {"lastTimestamp", "deprecatedLastTimestamp", "eventTime"}) {
    if (const auto time = TimeAt(event, {field})) return time;
  }
  return TimeAt(event, {"metadata", "creationTimestamp"});
}

json::value EventLastSeen(const json::value& event, base::Time now) {
  const auto time = LastSeen(event);
  return store::JsonText(time ? HumanAge(now - *time) : "<unknown>");
}

json::value EventObject(const json::value& event, base::Time) {
  const std::string_view field =
      store::FindJson(event, {"involvedObject"}) != nullptr ? "involvedObject" : "regarding";
  std::string text(store::JsonStringAt(event, {field, "kind"}));
  for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  text += '/';
  text += store::JsonStringAt(event, {field, "name"});
  return store::JsonText(text);
}

json::value EventMessage(const json::value& event, base::Time) {
  const std::string_view message = store::JsonStringAt(event, {"message"});
  return store::JsonText(message.empty() ? store::JsonStringAt(event, {"note"}) : message);
}

constexpr BuiltInColumn kEvent[] = {
    {"Last Seen", "string", "Time since it last happened.", {}, &EventLastSeen},
    {"Type", "string", "Normal or Warning.", ".type"},
    {"Reason", "string", "What happened, in a word.", ".reason"},
    {"Object", "string", "What it happened to.", {}, &EventObject},
    {"Message", "string", "What happened.", {}, &EventMessage},
    {"Name", "string", "Name of the event.", ".metadata.name", nullptr, 1},
};

// --- The rest -----------------------------------------------------------------------------------

json::value DataCount(const json::value& object, base::Time) {
  return static_cast<int64_t>(SizeAt(object, {"data"}) + SizeAt(object, {"binaryData"}));
}
json::value SecretCount(const json::value& account, base::Time) {
  return static_cast<int64_t>(SizeAt(account, {"secrets"}));
}
json::value IsGlobalDefault(const json::value& priority_class, base::Time) {
  const json::value* found = store::FindJson(priority_class, {"globalDefault"});
  return found != nullptr && found->is_bool() && found->get_bool();
}
json::value ClaimState(const json::value& claim, base::Time) {
  std::string state =
      store::FindJson(claim, {"status", "allocation"}) != nullptr ? "allocated" : "pending";
  if (SizeAt(claim, {"status", "reservedFor"}) > 0) state += ",reserved";
  if (store::FindJson(claim, {"metadata", "deletionTimestamp"}) != nullptr) state += ",deleted";
  return store::JsonText(state);
}

constexpr BuiltInColumn kCreatedAt[] = {
    {"Created At",
     "date",
     "When it was created.",
     {},
     [](const json::value& object, base::Time) {
       return store::JsonText(store::JsonStringAt(object, {"metadata", "creationTimestamp"}));
     }},
};
constexpr BuiltInColumn kConfigMap[] = {
    {"Data", "integer", "Entries.", {}, &DataCount},
    kAge,
};
// "cpu: 1/4, pods: 0/10": what is used of what there may be.
json::value QuotaUse(const json::value& quota, base::Time) {
  const json::value* hard = store::FindJson(quota, {"spec", "hard"});
  if (hard == nullptr || !hard->is_object()) return store::JsonText("");
  std::string text;
  for (const auto& [name, most] : hard->get_object()) {
    if (!text.empty()) text += ", ";
    const std::string_view used = store::JsonStringAt(quota, {"status", "used", store::View(name)});
    text += store::View(name);
    text += ": ";
    text += used.empty() ? "0" : used;
    text += "/";
    if (most.is_string()) text += store::View(most.get_string());
  }
  return store::JsonText(text);
}
constexpr BuiltInColumn kResourceQuota[] = {
    {"Request", "string", "What is used of what there may be.", {}, &QuotaUse},
    kAge,
};
constexpr BuiltInColumn kSecret[] = {
    {"Type", "string", "What it is for.", ".type"},
    {"Data", "integer", "Entries.", {}, &DataCount},
    kAge,
};
constexpr BuiltInColumn kServiceAccount[] = {
    {"Secrets", "integer", "Secrets of the account.", {}, &SecretCount},
    kAge,
};
constexpr BuiltInColumn kNamespace[] = {
    {"Status", "string", "Active or Terminating.", ".status.phase"},
    kAge,
};
constexpr BuiltInColumn kPriorityClass[] = {
    {"Value", "integer", "The priority; higher goes first.", ".value"},
    {"Global-Default", "boolean", "Whether pods without a class have it.", {}, &IsGlobalDefault},
    kAge,
    {"PreemptionPolicy", "string", "Whether its pods may displace others.", ".preemptionPolicy",
     nullptr, 1},
};
constexpr BuiltInColumn kLease[] = {
    {"Holder", "string", "Who has it.", ".spec.holderIdentity"},
    kAge,
};
constexpr BuiltInColumn kRuntimeClass[] = {
    {"Handler", "string", "What runs the containers.", ".handler"},
    kAge,
};
constexpr BuiltInColumn kResourceClaim[] = {
    {"State", "string", "Whether it has its devices.", {}, &ClaimState},
    kAge,
};
constexpr BuiltInColumn kResourceSlice[] = {
    {"Node", "string", "Where the devices are.", ".spec.nodeName"},
    {"Driver", "string", "Who publishes them.", ".spec.driver"},
    {"Pool", "string", "What they belong to.", ".spec.pool.name"},
    kAge,
};

struct Entry {
  std::string_view group;
  std::string_view kind;
  BuiltInColumns columns;
};
constexpr Entry kEntries[] = {
    {"", "ConfigMap", {kConfigMap}},
    {"", "Event", {kEvent, false}},
    {"", "LimitRange", {kCreatedAt}},
    {"", "Namespace", {kNamespace}},
    {"", "Node", {kNode}},
    {"", "Pod", {kPod}},
    {"", "ResourceQuota", {kResourceQuota}},
    {"", "Secret", {kSecret}},
    {"", "ServiceAccount", {kServiceAccount}},
    {"apiextensions.k8s.io", "CustomResourceDefinition", {kCreatedAt}},
    {"apps", "Deployment", {kDeployment}},
    {"apps", "ReplicaSet", {kReplicaSet}},
    {"apps", "StatefulSet", {kStatefulSet}},
    {"batch", "CronJob", {kCronJob}},
    {"batch", "Job", {kJob}},
    {"coordination.k8s.io", "Lease", {kLease}},
    {"events.k8s.io", "Event", {kEvent, false}},
    {"node.k8s.io", "RuntimeClass", {kRuntimeClass}},
    {"resource.k8s.io", "ResourceClaim", {kResourceClaim}},
    {"resource.k8s.io", "ResourceSlice", {kResourceSlice}},
    {"scheduling.k8s.io", "PriorityClass", {kPriorityClass}},
};

}  // namespace

BuiltInColumns FindBuiltInColumns(std::string_view group, std::string_view kind) {
  for (const Entry& entry : kEntries) {
    if (entry.group == group && entry.kind == kind) return entry.columns;
  }
  return {};
}

}  // namespace berth::apiserver
