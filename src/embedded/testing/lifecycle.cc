#include "embedded/testing/lifecycle.h"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <optional>
#include <set>
#include <thread>
#include <utility>

#include "api/config/configuration.h"
#include "api/config/feature_gates.h"
#include "api/core/events_v1_event.h"
#include "api/core/namespace.h"
#include "api/core/node.h"
#include "api/core/pod.h"
#include "api/kueue/well_known.h"
#include "api/kueue/workload.h"
#include "base/time.h"
#include "embedded/testing/environment.h"
#include "embedded/testing/intended_differences.h"
#include "embedded/testing/live_cluster.h"
#include "embedded/testing/loose_kinds.h"
#include "embedded/testing/normal_form.h"
#include "embedded/testing/recorded_names.h"
#include "jobs/integration_set.h"
#include "json/path.h"
#include "schema/decode.h"
#include "store/wait_for.h"

namespace berth::embedded::testing {
namespace {

using std::chrono::milliseconds;
using TimePoint = std::chrono::steady_clock::time_point;

constexpr base::Duration kAnswerLimit = base::Duration::Seconds(20);
constexpr milliseconds kQuietAfterEach{100};
// Longer sleeps of a recording are not waited for: the cluster's clock is advanced.
constexpr milliseconds kLongSleep{30'000};
// The controllers look for new kinds at this interval at least.
constexpr milliseconds kDiscovery{5000};
constexpr milliseconds kCollectorLimit{60'000};
// A namespace that recordings do not use.
constexpr std::string_view kInstallation = "kueue-system";
// A step that is later than this no longer corresponds to the recording.
constexpr milliseconds kLateness{1000};

// Compared in every recording; other kinds where the recording has objects of them.
constexpr std::string_view kAlwaysCompared[] = {
    "Job", "Workload", "ClusterQueue", "LocalQueue", "Cohort", "ResourceFlavor", "AdmissionCheck"};
// Recorded or not, depending on which controller was faster.
constexpr std::string_view kOptionalEvent = "Normal WorkloadSliceReplaced ";
// Any pod of a group may carry the Event about its Workload.
constexpr std::string_view kEventsOfGroups[] = {"CreatedWorkload", "FinishedWorkload",
                                                "ErrWorkloadCompose"};

std::string_view Text(const json::value& value, std::string_view key) {
  return json::StringAt(value, {key});
}

std::string IdOf(const json::value& object) {
  const std::string_view space = json::StringAt(object, {"metadata", "namespace"});
  return std::string(Text(object, "kind")) + " " + (space.empty() ? "" : std::string(space) + "/") +
         std::string(json::StringAt(object, {"metadata", "name"}));
}

// The name of a pod's group; "" if it has none.
std::string GroupOf(const json::value& pod) {
  const std::string key = "[" + std::string(api::kPodGroupName) + "]";
  const std::string annotation = json::TextAt(pod, "metadata.annotations" + key);
  return annotation.empty() ? json::TextAt(pod, "metadata.labels" + key) : annotation;
}

// A deliberate difference (docs/differences.md): Kueue gives no reason to a Workload that it never
// evaluated, because it is behind the head of its queue or equal to one that was; Berth does.
// Removes that reason from the actual Workload if the recorded one has none.
void ForgiveReasonOfUnevaluated(const json::value& recorded, json::value& actual) {
  if (Text(actual, "kind") != "Workload" ||
      json::Find(recorded, {"status", "conditions", "QuotaReserved"}) != nullptr ||
      json::StringAt(actual, {"status", "conditions", "QuotaReserved", "status"}) != "False")
    return;
  json::object& status = json::Find(actual, {"status"})->get_object();
  json::object& conditions = status["conditions"].get_object();
  conditions.erase("QuotaReserved");
  conditions.erase("Admitted");
  status.erase("resourceRequests");
}

class Player {
 public:
  explicit Player(const json::value& recording) : recording_(recording) {}

  PlayedLifecycle Play() {
    PlaySteps();
    return {.differences = std::move(differences_), .was_late = was_late_};
  }

 private:
  void PlaySteps() {
    if (!Start()) return;
    Survey();
    DefineKinds();
    for (const json::value& object : List(recording_, "setup")) SetUp(object);
    AwaitIdle();
    if (const json::value* after = json::Find(recording_, {"afterSetup"})) {
      place_ = "setup";
      names_.Expect(List(*after, "objects"));
      Check(*after);
    }
    for (const json::value& step : List(recording_, "steps")) {
      place_ = "step " + std::to_string(step_);
      names_.Expect(List(step, "objects"));
      step_end_ = std::chrono::steady_clock::now() + DurationOf(step);
      for (const json::value& operation : List(step, "do")) Perform(operation);
      AwaitIdle(Quiet(), step_end_);
      was_late_ |= depends_on_seconds_ && std::chrono::steady_clock::now() > step_end_ + kLateness;
      Check(step);
      ++step_;
    }
  }

  // A real API server adds a taint to every new Node. Nodes of the setup were made without it.
  void SetUp(const json::value& object) {
    MustBeDone(Create(object));
    if (Text(object, "kind") != api::Node::KindInfo().kind) return;
    const json::value* taints = json::Find(object, {"spec", "taints"});
    const json::object spec{{"taints", taints == nullptr ? json::value() : *taints}};
    MustBeDone(PatchObject(store::ResourceOf<api::Node>(), "",
                           std::string(json::StringAt(object, {"metadata", "name"})), "",
                           json::object{{"spec", spec}}));
  }

  void DefineKinds() {
    std::vector<std::string> defined;
    for (const std::string& kind : compared_) {
      const std::string definition = LooseDefinition(kind);
      if (definition.empty()) continue;
      MustBeDone(Apply(definition));
      defined.push_back(kind);
    }
    if (!defined.empty()) std::this_thread::sleep_for(kDiscovery);
    for (const std::string& kind : defined) AwaitCollected(ResourceOfKind(kind));
  }

  // A garbage collector that does not know a kind yet forgets the objects that its objects own.
  void AwaitCollected(const store::Resource& resource) {
    MustBeDone(
        Do(store::Create{.resource = resource,
                         .namespace_ = std::string(kInstallation),
                         .object = R"({"apiVersion": ")" + resource.ApiVersion() +
                                   R"(", "kind": ")" + resource.kind +
                                   R"(", "metadata": {"name": "garbage", "ownerReferences": [{
                                         "apiVersion": "v1", "kind": "ConfigMap", "name": "missing",
                                         "uid": "01234567-89ab-cdef-0123-456789abcdef"}]}})",
                         .options = {}}));
    const auto end = std::chrono::steady_clock::now() + kCollectorLimit;
    while (Do(store::Get{.resource = resource,
                         .namespace_ = std::string(kInstallation),
                         .name = "garbage",
                         .subresource = ""}) &&
           std::chrono::steady_clock::now() < end)
      std::this_thread::sleep_for(milliseconds(100));
  }

  // Looks ahead for what the replay as a whole depends on.
  void Survey() {
    compared_.insert(std::begin(kAlwaysCompared), std::end(kAlwaysCompared));
    for (const json::value& step : List(recording_, "steps")) {
      for (const json::value& object : List(step, "objects"))
        compared_.emplace(Text(object, "kind"));
      for (const json::value& operation : List(step, "do")) {
        depends_on_seconds_ |= Text(operation, "op") == "sleep";
        const json::value* object = json::Find(operation, {"object"});
        if (object != nullptr && !GroupOf(*object).empty())
          groups_[std::string(json::StringAt(*object, {"metadata", "name"}))] = GroupOf(*object);
      }
    }
  }

  // The expected duration of the step if all its operations were instantaneous.
  milliseconds DurationOf(const json::value& step) const {
    milliseconds sum = Quiet();
    for (const json::value& operation : List(step, "do")) {
      const std::string_view op = Text(operation, "op");
      sum += op == "sleep" ? WaitOf(operation) : op == "quiet" ? Quiet() : kQuietAfterEach;
    }
    return sum;
  }

  static milliseconds SleepOf(const json::value& operation) {
    const auto seconds = json::Find(operation, {"seconds"})->to_number<double>();
    return milliseconds(static_cast<int64_t>(seconds * 1000));
  }

  static const json::array& List(const json::value& value, std::string_view key) {
    static const json::array kNone;
    const json::value* found = json::Find(value, {key});
    return found != nullptr && found->is_array() ? found->get_array() : kNone;
  }

  // The part of a sleep that is waited for.
  static milliseconds WaitOf(const json::value& operation) {
    const milliseconds sleep = SleepOf(operation);
    return sleep < kLongSleep ? sleep : milliseconds(0);
  }

  void Sleep(const json::value& operation) {
    std::this_thread::sleep_for(WaitOf(operation));
    if (WaitOf(operation) != SleepOf(operation))
      cluster_->Pass(base::Duration::Milliseconds(SleepOf(operation).count()));
  }

  void Differ(std::string text) { differences_.push_back(place_ + ", " + std::move(text)); }

  void MustBeDone(const store::Outcome<store::Reply>& outcome) {
    if (!outcome) Differ("rejected: " + store::ToString(outcome.error()));
  }

  bool Start() {
    const json::value* given = json::Find(recording_, {"configuration"});
    auto configuration =
        schema::Decode<api::Configuration>(given == nullptr ? "{}" : json::Print(*given));
    if (!configuration) return Differ("the configuration cannot be read"), false;
    // As in the recording. A lease that is renewed periodically would prevent idleness.
    configuration->leader_election.emplace().leader_elect = false;
    api::ApplyConfigurationDefaults(*configuration);
    Cluster::Options options;
    options.serves_https = false;
    options.gates = api::KnownFeatureGates(configuration->feature_gates);
    options.configuration = std::move(*configuration);
    options.nodes.reset();
    auto started = StartEnvironment(std::move(options));
    if (!started) return Differ(started.error().message), false;
    cluster_ = std::move(*started);
    Namespace("ns1", R"("team": "a")");
    Namespace("ns2", R"("team": "b")");
    Namespace("kueue-system", "");
    return true;
  }

  // The namespace may exist.
  void Namespace(std::string_view name, std::string_view labels) {
    MustBeDone(Apply(R"({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": ")" +
                     std::string(name) + R"(", "labels": {)" + std::string(labels) + "}}}"));
  }

  store::Outcome<store::Reply> Apply(const std::string& text) {
    const json::value tree = json::Parse(text).value_or(json::object());
    return Do(store::Patch{.resource = ResourceOfKind(Text(tree, "kind")),
                           .namespace_ = "",
                           .name = std::string(json::StringAt(tree, {"metadata", "name"})),
                           .subresource = "",
                           .type = store::PatchType::kApply,
                           .body = text,
                           .is_forced = true,
                           .options = {.field_manager = "recording"}});
  }

  store::Outcome<store::Reply> Do(store::Call call) {
    return store::WaitFor(cluster_->store(), std::move(call), kAnswerLimit);
  }

  // --- Operations -------------------------------------------------------------------------------

  store::Outcome<store::Reply> Create(const json::value& object) {
    if (IsQueued(Text(object, "kind"))) AwaitNextSecond();
    names_.Match(Objects());
    auto created = Do(
        store::Create{.resource = ResourceOfKind(Text(object, "kind")),
                      .namespace_ = std::string(json::StringAt(object, {"metadata", "namespace"})),
                      .object = names_.WithActualNames(WithTimes(object)),
                      .options = {}});
    if (created) LearnUid(object, created->object);
    return created;
  }

  // With the taint of new Nodes, which the embedded server does not add.
  static json::value AsStored(const json::value& operation) {
    json::value object = operation.at("object");
    if (Text(object, "kind") != api::Node::KindInfo().kind) return object;
    json::value& spec = object.as_object()["spec"];
    if (!spec.is_object()) spec.emplace_object();
    spec.get_object()["taints"] = json::array{json::object{
        {"key", "node.kubernetes.io/not-ready"}, {"effect", std::string(api::kNoSchedule)}}};
    return object;
  }

  static bool IsQueued(std::string_view kind) {
    return std::ranges::any_of(jobs::IntegrationSet::BuiltIn().all(),
                               [&](const auto& integration) { return integration.kind == kind; });
  }

  // Later objects of the same step may refer to this one.
  void LearnUid(const json::value& object, const store::Object& created) {
    const auto tree = json::Parse(created.text());
    for (size_t i = step_; tree && i < List(recording_, "steps").size(); ++i)
      for (const json::value& expected : List(List(recording_, "steps")[i], "objects"))
        if (IdOf(expected) == IdOf(object)) return names_.Pair(expected, *tree);
  }

  // Schedules a pod. The embedded server has no bindings.
  store::Outcome<store::Reply> Bind(const json::value& operation) {
    const std::string space(Text(operation, "namespace"));
    const std::string name(Text(operation, "name"));
    const std::string node(Text(operation, "node"));
    const store::Resource bindings{
        .version = "v1", .plural = "bindings", .kind = "Binding", .is_namespaced = true};
    const json::object binding{
        {"apiVersion", "v1"},
        {"kind", "Binding"},
        {"metadata", json::object{{"name", name}, {"namespace", space}}},
        {"target", json::object{{"apiVersion", "v1"}, {"kind", "Node"}, {"name", node}}}};
    auto bound = Do(store::Create{
        .resource = bindings, .namespace_ = space, .object = json::Print(binding), .options = {}});
    if (bound || bound.error().code() != 404) return bound;
    const json::object patch{{"spec", json::object{{"nodeName", node}}}};
    return PatchObject(store::ResourceOf<api::Pod>(), space, name, "", patch);
  }

  store::Outcome<store::Reply> PatchObject(const store::Resource& resource, std::string space,
                                           std::string name, std::string_view subresource,
                                           const json::value& body) {
    return Do(
        store::Patch{.resource = resource,
                     .namespace_ = std::move(space),
                     .name = std::move(name),
                     .subresource = std::string(subresource),
                     .type = body.is_array() ? store::PatchType::kJson : store::PatchType::kMerge,
                     .body = names_.WithActualNames(WithTimes(body)),
                     .is_forced = false,
                     .options = {}});
  }

  store::Outcome<store::Reply> Delete(const json::value& operation) {
    store::DeleteOptions options{.propagation = store::Propagation::kBackground};
    if (const json::value* grace = json::Find(operation, {"gracePeriodSeconds"}))
      options.grace_period_seconds = grace->to_number<int64_t>();
    return Do(store::Delete{.resource = ResourceOfKind(Text(operation, "kind")),
                            .namespace_ = std::string(Text(operation, "namespace")),
                            .name = ActualName(Text(operation, "name")),
                            .options = std::move(options)});
  }

  // Creation timestamps have a resolution of one second and determine the queue order. If timing
  // matters, jobs are created at the start of a second, since truncated timestamps would appear
  // older.
  void AwaitNextSecond() {
    const auto second = [] { return std::time(nullptr); };
    const auto begin = std::chrono::steady_clock::now();
    const std::time_t taken = depends_on_seconds_ ? second() : last_creation_;
    while (second() == taken) std::this_thread::sleep_for(milliseconds(20));
    step_end_ += std::chrono::steady_clock::now() - begin;
    last_creation_ = second();
  }

  // Recordings omit messages, which conditions and checks require.
  static void AddMessages(json::value& value) {
    if (value.is_array())
      for (json::value& item : value.get_array()) AddMessages(item);
    if (!value.is_object()) return;
    if (value.get_object().contains("lastTransitionTime"))
      value.get_object().emplace("message", "");
    for (auto& [key, member] : value.get_object()) AddMessages(member);
  }

  // "T" is a placeholder for a time: now.
  std::string WithTimes(json::value value) {
    AddMessages(value);
    std::string text = json::Print(value);
    const std::string time = "\"" + base::FormatTime(cluster_->Now()) + "\"";
    for (size_t at = 0; (at = text.find("\"T\"", at)) != text.npos;) text.replace(at, 3, time);
    return text;
  }

  std::string ActualName(std::string_view name) {
    names_.Match(Objects());
    return names_.ActualName(name);
  }

  store::Outcome<store::Reply> Patch(const json::value& operation) {
    json::value body = *json::Find(operation, {"patch"});
    const std::string name = ActualName(Text(operation, "name"));
    const store::Resource resource = ResourceOfKind(Text(operation, "kind"));
    if (HasStartTime(resource, operation, name))
      if (json::value* status = json::Find(body, {"status"}))
        status->get_object().erase("startTime");
    return PatchObject(resource, std::string(Text(operation, "namespace")), name,
                       Text(operation, "subresource"), body);
  }

  // The start time of a started job is immutable.
  bool HasStartTime(const store::Resource& resource, const json::value& operation,
                    const std::string& name) {
    if (resource.kind != "Job") return false;
    const auto job = Do(store::Get{.resource = resource,
                                   .namespace_ = std::string(Text(operation, "namespace")),
                                   .name = name,
                                   .subresource = ""});
    if (!job) return false;
    const auto tree = json::Parse(job->object.text());
    return tree && !json::StringAt(*tree, {"status", "startTime"}).empty();
  }

  // Replaces one entry of status.admissionChecks.
  store::Outcome<store::Reply> SetCheck(const json::value& operation) {
    const store::Resource resource = store::ResourceOf<api::Workload>();
    const std::string name = ActualName(Text(operation, "name"));
    const std::string space(Text(operation, "namespace"));
    auto read =
        Do(store::Get{.resource = resource, .namespace_ = space, .name = name, .subresource = ""});
    if (!read) return read;
    auto tree = json::Parse(read->object.text()).value_or(json::object());
    const json::value& state = *json::Find(operation, {"state"});
    json::array checks;
    if (const json::value* known = json::Find(tree, {"status", "admissionChecks"}))
      for (const json::value& check : known->get_array())
        checks.push_back(Text(check, "name") == Text(state, "name") ? state : check);
    const json::object patch{{"status", json::object{{"admissionChecks", checks}}}};
    return PatchObject(resource, space, name, "status", patch);
  }

  void Perform(const json::value& operation) {
    const std::string_view op = Text(operation, "op");
    if (op == "quiet") return AwaitIdle();
    if (op == "sleep") return Sleep(operation);
    const store::Outcome<store::Reply> outcome = op == "create"     ? Create(AsStored(operation))
                                                 : op == "patch"    ? Patch(operation)
                                                 : op == "setCheck" ? SetCheck(operation)
                                                 : op == "bind"     ? Bind(operation)
                                                                    : Delete(operation);
    CheckOutcome(operation, outcome);
    AwaitIdle(kQuietAfterEach);
  }

  void CheckOutcome(const json::value& operation, const store::Outcome<store::Reply>& outcome) {
    const json::value* error = json::Find(operation, {"error"});
    const std::string text = json::Print(operation).substr(0, 240);
    if (error == nullptr) {
      if (!outcome) Differ("rejected: " + store::ToString(outcome.error()) + " for " + text);
      return;
    }
    if (outcome) return Differ("accepted, expected " + json::Print(*error) + " for " + text);
    const int code = error->at("code").to_number<int>();
    if (outcome.error().code() != code)
      Differ("refused with " + store::ToString(outcome.error()) + ", expected " +
             json::Print(*error) + " for " + text);
  }

  // --- Comparison -------------------------------------------------------------------------------

  // As long as in the recording if timing matters.
  milliseconds Quiet() const { return milliseconds(depends_on_seconds_ ? 1250 : 250); }

  // Waits until the controllers are idle and nothing has changed for a while. If timing matters, at
  // most as long as in the recording: other writers, e.g. of leases, may continue.
  void AwaitIdle() { AwaitIdle(Quiet()); }
  void AwaitIdle(milliseconds quiet, std::optional<TimePoint> end = std::nullopt) {
    std::string last;
    auto since = std::chrono::steady_clock::now();
    const auto limit = since + std::chrono::seconds(30);
    while (std::chrono::steady_clock::now() < limit) {
      const auto list = Do(store::List{
          .resource = store::ResourceOf<api::Namespace>(), .selection = {}, .limit = 1});
      const std::string version = list ? list->resource_version : "";
      if (version != last || !cluster_->IsQuiet()) since = std::chrono::steady_clock::now();
      last = version;
      const TimePoint now = std::chrono::steady_clock::now();
      const bool is_over = depends_on_seconds_ && end && now > *end;
      if (now - since > (is_over ? kQuietAfterEach : quiet)) return;
      std::this_thread::sleep_for(milliseconds(10));
    }
    Differ("it never became quiet");
  }

  std::vector<json::value> Objects() {
    std::vector<json::value> objects;
    for (const std::string& kind : compared_) {
      const store::Resource resource = ResourceOfKind(kind);
      const auto list = Do(store::List{.resource = resource, .selection = {}});
      if (!list) continue;
      for (const store::Object& object : list->items) {
        if (object.namespace_ == kInstallation) continue;
        json::value tree = json::Parse(object.text()).value_or(json::object());
        tree.as_object()["kind"] = resource.kind;
        tree.as_object()["apiVersion"] = resource.ApiVersion();
        objects.push_back(std::move(tree));
      }
    }
    return objects;
  }

  void Check(const json::value& expected) {
    std::map<std::string, json::value> wanted, actual;
    for (const json::value& object : List(expected, "objects"))
      wanted[IdOf(object)] = Normalized(object, {});
    const std::vector<json::value> objects = Objects();
    names_.Match(objects);
    for (const json::value& object : objects) {
      const json::value renamed = Normalized(object, names_.renaming());
      const auto known = wanted.find(IdOf(renamed));
      if (known != wanted.end()) names_.Pair(known->second, object);
    }
    // Again, now that all uids are known.
    for (const json::value& object : objects) {
      const json::value renamed = Normalized(object, names_.renaming());
      actual[IdOf(renamed)] = renamed;
    }
    for (const auto& [id, object] : wanted) {
      const auto found = actual.find(id);
      if (found == actual.end()) {
        Differ(id + " is missing");
        continue;
      }
      ForgiveReasonOfUnevaluated(object, found->second);
      for (const std::string& line : Differences(object, found->second))
        if (!IsIntended(expected, id, line)) Differ(id + ": " + line);
    }
    for (const auto& [id, object] : actual)
      if (!wanted.contains(id)) Differ(id + " is there, and should not be");
    CheckEvents(expected);
  }

  std::string EventText(std::string_view type, std::string_view reason, std::string_view kind,
                        std::string_view name, std::string_view controller) const {
    const auto group = groups_.find(std::string(name));
    const bool is_of_group =
        kind == "Pod" && group != groups_.end() &&
        std::ranges::find(kEventsOfGroups, reason) != std::end(kEventsOfGroups);
    const std::string subject = is_of_group          ? "of group " + group->second
                                : kind == "Workload" ? names_.WithoutUnknownHash(name)
                                                     : std::string(name);
    return std::string(type) + " " + std::string(reason) + " about " + std::string(kind) + " " +
           subject + " by " + std::string(controller);
  }

  void CheckEvents(const json::value& expected) {
    std::set<std::string> wanted, actual;
    for (const json::value& event : List(expected, "events"))
      wanted.insert(EventText(Text(event, "type"), Text(event, "reason"), Text(event, "kind"),
                              Text(event, "name"), Text(event, "reportingController")));
    const auto list =
        Do(store::List{.resource = store::ResourceOf<api::EventsV1Event>(), .selection = {}});
    if (!list) return Differ("Events cannot be listed: " + store::ToString(list.error()));
    for (const store::Object& object : list->items) {
      if (!seen_events_.insert(object.uid).second) continue;
      const json::value event =
          Normalized(json::Parse(object.text()).value_or(json::object()), names_.renaming());
      const std::string text = EventText(
          Text(event, "type"), Text(event, "reason"), json::StringAt(event, {"regarding", "kind"}),
          json::StringAt(event, {"regarding", "name"}), Text(event, "reportingController"));
      actual.insert(text);
      seen_.insert(text);
    }
    // A repeated Event may be missing on either side.
    for (const std::string& text : wanted)
      if (!actual.contains(text) && !seen_.contains(text)) Differ("no Event " + text);
    for (const std::string& text : actual)
      if (!wanted.contains(text) && !recorded_.contains(text) && !text.starts_with(kOptionalEvent))
        Differ("unexpected Event " + text);
    recorded_.insert(wanted.begin(), wanted.end());
  }

  const json::value& recording_;
  std::unique_ptr<TestEnvironment> cluster_;
  std::string place_ = "start";
  size_t step_ = 0;
  RecordedNames names_;
  std::set<std::string, std::less<>> compared_;  // kinds
  std::map<std::string, std::string> groups_;    // of pods, by name
  std::set<std::string> seen_events_;
  std::set<std::string> seen_, recorded_;
  std::time_t last_creation_ = 0;
  TimePoint step_end_;  // end of this step in the recording
  bool depends_on_seconds_ = false;
  bool was_late_ = false;
  std::vector<std::string> differences_;
};

}  // namespace

PlayedLifecycle PlayLifecycle(const json::value& recording) { return Player(recording).Play(); }

}  // namespace berth::embedded::testing
