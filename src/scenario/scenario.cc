#include "scenario/scenario.h"

#include <algorithm>
#include <map>
#include <set>
#include <span>

#include "api/config/configuration_rules.h"
#include "api/kueue/rules/cluster_queue_rules.h"
#include "api/kueue/rules/cohort_rules.h"
#include "api/kueue/rules/resource_flavor_rules.h"
#include "api/kueue/rules/workload_rules.h"
#include "api/kueue/well_known.h"
#include "api/kueue/workload.h"
#include "api/meta/problem_report.h"
#include "api/meta/registry.h"
#include "api/meta/source.h"
#include "base/suggest.h"
#include "jobs/integration_set.h"
#include "jobs/managed_reason.h"
#include "jobs/rules/job_rules.h"
#include "objects/stored_object.h"
#include "scenario/scenario_file.h"
#include "schema/decode.h"
#include "schema/json/index.h"
#include "schema/json/walk.h"
#include "schema/validate.h"
#include "schema/yaml/to_json.h"
#include "workload/convert/convert_workload.h"

namespace berth::scenario {
namespace {

using schema::Problem;
using schema::Problems;
using schema::ProblemType;

std::string_view Trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t\r\n");
  return first == std::string_view::npos ? std::string_view() : text.substr(first);
}

// Converts the text to JSON, with a map back to its lines.
std::expected<api::Source, Problem> ToSource(std::string_view text, const std::string& file) {
  if (Trimmed(text).starts_with('{'))
    return api::Source{.file = file, .json = std::string(text), .map = {}};
  base::Result<std::vector<schema::YamlDocument>> documents =
      schema::YamlToJson(text, {.file = file});
  if (!documents) {
    return std::unexpected(Problem{.type = ProblemType::kSyntax,
                                   .field = {},
                                   .message = documents.error().message,
                                   .hint = documents.error().hint,
                                   .place = documents.error().place});
  }
  if (documents->size() != 1) {
    const bool is_empty = documents->empty();
    return std::unexpected(Problem{
        .type = ProblemType::kInvalid,
        .field = {},
        .message = is_empty ? "file is empty" : "a scenario file is one document, this has several",
        .hint = is_empty ? "a scenario has objects: and want:"
                         : "put the objects of the scenario under objects:, and other "
                           "scenarios into files of their own",
        .place = {file, is_empty ? 1 : (*documents)[1].line, 1}});
  }
  schema::YamlDocument& document = documents->front();
  return api::Source{
      .file = file, .json = std::move(document.json), .map = std::move(document.map)};
}

// Reads one file.
class ScenarioReader {
 public:
  explicit ScenarioReader(api::Source source) : source_(std::move(source)) {}

  ScenarioResult Read() {
    ScenarioFile file;
    problems_ = decoder_.Decode(source_.json, ScenarioFile::Description(), &file, Options(source_));
    // Expected objects may lack required fields, as stored ones may.
    std::erase_if(problems_, [](const Problem& p) {
      return p.type == ProblemType::kRequired && p.field.starts_with("want.");
    });
    PlaceInFile(problems_, source_);
    if (!problems_.empty()) return std::unexpected(std::move(problems_));
    for (Problem& problem : schema::Validate(file)) {
      // Objects that break rules may still have a `want`.
      const bool is_wanted = problem.field.find("want.") != std::string::npos;
      if (!is_wanted) Report(std::move(problem));
    }
    index_.Build(source_.json);

    Scenario scenario{.name = file.name,
                      .about = file.about,
                      .configuration = {},
                      .gates = {},
                      .steps = {},
                      .warnings = {}};
    if (file.now) scenario.now = *file.now;
    ReadConfiguration(scenario);
    const base::Time start = scenario.now;
    Step& first = scenario.steps.emplace_back();
    ReadObjects(ListAt(0, "objects"), "objects", first);
    first.cycles = file.cycles;
    first.want = std::move(file.want);
    const std::vector<size_t> steps = ListAt(0, "steps");
    for (size_t i = 0; i < steps.size(); ++i)
      scenario.steps.push_back(ReadStep(file.steps[i], steps[i], i, start));
    CheckOrder(scenario);
    CheckWants(scenario);
    WarnOfConfiguration(scenario);
    SeparateUids(scenario);
    if (!problems_.empty()) return std::unexpected(std::move(problems_));
    scenario.warnings = std::move(warnings_);
    return scenario;
  }

 private:
  static schema::DecodeOptions Options(const api::Source& source, bool is_previous = false) {
    return {.is_strict = true,
            .is_previous = is_previous,
            .file = source.file,
            .source_map = source.map ? &*source.map : nullptr};
  }

  // Maps a place in a decoded fragment of JSON to the file.
  static void PlaceInFile(Problems& problems, const api::Source& source) {
    if (source.map) return;
    for (Problem& problem : problems) {
      if (problem.place.line == 1) problem.place.column += source.start.column - 1;
      problem.place.line += source.start.line - 1;
    }
  }

  void Report(Problem problem) {
    if (problem.place == base::Place{}) problem.place = api::Locate(source_, problem.field);
    problems_.push_back(std::move(problem));
  }

  void Invalid(std::string field, std::string message, std::string hint = {}) {
    Report({.type = ProblemType::kInvalid,
            .field = std::move(field),
            .message = std::move(message),
            .hint = std::move(hint),
            .place = {}});
  }

  std::optional<size_t> MemberAt(size_t object, std::string_view name) const {
    std::optional<size_t> found;
    const std::string key = "\"" + std::string(name) + "\"";
    schema::WalkObject(index_, object, [&](size_t k, size_t value) {
      if (index_.token(k) == key) found = value;
    });
    return found;
  }

  // The tokens of a list's elements. Null and absent are an empty list.
  std::vector<size_t> ListAt(size_t object, std::string_view name) const {
    std::vector<size_t> elements;
    const std::optional<size_t> list = MemberAt(object, name);
    if (list && index_.first(*list) == '[')
      schema::WalkList(index_, *list, [&](size_t value) { elements.push_back(value); });
    return elements;
  }

  // The fragment of the file with this value.
  api::Source SourceOf(size_t token) const {
    const size_t begin = index_.offset(token);
    const std::string_view text = schema::ValueText(index_, token);
    api::Source cut{.file = source_.file, .json = std::string(text), .map = {}};
    if (source_.map) {
      cut.map.emplace().AddMoved(*source_.map, begin, begin + text.size(), 0);
    } else {
      cut.start = schema::PositionInText(source_.json, begin);
    }
    return cut;
  }

  void ReadConfiguration(Scenario& scenario) {
    if (const std::optional<size_t> token = MemberAt(0, "configuration")) {
      if (index_.token(*token) != "null") {
        const std::string version = TextOf(*token, "apiVersion");
        const bool is_previous =
            !version.empty() && api::FindKind(version, "Configuration").is_previous;
        DecodeInto(SourceOf(*token), api::Configuration::KindInfo(), &scenario.configuration,
                   "configuration", is_previous);
      }
    }
    const api::FeatureGatesResult gates =
        api::ReadFeatureGates(scenario.configuration.feature_gates);
    if (gates) {
      scenario.gates = gates_ = *gates;
    } else {
      for (Problem problem : gates.error()) {
        problem.field = problem.field.starts_with("featureGates") ? "configuration." + problem.field
                                                                  : "configuration.featureGates";
        problem.place = {};
        Report(std::move(problem));
      }
    }
    api::ApplyConfigurationDefaults(scenario.configuration);
  }

  std::string TextOf(size_t object, std::string_view name) const {
    const std::optional<size_t> value = MemberAt(object, name);
    if (!value) return {};
    return schema::UnescapeJsonString(index_.token(*value)).value_or("");
  }

  void DecodeInto(const api::Source& source, const schema::Kind& kind, void* out,
                  std::string_view path, bool is_previous) {
    Problems found = decoder_.Decode(source.json, kind, out, Options(source, is_previous));
    std::erase_if(found, IsOptional);
    PlaceInFile(found, source);
    for (Problem& problem : found) {
      problem.field = std::string(path) + (problem.field.empty() ? "" : ".") + problem.field;
      problems_.push_back(std::move(problem));
    }
  }

  // Scenarios may omit apiVersion and kind of the Configuration, and required fields of statuses.
  static bool IsOptional(const Problem& problem) {
    return problem.type == ProblemType::kRequired &&
           (problem.field == "apiVersion" || problem.field == "kind" ||
            problem.field.starts_with("status."));
  }

  void ReadObjects(const std::vector<size_t>& tokens, const std::string& path, Step& step) {
    std::set<std::string> seen;
    for (size_t i = 0; i < tokens.size(); ++i) {
      const std::string at = path + "[" + std::to_string(i) + "]";
      const std::optional<std::string> name = ReadObject(tokens[i], at, step);
      if (name && !seen.insert(*name).second)
        Invalid(at, *name + " is listed twice", "remove one of them");
    }
  }

  // Adds an object to the step and returns its name.
  std::optional<std::string> ReadObject(size_t token, const std::string& path, Step& step) {
    const std::string version =
        index_.first(token) == '{' ? TextOf(token, "apiVersion") : std::string();
    const std::string kind = index_.first(token) == '{' ? TextOf(token, "kind") : std::string();
    if (version.empty() || kind.empty()) {
      Invalid(path, "an object has apiVersion and kind", "as in every manifest");
      return std::nullopt;
    }
    const bool is_job = jobs::IntegrationSet::BuiltIn().Find(version, kind) != nullptr;
    const api::FoundKind found = api::FindKind(version, kind);
    if (!found && (is_job || IsForeignKind(version, kind)))
      return AddJob(version, kind, schema::ValueText(index_, token), path, step);
    if (!found) {
      Invalid(path + ".kind", "unknown kind " + api::Quoted(kind) + " in " + version,
              base::DidYouMean(kind, KnownKinds()));
      return std::nullopt;
    }
    api::Object object(*found.kind);
    const size_t before = problems_.size();
    DecodeInto(SourceOf(token), *found.kind, object.value(), path, found.is_previous);
    if (problems_.size() > before) return std::nullopt;
    std::string name = Complete(object, path);
    if (is_job) return AddJob(version, kind, object.Encode(), path, step);
    step.apply.push_back(std::move(object));
    return name;
  }

  std::optional<std::string> AddJob(const std::string& version, const std::string& kind,
                                    std::string_view json, const std::string& path, Step& step) {
    base::Result<AnyObject> job = ReadAnyObject(version, kind, json);
    if (!job) {
      Invalid(path, job.error().message, job.error().hint);
      return std::nullopt;
    }
    if (job->metadata.name.empty()) Invalid(path + ".metadata.name", "an object needs a name");
    ValidateJob(*job, path);
    foreign_kinds_.insert(kind);
    return NameOf(step.jobs.emplace_back(*std::move(job)));
  }

  void ValidateJob(const AnyObject& job, const std::string& path) {
    const jobs::Integration* integration =
        jobs::IntegrationSet::BuiltIn().Find(job.api_version, job.kind);
    if (integration == nullptr) return;
    Warn(jobs::ValidateJobCreate(*integration, job.tree,
                                 {.gates = gates_,
                                  .has_default_queue = false,
                                  .pod_sets = jobs::PodSetOptions::From(gates_)}),
         path);
  }

  // Completes the object as an API server would, and returns its name.
  std::string Complete(api::Object& object, const std::string& path) {
    objects::Complete(object);
    Validate(object, path);
    std::string kind(object.kind().kind);
    api::ObjectMeta* metadata = object.metadata();
    if (metadata == nullptr) {
      Invalid(path, kind + " is not an object that a cluster stores", {});
      return kind;
    }
    if (metadata->name.empty()) Invalid(path + ".metadata.name", "an object needs a name");
    if (!object.kind().is_namespaced) return kind + " " + metadata->name;
    if (object.As<api::Workload>() != nullptr) objects::EnsureUid(kind, *metadata);
    return kind + " " + workload::NamespacedName(*metadata);
  }

  // Warns of violations that an API server would reject. The scenario is still played: a cluster
  // may hold objects that are older than a rule.
  void Validate(const api::Object& object, const std::string& path) {
    Problems found = schema::Validate(object.kind().structure(), object.value());
    std::ranges::move(BrokenRules(object), std::back_inserter(found));
    std::erase_if(found, [](const Problem& p) { return p.field.starts_with("status."); });
    Warn(std::move(found), path);
  }

  void Warn(Problems found, const std::string& path) {
    for (Problem& problem : found) {
      problem.field = path + (problem.field.empty() ? "" : ".") + problem.field;
      problem.place = api::Locate(source_, problem.field);
      warnings_.push_back(std::move(problem));
    }
  }

  static Problems BrokenRules(const api::Object& object) {
    if (const auto* queue = object.As<api::ClusterQueue>())
      return api::ValidateClusterQueue(*queue, nullptr, {});
    if (const auto* cohort = object.As<api::Cohort>()) return api::ValidateCohort(*cohort);
    if (const auto* workload = object.As<api::Workload>())
      return api::ValidateWorkload(*workload, nullptr, {});
    if (const auto* flavor = object.As<api::ResourceFlavor>())
      return api::ValidateResourceFlavor(*flavor);
    return {};
  }

  static void SeparateUids(Scenario& scenario) {
    std::vector<api::ObjectMeta*> workloads;
    for (Step& step : scenario.steps)
      for (api::Object& object : step.apply)
        if (object.As<api::Workload>() != nullptr) workloads.push_back(object.metadata());
    objects::SeparateUids(workloads);
  }

  Step ReadStep(const StepFile& file, size_t token, size_t number, base::Time start) {
    const std::string path = "steps[" + std::to_string(number) + "]";
    Step step;
    step.at = ReadMoment(file.at, path + ".at", start);
    step.cycles = file.cycles;
    step.want = file.want;
    ReadObjects(ListAt(token, "apply"), path + ".apply", step);
    for (size_t i = 0; i < file.remove.size(); ++i) {
      const std::string at = path + ".delete[" + std::to_string(i) + "]";
      if (std::optional<ObjectName> name = ReadName(file.remove[i].text, at, nullptr))
        step.remove.push_back(*std::move(name));
    }
    for (size_t i = 0; i < file.finish.size(); ++i) {
      const std::string at = path + ".finish[" + std::to_string(i) + "]";
      const schema::Kind& kind = api::Workload::KindInfo();
      if (std::optional<ObjectName> name = ReadName(file.finish[i].text, at, &kind))
        step.finish.push_back(workload::NamespacedName(name->namespace_, name->name));
    }
    return step;
  }

  std::optional<base::Time> ReadMoment(const std::string& text, const std::string& path,
                                       base::Time start) {
    if (text.empty()) return std::nullopt;
    if (const std::optional<base::Time> time = base::ParseTime(text)) return time;
    if (const std::optional<base::Duration> after = base::ParseDuration(text))
      return start + *after;
    Invalid(path, api::Quoted(text) + " is not a time",
            "write a duration since the start, such as 5m, or a time such as "
            "2025-01-01T00:05:00Z");
    return std::nullopt;
  }

  // "Kind namespace/name", "Kind name" or {kind, namespace, name}. With `implied`, the kind may be
  // omitted.
  std::optional<ObjectName> ReadName(std::string_view json, const std::string& path,
                                     const schema::Kind* implied);

  // Times must not decrease.
  void CheckOrder(const Scenario& scenario) {
    std::optional<base::Time> earliest = scenario.now;
    for (size_t i = 0; i < scenario.steps.size(); ++i) {
      const Step& step = scenario.steps[i];
      if (step.at && earliest && *step.at < *earliest)
        Invalid("steps[" + std::to_string(i - 1) + "].at",
                "is before the end of the previous step's cycles",
                "a cycle takes a second; the earliest is " + base::FormatTime(*earliest));
      if (step.at) earliest = step.at;
      if (earliest) {
        earliest = step.cycles ? *earliest + base::Duration::Seconds(*step.cycles) : *earliest;
      }
    }
  }

  // Reports unknown reasons.
  void CheckWants(const Scenario& scenario) {
    for (size_t i = 0; i < scenario.steps.size(); ++i) {
      if (!scenario.steps[i].want) continue;
      const std::string path = i == 0 ? "" : "steps[" + std::to_string(i - 1) + "].";
      for (const auto& [name, job] : scenario.steps[i].want->jobs) {
        const auto reasons = jobs::AllReasonNames();
        if (!job.reason || std::ranges::find(reasons, *job.reason) != reasons.end()) continue;
        const std::string hint = base::DidYouMean(*job.reason, reasons);
        Invalid(path + "want.jobs[" + name + "].reason",
                "unknown reason " + api::Quoted(*job.reason),
                hint.empty() ? "one of " + Joined(reasons) : hint);
      }
    }
  }

  static std::string Joined(std::span<const std::string_view> words) {
    std::string text;
    for (const std::string_view word : words)
      text += (text.empty() ? "" : ", ") + std::string(word);
    return text;
  }

  // For files without expectations about their Configuration.
  void WarnOfConfiguration(const Scenario& scenario) {
    const bool is_wanted = std::ranges::any_of(
        scenario.steps, [](const Step& s) { return s.want && s.want->configuration_errors; });
    if (!is_wanted)
      Warn(api::ValidateConfiguration(scenario.configuration, scenario.gates), "configuration");
  }

  api::Source source_;
  schema::JsonIndex index_;
  schema::Decoder decoder_;
  api::FeatureGates gates_;
  std::set<std::string, std::less<>> foreign_kinds_;  // of jobs and their owners
  Problems problems_;
  Problems warnings_;
};

const schema::Kind* KindNamed(std::string_view name) {
  const schema::Kind* found = nullptr;
  for (const schema::Kind* kind : api::AllKinds()) {
    if (kind->kind == name && (found == nullptr || kind->group == "kueue.x-k8s.io")) found = kind;
  }
  return found;
}

// "Kind namespace/name", of which kind and namespace may be missing.
NameFile SplitName(std::string_view text) {
  NameFile name;
  const size_t space = text.rfind(' ');
  if (space != std::string_view::npos) {
    name.kind = text.substr(0, space);
    text.remove_prefix(space + 1);
  }
  const size_t slash = text.find('/');
  if (slash != std::string_view::npos) {
    name.namespace_ = text.substr(0, slash);
    text.remove_prefix(slash + 1);
  }
  name.name = text;
  return name;
}

std::optional<ObjectName> ScenarioReader::ReadName(std::string_view json, const std::string& path,
                                                   const schema::Kind* implied) {
  NameFile name;
  if (const std::optional<std::string> text = schema::UnescapeJsonString(json)) {
    name = SplitName(*text);
  } else {
    decoder_.Decode(json, NameFile::Description(), &name, {});
  }
  const schema::Kind* kind = name.kind.empty() ? implied : KindNamed(name.kind);
  const bool is_foreign = kind == nullptr && foreign_kinds_.contains(name.kind);
  if (kind == nullptr && !name.kind.empty() && !is_foreign) {
    Invalid(path, "unknown kind " + api::Quoted(name.kind),
            base::DidYouMean(name.kind, KnownKinds()));
    return std::nullopt;
  }
  if ((kind == nullptr && !is_foreign) || name.name.empty() ||
      (implied != nullptr && kind != implied)) {
    Invalid(path,
            implied != nullptr ? "is not the name of a workload" : "is not the name of an object",
            implied != nullptr ? "write namespace/name" : "write Kind namespace/name");
    return std::nullopt;
  }
  name.namespace_ = std::string(objects::NamespaceOrDefault(name.namespace_));
  return ObjectName{.kind = kind,
                    .kind_name = kind == nullptr ? name.kind : std::string(kind->kind),
                    .namespace_ = name.namespace_,
                    .name = name.name};
}

}  // namespace

ScenarioResult ReadScenario(std::string_view text, const std::string& file) {
  std::expected<api::Source, Problem> source = ToSource(text, file);
  if (!source) return std::unexpected(Problems{std::move(source.error())});
  return ScenarioReader(*std::move(source)).Read();
}

}  // namespace berth::scenario
