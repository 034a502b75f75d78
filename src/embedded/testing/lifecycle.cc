#include "embedded/testing/lifecycle.h"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <optional>
#include <set>
#include <thread>
#include <utility>

#include "api/batch/job.h"
#include "api/config/configuration.h"
#include "api/core/events_v1_event.h"
#include "api/core/namespace.h"
#include "api/kueue/admission_check.h"
#include "api/kueue/cluster_queue.h"
#include "api/kueue/cohort.h"
#include "api/kueue/local_queue.h"
#include "api/kueue/resource_flavor.h"
#include "api/kueue/workload.h"
#include "api/meta/registry.h"
#include "base/time.h"
#include "embedded/testing/environment.h"
#include "embedded/testing/normal_form.h"
#include "schema/decode.h"
#include "store/system_time.h"
#include "store/wait_for.h"

namespace berth::embedded::testing {
namespace {

using std::chrono::milliseconds;
using TimePoint = std::chrono::steady_clock::time_point;

constexpr base::Duration kAnswerLimit = base::Duration::Seconds(20);
constexpr milliseconds kQuietAfterEach{100};
// A step that is later than this no longer corresponds to the recording.
constexpr milliseconds kLateness{1000};

std::vector<store::Resource> ComparedKinds() {
  return {store::ResourceOf<api::Job>(),           store::ResourceOf<api::Workload>(),
          store::ResourceOf<api::ClusterQueue>(),  store::ResourceOf<api::LocalQueue>(),
          store::ResourceOf<api::Cohort>(),        store::ResourceOf<api::ResourceFlavor>(),
          store::ResourceOf<api::AdmissionCheck>()};
}

std::string_view Text(const json::value& value, std::string_view key) {
  return json::StringAt(value, {key});
}

std::string IdOf(const json::value& object) {
  const std::string_view space = json::StringAt(object, {"metadata", "namespace"});
  return std::string(Text(object, "kind")) + " " + (space.empty() ? "" : std::string(space) + "/") +
         std::string(json::StringAt(object, {"metadata", "name"}));
}

// The job that owns a Workload; "" if none.
std::string OwnerOf(const json::value& workload) {
  const json::value* owners = json::Find(workload, {"metadata", "ownerReferences"});
  if (owners == nullptr || !owners->is_array() || owners->get_array().empty()) return "";
  return std::string(Text(owners->get_array()[0], "name"));
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
    for (const json::value& step : List(recording_, "steps"))
      for (const json::value& operation : List(step, "do"))
        depends_on_seconds_ |= Text(operation, "op") == "sleep";
    for (const json::value& object : List(recording_, "setup")) MustBeDone(Create(object));
    AwaitIdle();
    if (const json::value* after = json::Find(recording_, {"afterSetup"})) {
      place_ = "setup";
      LearnNames(*after);
      Check(*after);
    }
    int number = 0;
    for (const json::value& step : List(recording_, "steps")) {
      place_ = "step " + std::to_string(number++);
      LearnNames(step);
      step_end_ = std::chrono::steady_clock::now() + DurationOf(step);
      for (const json::value& operation : List(step, "do")) Perform(operation);
      AwaitIdle(Quiet(), step_end_);
      was_late_ |= depends_on_seconds_ && std::chrono::steady_clock::now() > step_end_ + kLateness;
      Check(step);
    }
  }

  // The expected duration of the step if all its operations were instantaneous.
  milliseconds DurationOf(const json::value& step) const {
    milliseconds sum = Quiet();
    for (const json::value& operation : List(step, "do")) {
      const std::string_view op = Text(operation, "op");
      sum += op == "sleep" ? SleepOf(operation) : op == "quiet" ? Quiet() : kQuietAfterEach;
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
    options.configuration = std::move(*configuration);
    options.nodes.reset();
    // Behind a feature gate in Berth, but not in Kueue.
    if (json::Find(recording_, {"configuration", "resources", "quotaCheckStrategy"}) != nullptr)
      options.gates.Set(api::Gate::kQuotaCheck, true);
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
    MustBeDone(Do(store::Patch{.resource = store::ResourceOf<api::Namespace>(),
                               .namespace_ = "",
                               .name = std::string(name),
                               .subresource = "",
                               .type = store::PatchType::kApply,
                               .body = R"({"apiVersion": "v1", "kind": "Namespace", "metadata":
                                   {"name": ")" +
                                       std::string(name) + R"(", "labels": {)" +
                                       std::string(labels) + "}}}",
                               .is_forced = true,
                               .options = {.field_manager = "recording"}}));
  }

  store::Outcome<store::Reply> Do(store::Call call) {
    return store::WaitFor(cluster_->store(), std::move(call), kAnswerLimit);
  }

  static store::Resource ResourceNamed(std::string_view kind) {
    for (const store::Resource& resource : ComparedKinds())
      if (resource.kind == kind) return resource;
    for (const schema::Kind* known : api::AllKinds())
      if (known->kind == kind) return store::ResourceOf(*known);
    return {};
  }

  // --- Operations -------------------------------------------------------------------------------

  store::Outcome<store::Reply> Create(const json::value& object) {
    if (Text(object, "kind") == "Job") AwaitNextSecond();
    return Do(
        store::Create{.resource = ResourceNamed(Text(object, "kind")),
                      .namespace_ = std::string(json::StringAt(object, {"metadata", "namespace"})),
                      .object = WithActualUids(WithTimes(object)),
                      .options = {}});
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

  // The recording refers to owners by placeholders.
  std::string WithActualUids(std::string text) const {
    for (const auto& [actual, expected] : renaming_) {
      const std::string quoted = "\"" + expected + "\"";
      for (size_t at = 0; (at = text.find(quoted, at)) != text.npos;)
        text.replace(at, quoted.size(), "\"" + actual + "\"");
    }
    return text;
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
  static std::string WithTimes(json::value value) {
    AddMessages(value);
    std::string text = json::Print(value);
    const std::string time = "\"" + base::FormatTime(store::SystemTime()) + "\"";
    for (size_t at = 0; (at = text.find("\"T\"", at)) != text.npos;) text.replace(at, 3, time);
    return text;
  }

  // The actual name for one of the recording.
  std::string ActualName(std::string_view name) {
    Rename();
    for (const auto& [actual, expected] : renaming_)
      if (expected == name) return actual;
    return std::string(name);
  }

  store::Outcome<store::Reply> Patch(const json::value& operation) {
    json::value body = *json::Find(operation, {"patch"});
    const std::string name = ActualName(Text(operation, "name"));
    const store::Resource resource = ResourceNamed(Text(operation, "kind"));
    if (HasStartTime(resource, operation, name))
      if (json::value* status = json::Find(body, {"status"}))
        status->get_object().erase("startTime");
    return Do(store::Patch{.resource = resource,
                           .namespace_ = std::string(Text(operation, "namespace")),
                           .name = name,
                           .subresource = std::string(Text(operation, "subresource")),
                           .type = store::PatchType::kMerge,
                           .body = WithTimes(body),
                           .is_forced = false,
                           .options = {}});
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
    return Do(store::Patch{.resource = resource,
                           .namespace_ = space,
                           .name = name,
                           .subresource = "status",
                           .type = store::PatchType::kMerge,
                           .body = WithTimes(patch),
                           .is_forced = false,
                           .options = {}});
  }

  void Perform(const json::value& operation) {
    const std::string_view op = Text(operation, "op");
    if (op == "quiet") return AwaitIdle();
    if (op == "sleep") return std::this_thread::sleep_for(SleepOf(operation));
    const store::Outcome<store::Reply> outcome =
        op == "create"  ? Create(*json::Find(operation, {"object"}))
        : op == "patch" ? Patch(operation)
        : op == "setCheck"
            ? SetCheck(operation)
            : Do(store::Delete{.resource = ResourceNamed(Text(operation, "kind")),
                               .namespace_ = std::string(Text(operation, "namespace")),
                               .name = ActualName(Text(operation, "name")),
                               .options = {.propagation = store::Propagation::kBackground}});
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
    for (const store::Resource& resource : ComparedKinds()) {
      const auto list = Do(store::List{.resource = resource, .selection = {}});
      if (!list) continue;
      for (const store::Object& object : list->items) {
        json::value tree = json::Parse(object.text()).value_or(json::object());
        tree.as_object()["kind"] = resource.kind;
        tree.as_object()["apiVersion"] = resource.ApiVersion();
        objects.push_back(std::move(tree));
      }
    }
    return objects;
  }

  // Workload names end in a hash of a uid, so they are matched by job.
  void Rename() {
    for (const json::value& object : Objects()) {
      if (Text(object, "kind") != "Workload") continue;
      const std::string key =
          std::string(json::StringAt(object, {"metadata", "namespace"})) + "/" + OwnerOf(object);
      const std::string name(json::StringAt(object, {"metadata", "name"}));
      const auto expected = expected_names_.find(key);
      if (!OwnerOf(object).empty() && expected != expected_names_.end() && name != expected->second)
        renaming_[name] = expected->second;
    }
  }

  void LearnNames(const json::value& expected) {
    for (const json::value& object : List(expected, "objects"))
      if (Text(object, "kind") == "Workload" && !OwnerOf(object).empty())
        expected_names_[std::string(json::StringAt(object, {"metadata", "namespace"})) + "/" +
                        OwnerOf(object)] =
            std::string(json::StringAt(object, {"metadata", "name"}));
  }

  void Check(const json::value& expected) {
    Rename();
    std::map<std::string, json::value> wanted, actual;
    for (const json::value& object : List(expected, "objects"))
      wanted[IdOf(object)] = Normalized(object, {});
    const std::vector<json::value> objects = Objects();
    for (const json::value& object : objects) {
      const json::value renamed = Normalized(object, renaming_);
      actual[IdOf(renamed)] = renamed;
      const auto known = wanted.find(IdOf(renamed));
      if (known != wanted.end())
        renaming_[std::string(json::StringAt(object, {"metadata", "uid"}))] =
            std::string(json::StringAt(known->second, {"metadata", "uid"}));
    }
    // Again, now that all uids are known.
    for (const json::value& object : objects) {
      const json::value renamed = Normalized(object, renaming_);
      actual[IdOf(renamed)] = renamed;
    }
    for (const auto& [id, object] : wanted) {
      const auto found = actual.find(id);
      if (found == actual.end()) {
        Differ(id + " is missing");
        continue;
      }
      for (const std::string& line : Differences(object, found->second)) Differ(id + ": " + line);
    }
    for (const auto& [id, object] : actual)
      if (!wanted.contains(id)) Differ(id + " is there, and should not be");
    CheckEvents(expected);
  }

  static std::string EventText(std::string_view type, std::string_view reason,
                               std::string_view kind, std::string_view name,
                               std::string_view controller) {
    return std::string(type) + " " + std::string(reason) + " about " + std::string(kind) + " " +
           std::string(name) + " by " + std::string(controller);
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
          Normalized(json::Parse(object.text()).value_or(json::object()), renaming_);
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
      if (!wanted.contains(text) && !recorded_.contains(text)) Differ("unexpected Event " + text);
    recorded_.insert(wanted.begin(), wanted.end());
  }

  const json::value& recording_;
  std::unique_ptr<TestEnvironment> cluster_;
  std::string place_ = "start";
  Renaming renaming_;
  std::map<std::string, std::string> expected_names_;  // of Workloads, by namespace and job
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
