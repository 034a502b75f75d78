#include "kube/request.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace berth::kube {
namespace {

const store::Resource kJobKind{
    .group = "batch", .version = "v1", .plural = "jobs", .kind = "Job", .is_namespaced = true};
const store::Resource kNodeKind{.version = "v1", .plural = "nodes", .kind = "Node"};

std::string TargetOf(const store::Call& call) { return RequestFor(call).target; }

TEST(Request, HasThePathOfTheObject) {
  EXPECT_EQ(TargetOf(store::Get{.resource = kJobKind, .namespace_ = "n", .name = "a"}),
            "/apis/batch/v1/namespaces/n/jobs/a");
  EXPECT_EQ(TargetOf(store::Get{.resource = kNodeKind, .name = "a", .subresource = "status"}),
            "/api/v1/nodes/a/status");
}

TEST(Request, HasTheSelectorsOfAList) {
  EXPECT_EQ(TargetOf(store::List{.resource = kJobKind, .selection = {}}), "/apis/batch/v1/jobs");
  EXPECT_EQ(TargetOf(store::List{.resource = kJobKind,
                                 .selection = {.namespace_ = "n", .label_selector = "a=b,!c"},
                                 .limit = 500,
                                 .continue_token = "x/=",
                                 .resource_version = "7",
                                 .version_match = store::VersionMatch::kExact}),
            "/apis/batch/v1/namespaces/n/jobs?labelSelector=a%3Db%2C%21c&limit=500&continue=x%2F%3D"
            "&resourceVersion=7&resourceVersionMatch=Exact");
}

TEST(Request, HasTheVersionOfAWatch) {
  EXPECT_EQ(RequestFor(store::Watch{.resource = kNodeKind,
                                    .selection = {.field_selector = "metadata.name=a"},
                                    .resource_version = "7",
                                    .allows_bookmarks = true,
                                    .timeout = base::Duration::Seconds(60)})
                .target,
            "/api/v1/nodes?watch=true&fieldSelector=metadata.name%3Da&resourceVersion=7"
            "&allowWatchBookmarks=true&timeoutSeconds=60");
}

TEST(Request, HasTheOptionsOfAWrite) {
  const Request patch =
      RequestFor(store::Patch{.resource = kJobKind,
                              .namespace_ = "n",
                              .name = "a",
                              .subresource = "status",
                              .type = store::PatchType::kApply,
                              .body = "{}",
                              .is_forced = true,
                              .options = {.is_dry_run = true,
                                          .field_manager = "berth",
                                          .field_validation = store::FieldValidation::kStrict}});
  EXPECT_EQ(patch, (Request{.method = "PATCH",
                            .target = "/apis/batch/v1/namespaces/n/jobs/a/status?dryRun=All"
                                      "&fieldManager=berth&fieldValidation=Strict&force=true",
                            .content_type = "application/apply-patch+yaml",
                            .body = "{}"}));
  const Request create =
      RequestFor(store::Create{.resource = kNodeKind, .object = "{}", .options = {}});
  EXPECT_EQ(create.method, "POST");
  EXPECT_EQ(create.target, "/api/v1/nodes");
}

TEST(Request, HasThePreconditionsOfADelete) {
  const Request request = RequestFor(
      store::Delete{.resource = kNodeKind,
                    .name = "a",
                    .options = {.uid = "u", .propagation = store::Propagation::kForeground}});
  EXPECT_EQ(request.body,
            R"({"apiVersion":"v1","kind":"DeleteOptions","preconditions":{"uid":"u"},)"
            R"("propagationPolicy":"Foreground"})");
}

TEST(Request, KeepsThePrefixOfTheServer) {
  EXPECT_EQ(RequestFor(store::Call(store::Get{.resource = kNodeKind, .name = "a"}), "/k8s").target,
            "/k8s/api/v1/nodes/a");
}

}  // namespace
}  // namespace berth::kube
