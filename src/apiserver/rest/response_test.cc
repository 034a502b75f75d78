#include "apiserver/rest/response.h"

#include <gmock/gmock.h>

#include "apiserver/rest/watch.h"

namespace berth::apiserver {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr base::Time kNow = base::Time::FromSeconds(1'800'000'000);
constexpr std::string_view kPod =
    R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"p","namespace":"a","uid":"u","resourceVersion":"5"}})";

std::shared_ptr<const Catalog> BuiltIn() {
  static const auto kCatalog = std::make_shared<const Catalog>(BuiltInKinds());
  return kCatalog;
}

store::Object Object(std::string_view json) { return *store::Object::FromJson(std::string(json)); }

RestView Pods(Verb verb, std::string_view accept = "") {
  return {.kind = BuiltIn()->Find("", "v1", "pods"),
          .subresource = {},
          .verb = verb,
          .presentation = *ChoosePresentation(accept)};
}
constexpr std::string_view kAsTable = "application/json;as=Table;v=v1;g=meta.k8s.io";
constexpr std::string_view kAsMetadata =
    "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io";

TEST(Responses, ReturnObjectsUnchanged) {
  const store::Reply reply{.object = Object(kPod)};
  const http::Response response = RenderReply(Pods(Verb::kGet), reply, kNow);
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.body, reply.object.json);  // the same text, not a copy
}

TEST(Responses, ReportCreationAndWarnings) {
  const store::Reply reply{
      .object = Object(kPod), .was_created = true, .warnings = {"say \"no\"\n"}};
  const http::Response response = RenderReply(Pods(Verb::kPatch), reply, kNow);
  EXPECT_EQ(response.status, 201);
  ASSERT_EQ(response.headers.size(), 1u);
  EXPECT_EQ(response.headers[0].first, "Warning");
  EXPECT_EQ(response.headers[0].second, R"(299 - "say \"no\" ")");
}

TEST(Responses, CountTheWarningsBeyondTheLimit) {
  const auto headers_of = [](size_t count, const std::string& text) {
    const store::Reply reply{.object = Object(kPod),
                             .warnings = std::vector<std::string>(count, text)};
    return RenderReply(Pods(Verb::kPatch), reply, kNow).headers;
  };
  const auto many = headers_of(50'000, "unknown field");
  EXPECT_EQ(many.size(), 51u);
  EXPECT_EQ(many.back().second, R"(299 - "49950 more warnings")");
  const auto longer = headers_of(10, std::string(1000, 'x'));
  EXPECT_EQ(longer.size(), 5u);
  EXPECT_EQ(longer.back().second, R"(299 - "6 more warnings")");
  EXPECT_LT(headers_of(1, std::string(100'000, 'x')).front().second.size(), 5000u);
}

TEST(Responses, RenderLists) {
  const store::Reply reply{.items = {Object(kPod), Object(kPod)},
                           .resource_version = "9",
                           .continue_token = "more",
                           .remaining_items = 3};
  const std::string pod(kPod);
  EXPECT_EQ(*RenderReply(Pods(Verb::kList), reply, kNow).body,
            R"({"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"9",)"
            R"("continue":"more","remainingItemCount":3},"items":[)" +
                pod + "," + pod + "]}");
}

TEST(Responses, RenderTablesMetadataAndYaml) {
  const store::Reply reply{.object = Object(kPod), .items = {Object(kPod)}};
  EXPECT_THAT(*RenderReply(Pods(Verb::kList, kAsTable), reply, kNow).body,
              HasSubstr(R"("rows":[{"cells":["p",)"));
  EXPECT_THAT(*RenderReply(Pods(Verb::kGet, kAsTable), reply, kNow).body,
              HasSubstr(R"("metadata":{"resourceVersion":"5"},"columnDefinitions":[{)"));
  EXPECT_THAT(*RenderReply(Pods(Verb::kList, kAsMetadata), reply, kNow).body,
              StartsWith(R"({"kind":"PartialObjectMetadataList","apiVersion":"meta.k8s.io/v1")"));
  EXPECT_THAT(*RenderReply(Pods(Verb::kGet, kAsMetadata), reply, kNow).body,
              StartsWith(R"({"kind":"PartialObjectMetadata",)"));
  const http::Response yaml = RenderReply(Pods(Verb::kGet, "application/yaml"), reply, kNow);
  EXPECT_EQ(yaml.content_type, "application/yaml");
  EXPECT_THAT(*yaml.body, StartsWith("apiVersion: v1\n"));
}

TEST(Responses, ReportDeletedObjectsByUid) {
  RestView view = Pods(Verb::kDelete);
  view.kind = BuiltIn()->Find("batch", "v1", "jobs");
  store::Reply reply{.object = Object(R"({"kind":"Job","metadata":{"name":"j","uid":"u"}})"),
                     .was_removed = true};
  const json::value status = *json::Parse(*RenderReply(view, reply, kNow).body);
  EXPECT_EQ(json::StringAt(status, {"status"}), "Success");
  EXPECT_EQ(json::StringAt(status, {"details", "uid"}), "u");
  EXPECT_EQ(json::StringAt(status, {"details", "kind"}), "jobs");
  reply.was_removed = false;
  EXPECT_EQ(RenderReply(view, reply, kNow).body, reply.object.json);
}

TEST(Responses, ToFailuresAreTheirStatus) {
  const http::Response response = RenderFailure(store::TooManyRequests("wait", 3));
  EXPECT_EQ(response.status, 429);
  EXPECT_EQ(response.headers.at(0), (std::pair<std::string, std::string>("Retry-After", "3")));
  const json::value status = *json::Parse(*response.body);
  EXPECT_EQ(json::StringAt(status, {"reason"}), "TooManyRequests");
  EXPECT_EQ(json::StringAt(status, {"kind"}), "Status");
}

TEST(EventLines, HoldOneEventEach) {
  EventLines lines(Pods(Verb::kWatch), BuiltIn());
  const store::Event event{.kind = store::Event::Kind::kAdded, .object = Object(kPod)};
  EXPECT_EQ(lines.Of(event, kNow).ToString(),
            R"({"type":"ADDED","object":)" + std::string(kPod) + "}\n");
  EXPECT_EQ(lines.Of(event, kNow).text, event.object.json);
  EXPECT_THAT(EventLines::Of(store::Expired("too old")).ToString(),
              StartsWith(R"({"type":"ERROR","object":{)"));
}

TEST(EventLines, OfBookmarksHaveOnlyTheResourceVersion) {
  EventLines lines(Pods(Verb::kWatch), BuiltIn());
  store::Event bookmark{.kind = store::Event::Kind::kBookmark, .ends_initial_events = true};
  bookmark.object.resource_version = "12";
  EXPECT_EQ(lines.Of(bookmark, kNow).ToString(),
            R"({"type":"BOOKMARK","object":{"kind":"Pod","apiVersion":"v1","metadata":)"
            R"({"resourceVersion":"12","creationTimestamp":null,)"
            R"("annotations":{"k8s.io/initial-events-end":"true"}}}})"
            "\n");
}

TEST(EventLines, OfTablesHaveTheirColumnsOnce) {
  EventLines lines(Pods(Verb::kWatch, kAsTable), BuiltIn());
  const store::Event event{.kind = store::Event::Kind::kModified, .object = Object(kPod)};
  constexpr std::string_view kColumns = "\"columnDefinitions\":[{";
  EXPECT_THAT(lines.Of(event, kNow).ToString(), HasSubstr(kColumns));
  EXPECT_THAT(lines.Of(event, kNow).ToString(), ::testing::Not(HasSubstr(kColumns)));
}

}  // namespace
}  // namespace berth::apiserver
