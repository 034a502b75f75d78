#include "apiserver/rest/request.h"

#include <gmock/gmock.h>

namespace berth::apiserver {
namespace {

using ::testing::HasSubstr;

const Catalog& BuiltIn() {
  static const Catalog kCatalog(BuiltInKinds());
  return kCatalog;
}

store::Outcome<RestPlan> Plan(http::Request request) {
  return PlanRequest(request, RestTarget::Parse(request.target), BuiltIn());
}

// The call that a request translates to; fails the test if it is rejected.
template <class Call>
Call PlanCall(http::Request request) {
  auto plan = Plan(std::move(request));
  if (!plan) {
    ADD_FAILURE() << store::ToString(plan.error());
    return {};
  }
  if constexpr (std::same_as<Call, store::Watch>) {
    return std::get<store::Watch>(plan->operation);
  } else {
    return std::get<Call>(std::get<store::Call>(plan->operation));
  }
}

store::Failure Refusal(http::Request request) {
  auto plan = Plan(std::move(request));
  EXPECT_FALSE(plan);
  return plan ? store::Failure{} : plan.error();
}

const store::Resource kJobs{
    .group = "batch", .version = "v1", .plural = "jobs", .kind = "Job", .is_namespaced = true};
constexpr std::string_view kOneJob = "/apis/batch/v1/namespaces/a/jobs/j";
std::string OneJob(std::string_view rest = "") { return std::string(kOneJob) + std::string(rest); }

TEST(Requests, ForAnObjectAreGets) {
  EXPECT_EQ(PlanCall<store::Get>({.method = "GET", .target = OneJob("/status")}),
            (store::Get{kJobs, "a", "j", "status"}));
}

TEST(Requests, ForACollectionAreListsWithTheirOptions) {
  const auto list = PlanCall<store::List>(
      {.method = "GET",
       .target = "/apis/batch/v1/namespaces/a/jobs?labelSelector=x%3Dy&fieldSelector=metadata.name"
                 "%3Dj&limit=5&continue=abc&resourceVersion=7&resourceVersionMatch=Exact"});
  EXPECT_EQ(list, (store::List{.resource = kJobs,
                               .selection = {"a", "x=y", "metadata.name=j"},
                               .limit = 5,
                               .continue_token = "abc",
                               .resource_version = "7",
                               .version_match = store::VersionMatch::kExact}));
}

TEST(Requests, WithWatchInTheQueryAreWatches) {
  const auto watch = PlanCall<store::Watch>(
      {.method = "GET",
       .target = "/apis/batch/v1/jobs?watch=true&resourceVersion=7&allowWatchBookmarks=1"
                 "&timeoutSeconds=30"});
  EXPECT_EQ(watch, (store::Watch{.resource = kJobs,
                                 .selection = {},
                                 .resource_version = "7",
                                 .allows_bookmarks = true,
                                 .timeout = base::Duration::Seconds(30)}));
  EXPECT_EQ(
      PlanCall<store::Watch>({.method = "GET", .target = "/apis/batch/v1/watch/jobs"}).resource,
      kJobs);
  const auto initial =
      PlanCall<store::Watch>({.method = "GET",
                              .target = "/apis/batch/v1/jobs?watch=1&sendInitialEvents=true"
                                        "&resourceVersionMatch=NotOlderThan"});
  EXPECT_TRUE(initial.sends_initial_events);
}

TEST(Requests, OnTheLegacyWatchPathOfAnObjectSelectItByName) {
  EXPECT_EQ(PlanCall<store::Watch>(
                {.method = "GET", .target = "/apis/batch/v1/watch/namespaces/a/jobs/j"})
                .selection.field_selector,
            "metadata.name=j");
}

TEST(Requests, ThatPostAreCreations) {
  const auto create = PlanCall<store::Create>(
      {.method = "POST",
       .target = "/apis/batch/v1/namespaces/a/jobs?dryRun=All&fieldManager=me&fieldValidation="
                 "Strict",
       .body = "{}"});
  EXPECT_EQ(create,
            (store::Create{.resource = kJobs,
                           .namespace_ = "a",
                           .object = "{}",
                           .options = {.is_dry_run = true,
                                       .field_manager = "me",
                                       .field_validation = store::FieldValidation::kStrict}}));
}

TEST(Requests, DefaultTheFieldManagerToTheUserAgent) {
  const auto update = PlanCall<store::Update>(
      {.method = "PUT", .target = OneJob(), .user_agent = "kubectl/v1.32 (linux)", .body = "{}"});
  EXPECT_EQ(update.options.field_manager, "kubectl");
}

TEST(Requests, MayBeYaml) {
  const auto create = PlanCall<store::Create>({.method = "POST",
                                               .target = "/api/v1/namespaces",
                                               .content_type = "application/yaml",
                                               .body = "metadata:\n  name: a\n"});
  EXPECT_EQ(create.object, R"({"metadata":{"name":"a"}})");
}

TEST(Requests, ThatPatchHaveAPatchType) {
  const auto type_of = [](std::string content_type, std::string query) {
    return PlanCall<store::Patch>({.method = "PATCH",
                                   .target = OneJob(query),
                                   .content_type = std::move(content_type),
                                   .body = "{}"});
  };
  EXPECT_EQ(type_of("application/json-patch+json", "").type, store::PatchType::kJson);
  EXPECT_EQ(type_of("application/merge-patch+json", "").type, store::PatchType::kMerge);
  EXPECT_EQ(type_of("application/strategic-merge-patch+json", "").type,
            store::PatchType::kStrategic);
  const auto apply = type_of("application/apply-patch+yaml", "?fieldManager=me&force=true");
  EXPECT_EQ(apply.type, store::PatchType::kApply);
  EXPECT_TRUE(apply.is_forced);
}

TEST(Requests, ThatDeleteTakeTheirOptionsFromTheBodyOrTheQuery) {
  const auto from_body = PlanCall<store::Delete>(
      {.method = "DELETE",
       .target = OneJob(),
       .body = R"({"kind":"DeleteOptions","apiVersion":"v1","propagationPolicy":"Foreground",
                   "gracePeriodSeconds":0,"preconditions":{"uid":"u","resourceVersion":"3"},
                   "dryRun":["All"]})"});
  EXPECT_EQ(from_body.options, (store::DeleteOptions{.uid = "u",
                                                     .resource_version = "3",
                                                     .propagation = store::Propagation::kForeground,
                                                     .grace_period_seconds = 0,
                                                     .is_dry_run = true}));
  const auto from_query = PlanCall<store::Delete>(
      {.method = "DELETE", .target = OneJob("?propagationPolicy=Orphan&gracePeriodSeconds=5")});
  EXPECT_EQ(from_query.options, (store::DeleteOptions{.propagation = store::Propagation::kOrphan,
                                                      .grace_period_seconds = 5}));
  const auto old_form = PlanCall<store::Delete>(
      {.method = "DELETE", .target = OneJob(), .body = R"({"orphanDependents":true})"});
  EXPECT_EQ(old_form.options.propagation, store::Propagation::kOrphan);
}

TEST(Requests, ThatDeleteACollectionSelectIt) {
  const auto deletion = PlanCall<store::DeleteCollection>(
      {.method = "DELETE", .target = "/apis/batch/v1/namespaces/a/jobs?labelSelector=x"});
  EXPECT_EQ(deletion.selection, (store::Selection{"a", "x", ""}));
}

struct RefusalCase {
  std::string name;
  http::Request request;
  int code;
  std::string reason;
  std::string message;
};

class RefusedRequests : public ::testing::TestWithParam<RefusalCase> {};

TEST_P(RefusedRequests, HaveTheStatusOfKubernetes) {
  const store::Failure failure = Refusal(GetParam().request);
  EXPECT_EQ(failure.code(), GetParam().code);
  EXPECT_EQ(failure.status.reason, GetParam().reason);
  EXPECT_THAT(failure.message(), HasSubstr(GetParam().message));
}

const RefusalCase kRefusals[] = {
    {"UnknownKind",
     {.method = "GET", .target = "/apis/batch/v1/things"},
     404,
     "NotFound",
     "the server could not find the requested resource"},
    {"UnknownSubresource", {.method = "GET", .target = OneJob("/log")}, 404, "NotFound", ""},
    {"NamespaceOfAClusterWideKind",
     {.method = "GET", .target = "/api/v1/namespaces/a/nodes/n"},
     404,
     "NotFound",
     ""},
    {"ObjectWithoutItsNamespace",
     {.method = "GET", .target = "/apis/batch/v1/jobs/j"},
     404,
     "NotFound",
     ""},
    {"PostToAnObject",
     {.method = "POST", .target = OneJob()},
     405,
     "MethodNotAllowed",
     "does not allow this method"},
    {"PostWithoutANamespace",
     {.method = "POST", .target = "/apis/batch/v1/jobs"},
     405,
     "MethodNotAllowed",
     ""},
    {"DeleteOfASubresource",
     {.method = "DELETE", .target = OneJob("/status")},
     405,
     "MethodNotAllowed",
     ""},
    {"UnknownBody",
     {.method = "POST", .target = "/api/v1/namespaces", .content_type = "application/cbor"},
     415,
     "UnsupportedMediaType",
     "accepted media types include: application/json"},
    {"MalformedProtobuf",
     {.method = "POST",
      .target = "/api/v1/namespaces",
      .content_type = "application/vnd.kubernetes.protobuf",
      .body = "{}"},
     400,
     "BadRequest",
     "protobuf"},
    {"PatchWithoutType",
     {.method = "PATCH", .target = OneJob(), .content_type = "application/json"},
     415,
     "UnsupportedMediaType",
     "application/apply-patch+yaml"},
    {"StrategicPatchOfACustomKind",
     {.method = "PATCH",
      .target = "/apis/kueue.x-k8s.io/v1beta2/clusterqueues/q",
      .content_type = "application/strategic-merge-patch+json"},
     415,
     "UnsupportedMediaType",
     ""},
    {"UnknownForm",
     {.method = "GET", .target = OneJob(), .accept = "text/html"},
     406,
     "NotAcceptable",
     "application/json"},
    {"DryRunOfSome",
     {.method = "DELETE", .target = OneJob("?dryRun=Some")},
     422,
     "Invalid",
     R"(dryRun: Unsupported value: "Some": supported values: "All")"},
    {"FieldValidation",
     {.method = "PUT", .target = OneJob("?fieldValidation=Lax")},
     422,
     "Invalid",
     "fieldValidation: Unsupported value"},
    {"LongFieldManager",
     {.method = "PUT", .target = OneJob("?fieldManager=" + std::string(129, 'x'))},
     422,
     "Invalid",
     "fieldManager: Too long"},
    {"ApplyWithoutManager",
     {.method = "PATCH", .target = OneJob(), .content_type = "application/apply-patch+yaml"},
     422,
     "Invalid",
     "fieldManager: Required value: is required for apply patch"},
    {"ForceWithoutApply",
     {.method = "PATCH",
      .target = OneJob("?force=true"),
      .content_type = "application/merge-patch+json"},
     422,
     "Invalid",
     "force: Forbidden: may not be specified for non-apply patch"},
    {"PropagationPolicy",
     {.method = "DELETE", .target = OneJob("?propagationPolicy=Sideways")},
     422,
     "Invalid",
     "propagationPolicy: Unsupported value: \"Sideways\""},
    {"BodyOfADeletion",
     {.method = "DELETE", .target = OneJob(), .body = "{"},
     400,
     "BadRequest",
     "DeleteOptions"},
    {"Limit", {.method = "GET", .target = "/api/v1/nodes?limit=many"}, 400, "BadRequest", "many"},
    {"MatchWithoutVersion",
     {.method = "GET", .target = "/api/v1/nodes?resourceVersionMatch=Exact"},
     422,
     "Invalid",
     "resourceVersionMatch is forbidden unless resourceVersion is provided"},
    {"InitialEventsOfAList",
     {.method = "GET", .target = "/api/v1/nodes?sendInitialEvents=true"},
     422,
     "Invalid",
     "sendInitialEvents is forbidden for list"},
    {"IncludeObject",
     {.method = "GET", .target = "/api/v1/nodes?includeObject=Half"},
     400,
     "BadRequest",
     "Half"},
};
INSTANTIATE_TEST_SUITE_P(All, RefusedRequests, ::testing::ValuesIn(kRefusals),
                         [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace berth::apiserver
