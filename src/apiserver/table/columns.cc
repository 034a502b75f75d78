#include "apiserver/table/columns.h"

#include <optional>
#include <string>

#include "apiserver/table/table.h"

namespace berth::apiserver {
namespace {

using Path = std::initializer_list<std::string_view>;

constexpr std::string_view kCreated = ".metadata.creationTimestamp";
constexpr BuiltInColumn kAge{"Age", "date", "Time since the object was created.", kCreated};

int64_t NumberAt(const json::value& object, Path path, int64_t otherwise = 0) {
  const json::value* found = json::Find(object, path);
  return found != nullptr && found->is_int64() ? found->get_int64() : otherwise;
}

size_t SizeAt(const json::value& object, Path path) {
  const json::value* found = json::Find(object, path);
  if (found == nullptr) return 0;
  if (found->is_array()) return found->get_array().size();
  return found->is_object() ? found->get_object().size() : 0;
}

std::span<const json::value> ElementsAt(const json::value& object, Path path) {
  const json::value* found = json::Find(object, path);
  if (found == nullptr || !found->is_array()) return {};
  return {found->get_array().data(), found->get_array().size()};
}

std::optional<base::Time> TimeAt(const json::value& object, Path path) {
  return base::ParseTime(json::StringAt(object, path));
}

bool HasCondition(const json::value& object, std::string_view type) {
  for (const json::value& condition : ElementsAt(object, {"status", "conditions"})) {
    if (json::StringAt(condition, {"type"}) == type)
      return json::StringAt(condition, {"status"}) == "True";
  }
  return false;
}

std::string Joined(std::span<const json::value> elements, std::string_view key) {
  std::string text;
  for (const json::value& element : elements) {
    if (!text.empty()) text += ',';
    text += json::StringAt(element, {key});
  }
  return text;
}

std::string OrNone(const std::string& text) { return text.empty() ? "<none>" : text; }

std::string SelectorText(const json::value& object) {
  const json::value* labels = json::Find(object, {"spec", "selector", "matchLabels"});
  std::string text;
  if (labels != nullptr && labels->is_object()) {
    for (const auto& label : labels->get_object()) {
      if (!text.empty()) text += ',';
      text += json::View(label.key());
      text += '=';
      if (label.value().is_string()) text += json::View(label.value().get_string());
    }
  }
  return OrNone(text);
}

std::string Ratio(int64_t part, int64_t whole) {
  return std::to_string(part) + "/" + std::to_string(whole);
}

// --- Pod templates ------------------------------------------------------------------------------

json::value ContainersOf(const json::value& object, base::Time) {
  return json::Text(Joined(ElementsAt(object, {"spec", "template", "spec", "containers"}), "name"));
}
json::value ImagesOf(const json::value& object, base::Time) {
  return json::Text(
      Joined(ElementsAt(object, {"spec", "template", "spec", "containers"}), "image"));
}
json::value SelectorOf(const json::value& object, base::Time) {
  return json::Text(SelectorText(object));
}

constexpr BuiltInColumn kContainers{"Containers", "string",      "Containers of the pods.",
                                    {},           &ContainersOf, 1};
constexpr BuiltInColumn kImages{"Images", "string", "Images of the containers.", {}, &ImagesOf, 1};
constexpr BuiltInColumn kSelector{"Selector", "string", "Labels of the pods.", {}, &SelectorOf, 1};

// --- Pods ---------------------------------------------------------------------------------------

json::value PodReady(const json::value& pod, base::Time) {
  int64_t ready = 0;
  for (const json::value& container : ElementsAt(pod, {"status", "containerStatuses"})) {
    const json::value* is_ready = json::Find(container, {"ready"});
    if (is_ready != nullptr && is_ready->is_bool() && is_ready->get_bool()) ++ready;
  }
  return json::Text(Ratio(ready, static_cast<int64_t>(SizeAt(pod, {"spec", "containers"}))));
}

// The reason of a waiting or terminated container, which is more specific than the phase.
std::string_view ContainerReason(const json::value& pod) {
  for (const json::value& container : ElementsAt(pod, {"status", "containerStatuses"})) {
    for (const std::string_view state : {"waiting", "terminated"}) {
      const std::string_view reason = json::StringAt(container, {"state", state, "reason"});
      if (!reason.empty()) return reason;
    }
  }
  return {};
}

bool IsGated(const json::value& pod) {
  for (const json::value& condition : ElementsAt(pod, {"status", "conditions"})) {
    if (json::StringAt(condition, {"type"}) == "PodScheduled" &&
        json::StringAt(condition, {"reason"}) == "SchedulingGated")
      return true;
  }
  return false;
}

json::value PodStatus(const json::value& pod, base::Time) {
  if (json::Find(pod, {"metadata", "deletionTimestamp"}) != nullptr)
    return json::Text("Terminating");
  const std::string_view reason = json::StringAt(pod, {"status", "reason"});
  if (!reason.empty()) return json::Text(reason);
  if (IsGated(pod)) return json::Text("SchedulingGated");
  if (const std::string_view of_container = ContainerReason(pod); !of_container.empty())
    return json::Text(of_container);
  const std::string_view phase = json::StringAt(pod, {"status", "phase"});
  return json::Text(phase == "Succeeded" ? "Completed" : phase == "Failed" ? "Error" : phase);
}

json::value PodRestarts(const json::value& pod, base::Time) {
  int64_t restarts = 0;
  for (const json::value& container : ElementsAt(pod, {"status", "containerStatuses"}))
    restarts += NumberAt(container, {"restartCount"});
  return json::Text(std::to_string(restarts));
}

json::value PodAddress(const json::value& pod, base::Time) {
  return json::Text(OrNone(std::string(json::StringAt(pod, {"status", "podIP"}))));
}
json::value PodNode(const json::value& pod, base::Time) {
  return json::Text(OrNone(std::string(json::StringAt(pod, {"spec", "nodeName"}))));
}

constexpr BuiltInColumn kPod[] = {
    {"Ready", "string", "Ready containers / all containers.", {}, &PodReady},
    {"Status", "string", "Phase, or the reason why the pod is not running.", {}, &PodStatus},
    {"Restarts", "string", "Number of container restarts.", {}, &PodRestarts},
    kAge,
    {"IP", "string", "Address of the pod.", {}, &PodAddress, 1},
    {"Node", "string", "Node of the pod.", {}, &PodNode, 1},
};

// --- Jobs ---------------------------------------------------------------------------------------

json::value JobStatus(const json::value& job, base::Time) {
  if (HasCondition(job, "Complete")) return json::Text("Complete");
  if (HasCondition(job, "Failed")) return json::Text("Failed");
  if (json::Find(job, {"metadata", "deletionTimestamp"}) != nullptr)
    return json::Text("Terminating");
  if (HasCondition(job, "Suspended")) return json::Text("Suspended");
  if (HasCondition(job, "FailureTarget")) return json::Text("FailureTarget");
  if (HasCondition(job, "SuccessCriteriaMet")) return json::Text("SuccessCriteriaMet");
  return json::Text("Running");
}

json::value JobCompletions(const json::value& job, base::Time) {
  const int64_t succeeded = NumberAt(job, {"status", "succeeded"});
  const int64_t completions = NumberAt(job, {"spec", "completions"}, -1);
  if (completions >= 0) return json::Text(Ratio(succeeded, completions));
  const int64_t parallelism = NumberAt(job, {"spec", "parallelism"}, 1);
  if (parallelism > 1)
    return json::Text(std::to_string(succeeded) + "/1 of " + std::to_string(parallelism));
  return json::Text(Ratio(succeeded, 1));
}

json::value JobDuration(const json::value& job, base::Time now) {
  const auto start = TimeAt(job, {"status", "startTime"});
  if (!start) return json::Text("");
  const auto end = TimeAt(job, {"status", "completionTime"});
  return json::Text(HumanAge(end.value_or(now) - *start));
}

constexpr BuiltInColumn kJob[] = {
    {"Status", "string", "Running, Suspended, Complete or Failed.", {}, &JobStatus},
    {"Completions", "string", "Succeeded pods / required completions.", {}, &JobCompletions},
    {"Duration", "string", "Time from start to completion, or until now.", {}, &JobDuration},
    kAge,
    kContainers,
    kImages,
    kSelector,
};

json::value CronJobSuspend(const json::value& job, base::Time) {
  const json::value* suspend = json::Find(job, {"spec", "suspend"});
  return json::Text(suspend != nullptr && suspend->is_bool() && suspend->get_bool() ? "True"
                                                                                    : "False");
}
json::value CronJobActive(const json::value& job, base::Time) {
  return static_cast<int64_t>(SizeAt(job, {"status", "active"}));
}
json::value CronJobZone(const json::value& job, base::Time) {
  return json::Text(OrNone(std::string(json::StringAt(job, {"spec", "timeZone"}))));
}
json::value CronJobLast(const json::value& job, base::Time now) {
  const auto last = TimeAt(job, {"status", "lastScheduleTime"});
  return json::Text(last ? HumanAge(now - *last) : "<none>");
}

constexpr BuiltInColumn kCronJob[] = {
    {"Schedule", "string", "Schedule in cron format.", ".spec.schedule"},
    {"Timezone", "string", "Time zone of the schedule.", {}, &CronJobZone},
    {"Suspend", "boolean", "Whether the schedule is suspended.", {}, &CronJobSuspend},
    {"Active", "integer", "Running jobs.", {}, &CronJobActive},
    {"Last Schedule", "string", "Time since the last job was scheduled.", {}, &CronJobLast},
    kAge,
};

// --- Workload sets ------------------------------------------------------------------------------

json::value ReadyOfReplicas(const json::value& set, base::Time) {
  return json::Text(
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
    {"Ready", "string", "Ready pods / desired pods.", {}, &ReadyOfReplicas},
    {"Up-to-date", "integer", "Pods of the current template.", {}, &UpdatedReplicas},
    {"Available", "integer", "Pods ready for at least minReadySeconds.", {}, &AvailableReplicas},
    kAge,
    kContainers,
    kImages,
    kSelector,
};
constexpr BuiltInColumn kReplicaSet[] = {
    {"Desired", "integer", "Desired pods.", {}, &DesiredReplicas},
    {"Current", "integer", "Existing pods.", {}, &CurrentReplicas},
    {"Ready", "integer", "Ready pods.", {}, &ReadyReplicas},
    kAge,
    kContainers,
    kImages,
    kSelector,
};
constexpr BuiltInColumn kStatefulSet[] = {
    {"Ready", "string", "Ready pods / desired pods.", {}, &ReadyOfReplicas},
    kAge,
    kContainers,
    kImages,
};

// --- Nodes --------------------------------------------------------------------------------------

json::value NodeStatus(const json::value& node, base::Time) {
  std::string text = HasCondition(node, "Ready") ? "Ready" : "NotReady";
  const json::value* unschedulable = json::Find(node, {"spec", "unschedulable"});
  if (unschedulable != nullptr && unschedulable->is_bool() && unschedulable->get_bool())
    text += ",SchedulingDisabled";
  return json::Text(text);
}

json::value NodeRoles(const json::value& node, base::Time) {
  constexpr std::string_view kPrefix = "node-role.kubernetes.io/";
  const json::value* labels = json::Find(node, {"metadata", "labels"});
  std::string roles;
  if (labels != nullptr && labels->is_object()) {
    for (const auto& label : labels->get_object()) {
      const std::string_view key = json::View(label.key());
      if (!key.starts_with(kPrefix) || key.size() == kPrefix.size()) continue;
      if (!roles.empty()) roles += ',';
      roles += key.substr(kPrefix.size());
    }
  }
  return json::Text(OrNone(roles));
}

constexpr BuiltInColumn kNode[] = {
    {"Status", "string", "Readiness and schedulability.", {}, &NodeStatus},
    {"Roles", "string", "Roles of the node.", {}, &NodeRoles},
    kAge,
    {"Version", "string", "Version of the kubelet.", ".status.nodeInfo.kubeletVersion"},
};

// --- Events -------------------------------------------------------------------------------------

// The most recent timestamp; the field depends on the client that wrote the event.
std::optional<base::Time> LastSeen(const json::value& event) {
  if (const auto time = TimeAt(event, {"series", "lastObservedTime"})) return time;
  for (const std::string_view field : {"lastTimestamp", "deprecatedLastTimestamp", "eventTime"}) {
    if (const auto time = TimeAt(event, {field})) return time;
  }
  return TimeAt(event, {"metadata", "creationTimestamp"});
}

json::value EventLastSeen(const json::value& event, base::Time now) {
  const auto time = LastSeen(event);
  return json::Text(time ? HumanAge(now - *time) : "<unknown>");
}

json::value EventObject(const json::value& event, base::Time) {
  const std::string_view field =
      json::Find(event, {"involvedObject"}) != nullptr ? "involvedObject" : "regarding";
  std::string text(json::StringAt(event, {field, "kind"}));
  for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  text += '/';
  text += json::StringAt(event, {field, "name"});
  return json::Text(text);
}

json::value EventMessage(const json::value& event, base::Time) {
  const std::string_view message = json::StringAt(event, {"message"});
  return json::Text(message.empty() ? json::StringAt(event, {"note"}) : message);
}

constexpr BuiltInColumn kEvent[] = {
    {"Last Seen", "string", "Time since the last occurrence.", {}, &EventLastSeen},
    {"Type", "string", "Normal or Warning.", ".type"},
    {"Reason", "string", "Short reason.", ".reason"},
    {"Object", "string", "Object concerned.", {}, &EventObject},
    {"Message", "string", "Description of the event.", {}, &EventMessage},
    {"Name", "string", "Name of the event.", ".metadata.name", nullptr, 1},
};

// --- Others -------------------------------------------------------------------------------------

json::value DataCount(const json::value& object, base::Time) {
  return static_cast<int64_t>(SizeAt(object, {"data"}) + SizeAt(object, {"binaryData"}));
}
json::value SecretCount(const json::value& account, base::Time) {
  return static_cast<int64_t>(SizeAt(account, {"secrets"}));
}
json::value IsGlobalDefault(const json::value& priority_class, base::Time) {
  const json::value* found = json::Find(priority_class, {"globalDefault"});
  return found != nullptr && found->is_bool() && found->get_bool();
}
json::value ClaimState(const json::value& claim, base::Time) {
  std::string state =
      json::Find(claim, {"status", "allocation"}) != nullptr ? "allocated" : "pending";
  if (SizeAt(claim, {"status", "reservedFor"}) > 0) state += ",reserved";
  if (json::Find(claim, {"metadata", "deletionTimestamp"}) != nullptr) state += ",deleted";
  return json::Text(state);
}

constexpr BuiltInColumn kCreatedAt[] = {
    {"Created At",
     "date",
     "Time of creation.",
     {},
     [](const json::value& object, base::Time) {
       return json::Text(json::StringAt(object, {"metadata", "creationTimestamp"}));
     }},
};
constexpr BuiltInColumn kConfigMap[] = {
    {"Data", "integer", "Entries.", {}, &DataCount},
    kAge,
};
// "cpu: 1/4, pods: 0/10": used / hard.
json::value QuotaUse(const json::value& quota, base::Time) {
  const json::value* hard = json::Find(quota, {"spec", "hard"});
  if (hard == nullptr || !hard->is_object()) return json::Text("");
  std::string text;
  for (const auto& [name, most] : hard->get_object()) {
    if (!text.empty()) text += ", ";
    const std::string_view used = json::StringAt(quota, {"status", "used", json::View(name)});
    text += json::View(name);
    text += ": ";
    text += used.empty() ? "0" : used;
    text += "/";
    if (most.is_string()) text += json::View(most.get_string());
  }
  return json::Text(text);
}
constexpr BuiltInColumn kResourceQuota[] = {
    {"Request", "string", "Used / hard limit.", {}, &QuotaUse},
    kAge,
};
constexpr BuiltInColumn kSecret[] = {
    {"Type", "string", "Type of the secret.", ".type"},
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
    {"Value", "integer", "Priority; higher values first.", ".value"},
    {"Global-Default",
     "boolean",
     "Whether this is the default for pods without a class.",
     {},
     &IsGlobalDefault},
    kAge,
    {"PreemptionPolicy", "string", "Whether pods of this class preempt others.",
     ".preemptionPolicy", nullptr, 1},
};
constexpr BuiltInColumn kLease[] = {
    {"Holder", "string", "Current holder of the lease.", ".spec.holderIdentity"},
    kAge,
};
constexpr BuiltInColumn kRuntimeClass[] = {
    {"Handler", "string", "Container runtime handler.", ".handler"},
    kAge,
};
constexpr BuiltInColumn kResourceClaim[] = {
    {"State", "string", "Allocation state.", {}, &ClaimState},
    kAge,
};
constexpr BuiltInColumn kResourceSlice[] = {
    {"Node", "string", "Node of the devices.", ".spec.nodeName"},
    {"Driver", "string", "Driver that publishes the devices.", ".spec.driver"},
    {"Pool", "string", "Pool of the devices.", ".spec.pool.name"},
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
