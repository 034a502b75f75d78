#include "apiserver/rest/router.h"

#include <gmock/gmock.h>

#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>

namespace berth::apiserver {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

constexpr std::string_view kToken = "0123456789abcdef";

// Runs tasks on demand, on the calling thread.
class ManualExecutor final : public store::Executor {
 public:
  void Post(store::Task task) override {
    const std::lock_guard lock(mutex_);
    tasks_.push_back(std::move(task));
    changed_.notify_all();
  }
  void PostAfter(base::Duration, store::Task) override {}  // no test waits this long
  base::Time Now() const override { return base::Time::FromSeconds(1'800'000'000); }

  template <class Condition>
  void RunUntil(Condition is_over) {
    while (!is_over()) {
      std::unique_lock lock(mutex_);
      const bool has_task =
          changed_.wait_for(lock, std::chrono::seconds(10), [&] { return !tasks_.empty(); });
      ASSERT_TRUE(has_task) << "nothing happens any more";
      store::Task task = std::move(tasks_.front());
      tasks_.pop_front();
      lock.unlock();
      task();
    }
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<store::Task> tasks_;
};

// Records the response.
class Recorder final : public http::Exchange, public http::Stream {
 public:
  explicit Recorder(ManualExecutor& executor) : executor_(executor) {}

  store::Executor& executor() override { return executor_; }
  void Respond(http::Response r) override {
    response = std::move(r);
    is_answered = true;
  }
  std::shared_ptr<http::Stream> BeginStream(http::Response,
                                            http::StreamCallbacks callbacks) override {
    callbacks_ = std::move(callbacks);
    is_answered = true;
    return std::shared_ptr<http::Stream>(this, [](http::Stream*) {});
  }
  void Write(std::string_view prefix, http::SharedText text, std::string_view suffix) override {
    streamed.append(prefix).append(*text).append(suffix);
  }
  void ScheduleWrite() override { callbacks_.on_writable(); }
  void Close() override { is_closed = true; }

  std::string body() const { return response.body ? *response.body : ""; }

  http::Response response;
  std::string streamed;
  bool is_answered = false;
  bool is_closed = false;

 private:
  ManualExecutor& executor_;
  http::StreamCallbacks callbacks_;
};

class RestRouterTest : public ::testing::Test {
 protected:
  // Writes are answered by another thread, so this waits.
  std::shared_ptr<Recorder> Ask(http::Request request) {
    auto recorder = std::make_shared<Recorder>(executor_);
    router_.Handle(std::move(request), recorder);
    executor_.RunUntil([&] { return recorder->is_answered; });
    return recorder;
  }

  ManualExecutor executor_;
  std::unique_ptr<ApiHandler> handler_ = *ApiHandler::Open({});
  RestRouter router_{*handler_,
                     {.address = "127.0.0.1:6443",
                      .tokens = *http::TokenTable::Parse(std::string(kToken) + ",anna,1,dev\n"),
                      .intercept = [](const http::Request& request,
                                      const std::shared_ptr<http::Exchange>& exchange) {
                        if (request.target != "/elsewhere") return false;
                        exchange->Respond({.body = http::Share("found")});
                        return true;
                      }}};
};

constexpr std::string_view kMaps = "/api/v1/namespaces/default/configmaps";
constexpr std::string_view kMap =
    R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"m"},"data":{"a":"b"}})";

TEST_F(RestRouterTest, StoresPostedObjects) {
  const auto made =
      Ask({.method = "POST", .target = std::string(kMaps), .body = std::string(kMap)});
  EXPECT_EQ(made->response.status, 201);
  const auto got = Ask({.method = "GET", .target = std::string(kMaps) + "/m"});
  EXPECT_EQ(got->response.status, 200);
  EXPECT_EQ(got->body(), made->body());
  EXPECT_EQ(Ask({.method = "GET", .target = std::string(kMaps) + "/n"})->response.status, 404);
}

// They run on a thread of their own.
TEST_F(RestRouterTest, AnswersLargeRequestsLikeOthers) {
  const std::string value(200'000, 'x');
  const std::string map = R"({"metadata":{"name":"m"},"data":{"a":")" + value + "\"}}";
  const auto post = [&](std::string body) {
    return Ask({.method = "POST", .target = std::string(kMaps), .body = std::move(body)})->response;
  };
  EXPECT_EQ(post(map + "]").status, 400);
  EXPECT_EQ(post(map).status, 201);
  EXPECT_EQ(post(map).status, 409);
  const auto get = Ask({.method = "GET", .target = std::string(kMaps) + "/m"});
  EXPECT_THAT(get->body(), HasSubstr(value));
  const auto patch = Ask({.method = "PATCH",
                          .target = std::string(kMaps) + "/m",
                          .content_type = "application/merge-patch+json",
                          .body = R"({"data":{"a":null}})"});
  EXPECT_THAT(patch->body(), Not(HasSubstr(value)));
}

TEST_F(RestRouterTest, StreamsWatchEvents) {
  const auto watch = Ask({.method = "GET", .target = std::string(kMaps) + "?watch=true"});
  watch->ScheduleWrite();
  EXPECT_EQ(watch->streamed, "");
  Ask({.method = "POST", .target = std::string(kMaps), .body = std::string(kMap)});
  executor_.RunUntil([&] { return watch->streamed.find("\"name\":\"m\"") != std::string::npos; });
  EXPECT_THAT(watch->streamed, HasSubstr(R"({"type":"ADDED","object":{)"));
  EXPECT_FALSE(watch->is_closed);
}

TEST_F(RestRouterTest, RejectsAnInvalidWatch) {
  const auto watch =
      Ask({.method = "GET", .target = std::string(kMaps) + "?watch=true&labelSelector=a%3D%3D%3D"});
  EXPECT_EQ(watch->response.status, 400);
  EXPECT_EQ(watch->streamed, "");
}

TEST_F(RestRouterTest, OpensOnlyHealthPathsToAll) {
  EXPECT_TRUE(router_.IsOpenToAll("/healthz?verbose"));
  EXPECT_TRUE(router_.IsOpenToAll("/readyz/ping"));
  EXPECT_FALSE(router_.IsOpenToAll("/healthzz"));
  EXPECT_FALSE(router_.IsOpenToAll("/version"));
  EXPECT_FALSE(router_.IsOpenToAll("/api"));
  EXPECT_EQ(Ask({.method = "GET", .target = "/livez"})->body(), "ok");
}

TEST_F(RestRouterTest, ReportsItsVersion) {
  const json::value version = *json::Parse(Ask({.method = "GET", .target = "/version"})->body());
  EXPECT_EQ(json::StringAt(version, {"major"}), "1");
  EXPECT_THAT(std::string(json::StringAt(version, {"gitVersion"})), StartsWith("v1."));
}

TEST_F(RestRouterTest, AnswersNotModifiedForACurrentETag) {
  const auto first = Ask({.method = "GET", .target = "/openapi/v3"});
  const std::string tag = first->response.headers.at(0).second;
  const auto second = Ask({.method = "GET", .target = "/openapi/v3", .if_none_match = tag});
  EXPECT_EQ(second->response.status, 304);
  EXPECT_EQ(second->body(), "");
}

TEST_F(RestRouterTest, NegotiatesTheFormOfDiscovery) {
  const std::string aggregated =
      "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
  EXPECT_EQ(Ask({.method = "GET", .target = "/apis", .accept = aggregated})->response.content_type,
            aggregated);
  EXPECT_THAT(Ask({.method = "GET", .target = "/apis"})->body(), HasSubstr("APIGroupList"));
  EXPECT_THAT(Ask({.method = "GET", .target = "/api"})->body(), HasSubstr("127.0.0.1:6443"));
  EXPECT_EQ(Ask({.method = "GET", .target = "/apis/missing.test"})->response.status, 404);
  EXPECT_EQ(Ask({.method = "POST", .target = "/apis"})->response.status, 405);
}

TEST_F(RestRouterTest, RespondsWithProtobufForOpenApiVersion2Only) {
  const std::string old_type = "application/com.github.proto-openapi.spec.v2@v1.0+protobuf";
  const auto document = Ask({.method = "GET", .target = "/openapi/v2", .accept = old_type});
  EXPECT_EQ(document->response.content_type,
            "application/com.github.proto-openapi.spec.v2.v1.0+protobuf");
  EXPECT_THAT(document->body(), HasSubstr("io.k8s.batch.v1.Job"));
  EXPECT_EQ(Ask({.method = "GET", .target = "/openapi/v3", .accept = old_type})->response.status,
            406);
}

TEST_F(RestRouterTest, AnswersSelfReviews) {
  const auto who = Ask({.method = "POST",
                        .target = "/apis/authentication.k8s.io/v1/selfsubjectreviews",
                        .body = "{}",
                        .subject = {.user = "anna", .groups = {"dev"}}});
  EXPECT_EQ(who->response.status, 201);
  EXPECT_THAT(who->body(), HasSubstr(R"("username":"anna")"));
  const auto may = Ask({.method = "POST",
                        .target = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
                        .body = R"({"spec":{"resourceAttributes":{"verb":"get"}}})"});
  EXPECT_THAT(may->body(), HasSubstr(R"("allowed":true)"));
}

TEST_F(RestRouterTest, AnswersTokenReviews) {
  const auto review = [&](const std::string& token) {
    return Ask({.method = "POST",
                .target = "/apis/authentication.k8s.io/v1/tokenreviews",
                .body = R"({"spec":{"token":")" + token + R"("}})"})
        ->body();
  };
  EXPECT_THAT(review(std::string(kToken)),
              AllOf(HasSubstr(R"("authenticated":true)"), HasSubstr(R"("username":"anna")"),
                    HasSubstr(R"("groups":["dev","system:authenticated"])"),
                    Not(HasSubstr(std::string(kToken)))));
  EXPECT_THAT(review("guessed"), HasSubstr(R"("authenticated":false)"));
  const auto may = Ask({.method = "POST",
                        .target = "/apis/authorization.k8s.io/v1/subjectaccessreviews",
                        .body = R"({"spec":{"user":"anna"}})"});
  EXPECT_THAT(may->body(),
              AllOf(HasSubstr(R"("kind":"SubjectAccessReview")"), HasSubstr(R"("allowed":true)")));
}

TEST_F(RestRouterTest, OffersRequestsToTheInterceptorFirst) {
  EXPECT_EQ(Ask({.method = "GET", .target = "/elsewhere"})->body(), "found");
  EXPECT_EQ(Ask({.method = "GET", .target = "/elsewhere/not"})->response.status, 404);
}

}  // namespace
}  // namespace berth::apiserver
