#include "webhook_server/admission.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/base64.h"

namespace berth::webhook_server {
namespace {

using ::testing::HasSubstr;

class EmptyLookup final : public webhook::Lookup {
 public:
  api::Labels NamespaceLabels(std::string_view) const override { return {}; }
  bool HasLocalQueue(std::string_view, std::string_view) const override { return false; }
  bool HasWorkloadPriorityClass(std::string_view) const override { return false; }
  std::optional<json::value> FindOwner(std::string_view,
                                       const api::OwnerReference&) const override {
    return std::nullopt;
  }
};

api::Configuration DefaultConfiguration() {
  api::Configuration configuration;
  api::ApplyConfigurationDefaults(configuration);
  return configuration;
}

std::string ReviewOf(const std::string& kind, const std::string& object,
                     const std::string& operation = "CREATE", const std::string& old = "null") {
  return R"({"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":{"uid":"u",)"
         R"("kind":)" +
         kind + R"(,"namespace":"n","operation":")" + operation + R"(","object":)" + object +
         R"(,"oldObject":)" + old + "}}";
}

constexpr const char* kJobKind = R"({"group":"batch","version":"v1","kind":"Job"})";
constexpr const char* kQueueKind =
    R"({"group":"kueue.x-k8s.io","version":"v1beta2","kind":"ClusterQueue"})";
constexpr const char* kQueuedJob =
    R"({"apiVersion":"batch/v1","kind":"Job","metadata":{"name":"a","namespace":"n",)"
    R"("labels":{"kueue.x-k8s.io/queue-name":"q"}},"spec":{"template":{"spec":{)"
    R"("containers":[{"name":"c","image":"i"}]}}}})";

class AdmissionTest : public ::testing::Test {
 protected:
  json::value Answer(const std::string& review, ReviewStage stage) {
    const auto answer = AnswerAdmission(review, stage, reviewer_, lookup_);
    EXPECT_TRUE(answer);
    return answer ? *json::Parse(*answer) : json::value();
  }
  static bool IsAllowed(const json::value& answer) {
    return json::Find(answer, {"response", "allowed"})->as_bool();
  }

  webhook::AdmissionReviewer reviewer_{DefaultConfiguration(), api::FeatureGates(),
                                       jobs::IntegrationSet::BuiltIn()};
  EmptyLookup lookup_;
};

TEST_F(AdmissionTest, SuspendsQueuedJobsWithAPatch) {
  const json::value answer = Answer(ReviewOf(kJobKind, kQueuedJob), ReviewStage::kMutate);
  EXPECT_EQ(json::StringAt(answer, {"response", "uid"}), "u");
  EXPECT_TRUE(IsAllowed(answer));
  EXPECT_EQ(json::StringAt(answer, {"response", "patchType"}), "JSONPatch");
  const auto patch = base::DecodeBase64(json::StringAt(answer, {"response", "patch"}));
  ASSERT_TRUE(patch);
  EXPECT_THAT(*patch, HasSubstr(R"({"op":"add","path":"/spec/suspend","value":true})"));
}

TEST_F(AdmissionTest, DoesNotPatchOtherJobs) {
  const json::value answer = Answer(
      ReviewOf(kJobKind, R"({"apiVersion":"batch/v1","kind":"Job","metadata":{"name":"a"}})"),
      ReviewStage::kMutate);
  EXPECT_TRUE(IsAllowed(answer));
  EXPECT_EQ(json::Find(answer, {"response", "patch"}), nullptr);
}

TEST_F(AdmissionTest, CanonicalizesQuantities) {
  const json::value answer = Answer(
      ReviewOf(kQueueKind, R"({"apiVersion":"kueue.x-k8s.io/v1beta2","kind":"ClusterQueue",)"
                           R"("metadata":{"name":"q"},"spec":{"unheardOf":1,"resourceGroups":[)"
                           R"({"coveredResources":["cpu"],"flavors":[{"name":"f","resources":[)"
                           R"({"name":"cpu","nominalQuota":1.5}]}]}]}})"),
      ReviewStage::kMutate);
  EXPECT_TRUE(IsAllowed(answer));
  const auto patch = base::DecodeBase64(json::StringAt(answer, {"response", "patch"}));
  ASSERT_TRUE(patch);
  EXPECT_THAT(*patch, HasSubstr(R"("nominalQuota":"1500m")"));
  EXPECT_THAT(*patch, ::testing::Not(HasSubstr("unheardOf")));
}

TEST_F(AdmissionTest, ProtectsNewQueuesWithAPatch) {
  const json::value answer =
      Answer(ReviewOf(kQueueKind, R"({"apiVersion":"kueue.x-k8s.io/v1beta2","kind":"ClusterQueue",)"
                                  R"("metadata":{"name":"q"},"spec":{}})"),
             ReviewStage::kMutate);
  const auto patch = base::DecodeBase64(json::StringAt(answer, {"response", "patch"}));
  ASSERT_TRUE(patch);
  EXPECT_THAT(*patch, HasSubstr(R"({"op":"add","path":"/metadata/finalizers",)"
                                R"("value":["kueue.x-k8s.io/resource-in-use"]})"));
}

TEST_F(AdmissionTest, WarnsWithWhatToWriteInstead) {
  const json::value answer =
      Answer(ReviewOf(kJobKind, R"({"apiVersion":"batch/v1","kind":"Job","metadata":{"name":"a",)"
                                R"("namespace":"n","annotations":)"
                                R"({"kueue.x-k8s.io/cannot-preemt":"true"}}})"),
             ReviewStage::kValidate);
  EXPECT_TRUE(IsAllowed(answer));
  EXPECT_THAT(json::Print(*json::Find(answer, {"response", "warnings"})),
              HasSubstr("(write kueue.x-k8s.io/cannot-preempt)"));
}

TEST_F(AdmissionTest, DeniesWithAReason) {
  const json::value answer = Answer(
      ReviewOf(kQueueKind, R"({"apiVersion":"kueue.x-k8s.io/v1beta2","kind":"ClusterQueue",)"
                           R"("metadata":{"name":"q"},"spec":{"resourceGroups":[)"
                           R"({"coveredResources":["cpu"],"flavors":[{"name":"f","resources":[)"
                           R"({"name":"cpu","nominalQuota":"-1"}]}]}]}})"),
      ReviewStage::kValidate);
  EXPECT_FALSE(IsAllowed(answer));
  const std::string message(json::StringAt(answer, {"response", "status", "message"}));
  EXPECT_THAT(message, HasSubstr("nominalQuota: -1 is negative (write 0 or more)"));
  EXPECT_THAT(message, ::testing::Not(HasSubstr("admission webhook")))
      << "the API server says that";
}

TEST_F(AdmissionTest, AllowsDeletions) {
  EXPECT_TRUE(
      IsAllowed(Answer(ReviewOf(kJobKind, "null", "DELETE", kQueuedJob), ReviewStage::kValidate)));
}

TEST_F(AdmissionTest, RejectsTextThatIsNoReview) {
  for (const char* text : {"", "[]", "{}", R"({"request":1})"})
    EXPECT_FALSE(AnswerAdmission(text, ReviewStage::kMutate, reviewer_, lookup_)) << text;
}

TEST(WebhookPath, MatchesKueue) {
  EXPECT_EQ(WebhookPath(ReviewStage::kMutate, "batch", "v1", "Job"), "/mutate-batch-v1-job");
  EXPECT_EQ(WebhookPath(ReviewStage::kMutate, "", "v1", "Pod"), "/mutate--v1-pod");
  EXPECT_EQ(WebhookPath(ReviewStage::kValidate, "kueue.x-k8s.io", "v1beta2", "ClusterQueue"),
            "/validate-kueue-x-k8s-io-v1beta2-clusterqueue");
}

}  // namespace
}  // namespace berth::webhook_server
