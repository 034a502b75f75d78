#include "jobs/integration_set.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <set>

#include "api/config/integration_names.h"
#include "api/meta/problem_report.h"
#include "api/meta/source.h"
#include "base/check.h"
#include "jobs/kinds/app_wrapper.h"
#include "jobs/kinds/batch_job.h"
#include "jobs/kinds/deployment.h"
#include "jobs/kinds/job_set.h"
#include "jobs/kinds/kubeflow_job.h"
#include "jobs/kinds/leader_worker_set.h"
#include "jobs/kinds/pod.h"
#include "jobs/kinds/ray_cluster.h"
#include "jobs/kinds/ray_job.h"
#include "jobs/kinds/ray_service.h"
#include "jobs/kinds/spark_application.h"
#include "jobs/kinds/stateful_set.h"
#include "jobs/kinds/train_job.h"
#include "json/path.h"
#include "schema/decode.h"
#include "schema/validate.h"
#include "schema/yaml/to_json.h"
#include "store/read_file.h"

namespace berth::jobs {
namespace {

// In the order of Kueue's frameworks.
std::vector<std::string> BuiltInDescriptions() {
  using namespace kinds;
  return {
      std::string(kBatchJob),
      DescribeKubeflowJob(kMpiJob),
      std::string(kRayJob),
      std::string(kRayService),
      std::string(kRayCluster),
      std::string(kJobSet),
      DescribeKubeflowJob(kPaddleJob),
      DescribeKubeflowJob(kPyTorchJob),
      DescribeKubeflowJob(kTfJob),
      DescribeKubeflowJob(kXgBoostJob),
      DescribeKubeflowJob(kJaxJob),
      std::string(kTrainJob),
      std::string(kAppWrapper),
      std::string(kSparkApplication),
      std::string(kPod),
      std::string(kDeployment),
      std::string(kStatefulSet),
      std::string(kLeaderWorkerSet),
  };
}

// --- Validation of descriptions -----------------------------------------------------------------

void CheckPath(std::string_view path, std::string_view field, api::ProblemReport& report) {
  if (json::Path::Parse(path)) return;
  report.Invalid(field, api::Quoted(path) + " is not a path",
                 "write fields with dots between them, such as spec.template, keys with dots and "
                 "indices in brackets");
}

void CheckPaths(const std::vector<std::string>& paths, std::string_view field,
                api::ProblemReport& report) {
  for (size_t i = 0; i < paths.size(); ++i) {
    const auto at = report.In(field, i);
    CheckPath(paths[i], "", report);
  }
}

void CheckTests(const std::vector<Test>& tests, std::string_view field,
                api::ProblemReport& report) {
  for (size_t i = 0; i < tests.size(); ++i) {
    const auto at = report.In(field, i);
    const Test& test = tests[i];
    CheckPath(test.path, "path", report);
    CheckPath(test.each, "each", report);
    if (test.condition.empty() && test.path.empty()) {
      report.Required("path", "must be set", "write a path, or a condition's type");
    } else if (!test.condition.empty() && !(test.path.empty() && test.each.empty())) {
      report.Forbidden("path", "must not be combined with `condition`", "split it into two tests");
    }
  }
}

void CheckSum(const std::optional<SumRule>& sum, std::string_view field,
              api::ProblemReport& report) {
  if (!sum) return;
  const auto in = report.In(field);
  CheckPath(sum->each, "each", report);
  CheckPaths(sum->add, "add", report);
}

void CheckCounts(const PodSetRule& rule, api::ProblemReport& report) {
  for (size_t i = 0; i < rule.count.size(); ++i) {
    const auto at = report.In("count", i);
    CheckPath(rule.count[i].path, "path", report);
    CheckPath(rule.count[i].at_most, "atMost", report);
  }
  for (size_t i = 0; i < rule.partial_count.size(); ++i) {
    const auto at = report.In("partialCount", i);
    CheckPath(rule.partial_count[i].path, "path", report);
    CheckPath(rule.partial_count[i].only_if, "onlyIf", report);
  }
  if (!rule.min_count.empty() && rule.partial_count.empty()) {
    report.Required("partialCount", "must be set for minCount",
                    "write the path of the field that holds their number");
  }
}

void CheckPodSet(const PodSetRule& rule, api::ProblemReport& report) {
  CheckTests(rule.when, "when", report);
  CheckPath(rule.each, "each", report);
  CheckPath(rule.template_, "template", report);
  CheckPath(rule.name_path, "namePath", report);
  CheckPath(rule.min_count, "minCount", report);
  CheckPath(rule.sub_group_count, "subGroupCount", report);
  if (rule.name.empty() == rule.name_path.empty()) {
    report.Required("name", "or namePath, exactly one of them, must name the pod set",
                    "write a name or the path of one");
  }
  if (!rule.each.empty() && rule.name_path.empty())
    report.Required("namePath", "must be set with `each`", "write the path of the names");
  CheckCounts(rule, report);
}

void CheckStatus(const Integration& integration, api::ProblemReport& report) {
  CheckTests(integration.active, "active", report);
  CheckTests(integration.skip, "skip", report);
  CheckTests(integration.on_hold, "onHold", report);
  for (size_t i = 0; i < integration.finished.size(); ++i) {
    const auto at = report.In("finished", i);
    CheckTests(integration.finished[i].when, "when", report);
    CheckPath(integration.finished[i].message_path, "messagePath", report);
  }
  if (integration.reclaimable) {
    const auto in = report.In("reclaimable");
    CheckPath(integration.reclaimable->statuses, "statuses", report);
    CheckPath(integration.reclaimable->name, "name", report);
    CheckPath(integration.reclaimable->succeeded, "succeeded", report);
  }
  const auto in = report.In("ready");
  CheckTests(integration.ready.when, "when", report);
  CheckSum(integration.ready.counted, "counted", report);
  CheckSum(integration.ready.wanted, "wanted", report);
}

void CheckKind(const Integration& integration, api::ProblemReport& report) {
  const size_t slash = integration.api_version.find('/');
  if (integration.api_version.empty() || slash == 0 || slash + 1 == integration.api_version.size())
    report.Invalid("apiVersion", "is not a group and version", "write it as group.com/v1");
  for (const auto& [value, field] :
       {std::pair(&integration.framework, "framework"), std::pair(&integration.kind, "kind"),
        std::pair(&integration.plural, "plural")}) {
    if (value->empty()) report.Required(field, "must not be empty");
  }
  if (integration.suspension == kSuspendedByFlag && integration.suspend.empty()) {
    report.Required("suspend", "must be set", "write the path of a boolean such as spec.suspend");
  }
  CheckPath(integration.suspend, "suspend", report);
  const bool is_ray =
      integration.derives == kDerivesRayCluster || integration.derives == kDerivesRayJob;
  if (is_ray && integration.ray_cluster.empty()) {
    report.Required("rayCluster", "must be set for Ray kinds",
                    "write a path such as spec.rayClusterSpec");
  }
  if (integration.pod_sets.empty() && integration.derives.empty())
    report.Required("podSets", "must not be empty", "write at least one");
}

void Check(const Integration& integration, api::ProblemReport& report) {
  CheckKind(integration, report);
  for (size_t i = 0; i < integration.pod_sets.size(); ++i) {
    const auto at = report.In("podSets", i);
    CheckPodSet(integration.pod_sets[i], report);
  }
  CheckStatus(integration, report);
  CheckPaths(integration.priority_class, "priorityClass", report);
  CheckPath(integration.reset_on_stop, "resetOnStop", report);
  CheckPath(integration.ray_cluster, "rayCluster", report);
  if (integration.managed_by) CheckPath(integration.managed_by->path, "managedBy.path", report);
}

// --- Reading -----------------------------------------------------------------------------------

void AddPlaced(schema::Problems problems, const api::Source& source, schema::Problems& all) {
  const api::Locator locator(source);
  for (schema::Problem& problem : problems) {
    if (problem.place.line == 0) problem.place = locator.Find(problem.field);
    all.push_back(std::move(problem));
  }
}

schema::Problems Read(schema::YamlDocument document, std::string_view file,
                      Integration& integration) {
  api::Source source{
      .file = std::string(file), .json = std::move(document.json), .map = std::move(document.map)};
  schema::Problems all;
  schema::Decoder decoder;
  AddPlaced(decoder.Decode(source.json, Integration::Description(), &integration,
                           {.is_strict = true, .file = file, .source_map = &*source.map}),
            source, all);
  if (!all.empty()) return all;
  AddPlaced(schema::Validate(integration), source, all);
  api::ProblemReport report;
  Check(integration, report);
  AddPlaced(std::move(report).Take(), source, all);
  return all;
}

schema::Problem Unreadable(const std::string& file, std::string message, std::string hint) {
  return {.type = schema::ProblemType::kNotFound,
          .field = {},
          .message = std::move(message),
          .hint = std::move(hint),
          .place = {.file = file}};
}

bool IsDescriptionFile(const std::filesystem::path& path) {
  const std::string extension = path.extension().string();
  return extension == ".yaml" || extension == ".yml" || extension == ".json";
}

}  // namespace

const IntegrationSet& IntegrationSet::BuiltIn() {
  static const IntegrationSet kSet = [] {
    IntegrationSet set;
    for (const std::string& text : BuiltInDescriptions()) CHECK(set.Add(text, "built-in").empty());
    return set;
  }();
  return kSet;
}

schema::Problems IntegrationSet::Add(std::string_view text, std::string_view file) {
  auto documents = schema::YamlToJson(text, {.file = std::string(file)});
  if (!documents) {
    return {{.type = schema::ProblemType::kSyntax,
             .field = {},
             .message = documents.error().message,
             .hint = documents.error().hint,
             .place = documents.error().place}};
  }
  IntegrationSet added;
  schema::Problems problems;
  for (schema::YamlDocument& document : *documents) {
    Integration integration;
    const int line = document.line;
    schema::Problems found = Read(std::move(document), file, integration);
    const auto is_taken = [&](const IntegrationSet& set) {
      return set.FindFramework(integration.framework) != nullptr ||
             set.Find(integration.api_version, integration.kind) != nullptr;
    };
    if (found.empty() && (is_taken(*this) || is_taken(added))) {
      found.push_back({.type = schema::ProblemType::kDuplicate,
                       .field = "framework",
                       .message = "there is a description of " +
                                  api::Quoted(integration.framework) + " or of " +
                                  integration.kind + " already",
                       .hint = "remove one of the two",
                       .place = {.file = std::string(file), .line = line}});
    }
    std::ranges::move(found, std::back_inserter(problems));
    added.all_.push_back(std::move(integration));
  }
  if (problems.empty()) std::ranges::move(added.all_, std::back_inserter(all_));
  return problems;
}

schema::Problems IntegrationSet::AddDirectory(const std::string& directory) {
  std::error_code error;
  std::set<std::filesystem::path> files;
  for (std::filesystem::directory_iterator it(directory, error), end; !error && it != end;
       it.increment(error)) {
    if (IsDescriptionFile(it->path())) files.insert(it->path());
  }
  if (error)
    return {Unreadable(directory, "cannot read this directory: " + error.message(),
                       "name a directory with descriptions of job kinds, files *.yaml")};
  schema::Problems problems;
  for (const std::filesystem::path& path : files) {
    const auto text = store::ReadFile(path);
    if (!text) {
      problems.push_back(Unreadable("", text.error().message, text.error().hint));
      continue;
    }
    std::ranges::move(Add(*text, path.string()), std::back_inserter(problems));
  }
  return problems;
}

const Integration* IntegrationSet::Find(std::string_view api_version, std::string_view kind) const {
  const auto found = std::ranges::find_if(all_, [&](const Integration& integration) {
    return integration.kind == kind && integration.group() == GroupOf(api_version);
  });
  return found == all_.end() ? nullptr : &*found;
}

const Integration* IntegrationSet::FindFramework(std::string_view framework) const {
  const auto found = std::ranges::find(all_, framework, &Integration::framework);
  return found == all_.end() ? nullptr : &*found;
}

std::vector<ManagedJobsPolicy::Kind> IntegrationSet::AddedKinds() const {
  std::vector<ManagedJobsPolicy::Kind> kinds;
  for (const Integration& integration : all_) {
    if (api::FindIntegration(integration.framework) != nullptr) continue;
    kinds.push_back({.group = std::string(integration.group()), .kind = integration.kind});
  }
  return kinds;
}

}  // namespace berth::jobs
