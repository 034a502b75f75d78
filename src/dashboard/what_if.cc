#include "dashboard/what_if.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <utility>
#include <vector>

#include "api/kueue/cluster_queue.h"
#include "api/kueue/cohort.h"
#include "api/kueue/resource_flavor.h"
#include "api/kueue/rules/cluster_queue_rules.h"
#include "api/kueue/rules/cohort_rules.h"
#include "api/kueue/rules/resource_flavor_rules.h"
#include "control/read_objects.h"
#include "objects/stored_object.h"
#include "schema/json/writer.h"
#include "schema/validate.h"
#include "simulate/estimate.h"
#include "simulate/load.h"
#include "simulate/plan.h"
#include "store/system_time.h"

namespace berth::dashboard {
namespace {

using http::StatusResponse;

http::Response JsonText(std::string text) {
  return {.headers = {}, .body = http::Share(std::move(text))};
}

http::Response Refusal(int code, std::string_view reason, const base::Error& error) {
  return StatusResponse(code, reason,
                        error.message + (error.hint.empty() ? "" : ": " + error.hint));
}

http::Response Busy() {
  http::Response response =
      StatusResponse(429, "TooManyRequests", "another plan or estimate is being computed");
  response.headers.emplace_back("Retry-After", "2");
  return response;
}

http::Response ProblemResponse(const schema::Problems& problems) {
  schema::JsonWriter w;
  w.BeginObject().Member("kind", "Status").Member("apiVersion", "v1");
  w.Member("status", "Failure").Member("message", "the change is not valid");
  w.Member("reason", "Invalid").Member("code", 422).Key("problems").BeginArray();
  for (const schema::Problem& problem : problems) {
    w.BeginObject();
    if (problem.place.line > 0) w.Member("line", problem.place.line);
    if (problem.place.column > 0) w.Member("column", problem.place.column);
    if (!problem.field.empty()) w.Member("field", problem.field);
    w.Member("message", problem.message);
    if (!problem.hint.empty()) w.Member("hint", problem.hint);
    w.EndObject();
  }
  w.EndArray().EndObject();
  return {.status = 422, .headers = {}, .body = http::Share(w.Take())};
}

bool IsOfPlans(const schema::Kind* kind) {
  static constexpr std::string_view kKinds[] = {"ClusterQueue",   "Cohort",   "LocalQueue",
                                                "ResourceFlavor", "Topology", "Node",
                                                "AdmissionCheck", "Namespace"};
  return kind != nullptr && std::ranges::find(kKinds, kind->kind) != std::end(kKinds);
}

schema::Problems RulesBrokenBy(const api::Object& object, const api::ValidationOptions& rules) {
  schema::Problems problems = schema::Validate(object.kind().structure(), object.value());
  schema::Problems more;
  if (const auto* cohort = object.As<api::Cohort>()) more = api::ValidateCohort(*cohort);
  if (const auto* flavor = object.As<api::ResourceFlavor>())
    more = api::ValidateResourceFlavor(*flavor);
  if (const auto* queue = object.As<api::ClusterQueue>())
    more = api::ValidateClusterQueue(*queue, nullptr, rules);
  problems.insert(problems.end(), more.begin(), more.end());
  return problems;
}

// The output of a plan as JSON, with its text as one more member.
std::string WithText(std::string json, std::string_view text) {
  while (!json.empty() && json.back() != '}') json.pop_back();
  if (json.empty()) return json;
  json.pop_back();
  std::string member;
  schema::AppendJsonString(member, text);
  return json + ",\"text\":" + member + "}";
}

}  // namespace

schema::Problems ProblemsOfChange(const std::vector<api::Manifest>& manifests,
                                  const api::ValidationOptions& rules) {
  schema::Problems all;
  for (const api::Manifest& manifest : manifests) {
    all.insert(all.end(), manifest.problems.begin(), manifest.problems.end());
    if (!manifest.problems.empty()) continue;
    if (!manifest.object || !IsOfPlans(manifest.known)) {
      all.push_back({.message = "a plan cannot change objects of kind " + manifest.kind,
                     .hint = "write ClusterQueues, Cohorts, LocalQueues or ResourceFlavors",
                     .place = api::Locate(manifest.source, "kind")});
      continue;
    }
    for (schema::Problem& problem : RulesBrokenBy(objects::AsStored(*manifest.object), rules)) {
      problem.place = api::Locate(manifest.source, problem.field);
      all.push_back(std::move(problem));
    }
  }
  if (manifests.empty())
    all.push_back({.message = "the change is empty", .hint = "write the objects to apply"});
  return all;
}

WhatIf::WhatIf(store::Store& store, Options options)
    : store_(store), options_(std::move(options)), thread_([this] { inbox_.Run(); }) {}

WhatIf::~WhatIf() {
  inbox_.Stop();
  thread_.join();
}

void WhatIf::Plan(const std::string& manifests, store::Executor& executor, Then then) {
  auto read = std::make_shared<std::vector<api::Manifest>>(api::ReadManifests(manifests));
  const auto rules = api::ValidationOptions::From(options_.configuration, options_.gates);
  if (const schema::Problems problems = ProblemsOfChange(*read, rules); !problems.empty())
    return then(ProblemResponse(problems));
  Start(executor, std::move(then),
        [this, read](const simulate::Input& input) { return PlanChange(input, *read); });
}

void WhatIf::EstimateStart(std::string namespaced_name, store::Executor& executor, Then then) {
  Start(executor, std::move(then),
        [this, name = std::move(namespaced_name)](const simulate::Input& input) {
          return Estimate(input, name);
        });
}

void WhatIf::Start(store::Executor& executor, Then then, Work work) {
  if (is_busy_.exchange(true)) return then(Busy());
  inbox_.Post([this, &executor, then = std::move(then), work = std::move(work)]() mutable {
    http::Response response = Do(work);
    is_busy_ = false;
    executor.Post([then = std::move(then), response = std::move(response)]() mutable {
      then(std::move(response));
    });
  });
}

http::Response WhatIf::Do(Work& work) {
  const auto manifests = control::ReadObjects(store_);
  if (!manifests) return Refusal(503, "ServiceUnavailable", manifests.error());
  const simulate::Loaded loaded =
      simulate::Load(*manifests, {.configuration = options_.configuration,
                                  .gates = options_.gates,
                                  .start = store::SystemTime()});
  if (!loaded.problems.empty())
    return StatusResponse(409, "Conflict", schema::ToString(loaded.problems.front()));
  if (loaded.input.jobs.size() > options_.most_jobs)
    return StatusResponse(409, "Conflict",
                          "the cluster has more than " + std::to_string(options_.most_jobs) +
                              " workloads: use `berth plan --live` or `berth simulate --live`");
  return work(loaded.input);
}

http::Response WhatIf::PlanChange(const simulate::Input& input,
                                  const std::vector<api::Manifest>& manifests) {
  const simulate::Plan plan = simulate::MakePlan(
      input, std::make_shared<const std::vector<api::Object>>(simulate::LoadChange(manifests)),
      std::nullopt);
  return JsonText(WithText(simulate::ToJson(plan, input), simulate::ToText(plan, input)));
}

http::Response WhatIf::Estimate(const simulate::Input& input, const std::string& namespaced_name) {
  const base::Result<uint32_t> job = simulate::FindJob(input, namespaced_name);
  if (!job)
    return StatusResponse(409, "Conflict",
                          "no estimate: the workload has finished, is inactive or does not exist");
  simulate::WorldOptions world;
  world.run_time_spread = 0.25;  // as `berth simulate --eta`
  const auto end =
      std::chrono::steady_clock::now() + std::chrono::nanoseconds(options_.limit.nanos);
  const simulate::StartEstimate estimate = simulate::EstimateStart(
      input, world, *job, options_.worlds, [&] { return std::chrono::steady_clock::now() < end; });
  return JsonText(simulate::ToJson(estimate, simulate::NameOf(input, *job)));
}

}  // namespace berth::dashboard
