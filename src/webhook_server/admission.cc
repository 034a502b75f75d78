#include "webhook_server/admission.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/base64.h"
#include "json/json.h"
#include "schema/json/writer.h"
#include "webhook_server/json_patch.h"

namespace berth::webhook_server {
namespace {

constexpr int kForbidden = 403;
constexpr int kBadRequest = 400;

// The outcome of a review.
struct Verdict {
  int code = 0;  // 0: allowed
  std::string message;
  json::array patch;
  std::vector<std::string> warnings;
};

// The API server prepends the name of the webhook itself.
std::string WithoutWebhookName(const std::string& denial) {
  constexpr std::string_view kMark = "denied the request: ";
  const size_t at = denial.find(kMark);
  return at == std::string::npos ? denial : denial.substr(at + kMark.size());
}

std::string TextIn(const json::value& tree, std::initializer_list<std::string_view> path) {
  return std::string(json::StringAt(tree, path));
}

// The request of an AdmissionReview.
class AdmissionRequestView {
 public:
  explicit AdmissionRequestView(const json::value& request)
      : request_(request),
        resource_{.group = TextIn(request, {"kind", "group"}),
                  .version = TextIn(request, {"kind", "version"}),
                  .plural = TextIn(request, {"resource", "resource"}),
                  .kind = TextIn(request, {"kind", "kind"}),
                  .is_namespaced = !json::StringAt(request, {"namespace"}).empty()} {}

  std::string_view uid() const { return json::StringAt(request_, {"uid"}); }
  // Other operations are allowed without a review.
  bool IsWrite() const { return operation() == "CREATE" || IsUpdate(); }
  const json::value* object() const { return ObjectAt("object"); }

  webhook::AdmissionRequest Decoded() const {
    return {.operation = IsUpdate() ? store::Operation::kUpdate : store::Operation::kCreate,
            .resource = resource_,
            .subresource = json::StringAt(request_, {"subResource"}),
            .namespace_ = json::StringAt(request_, {"namespace"}),
            .name = json::StringAt(request_, {"name"}),
            .user = json::StringAt(request_, {"userInfo", "username"}),
            .old_object = IsUpdate() ? ObjectAt("oldObject") : nullptr};
  }

 private:
  std::string_view operation() const { return json::StringAt(request_, {"operation"}); }
  bool IsUpdate() const { return operation() == "UPDATE"; }

  const json::value* ObjectAt(std::string_view key) const {
    const json::value* found = json::Find(request_, {key});
    return found != nullptr && found->is_object() ? found : nullptr;
  }

  const json::value& request_;
  store::Resource resource_;
};

Verdict MutateVerdict(const AdmissionRequestView& request,
                      const webhook::AdmissionReviewer& reviewer, const webhook::Lookup& lookup) {
  const json::value& object = *request.object();
  const auto changed = reviewer.Mutate(request.Decoded(), object, lookup);
  if (!changed) return {.code = kBadRequest, .message = base::ToString(changed.error())};
  return {.patch = JsonPatchBetween(object, *changed)};
}

Verdict ValidateVerdict(const AdmissionRequestView& request,
                        const webhook::AdmissionReviewer& reviewer, const webhook::Lookup& lookup) {
  Verdict verdict;
  const webhook::AdmissionRequest admission = request.Decoded();
  const schema::Problems problems =
      reviewer.Validate(admission, *request.object(), lookup, verdict.warnings);
  if (problems.empty()) return verdict;
  verdict.code = kForbidden;
  verdict.message = WithoutWebhookName(webhook::DenialMessage(admission.resource.kind, problems));
  return verdict;
}

std::string AnswerText(const AdmissionRequestView& request, const Verdict& verdict) {
  schema::JsonWriter w;
  w.BeginObject().Member("apiVersion", "admission.k8s.io/v1").Member("kind", "AdmissionReview");
  w.Key("response").BeginObject().Member("uid", request.uid());
  w.Member("allowed", verdict.code == 0);
  if (verdict.code != 0) {
    w.Key("status").BeginObject().Member("status", "Failure").Member("code", verdict.code);
    w.Member("reason", verdict.code == kForbidden ? "Forbidden" : "BadRequest");
    w.Member("message", verdict.message).EndObject();
  }
  if (!verdict.patch.empty()) {
    w.Member("patchType", "JSONPatch");
    w.Member("patch", base::EncodeBase64(json::Print(verdict.patch)));
  }
  if (!verdict.warnings.empty()) {
    w.Key("warnings").BeginArray();
    for (const std::string& warning : verdict.warnings) w.Value(warning);
    w.EndArray();
  }
  w.EndObject().EndObject();
  return w.text();
}

}  // namespace

base::Result<std::string> AnswerAdmission(std::string_view review, ReviewStage stage,
                                          const webhook::AdmissionReviewer& reviewer,
                                          const webhook::Lookup& lookup) {
  const auto tree = json::Parse(review);
  if (!tree) return std::unexpected(tree.error());
  const json::value* found = json::Find(*tree, {"request"});
  if (found == nullptr || !found->is_object())
    return base::Fail("request body is not an AdmissionReview with a request");
  const AdmissionRequestView request(*found);
  Verdict verdict;
  if (request.IsWrite() && request.object() != nullptr)
    verdict = stage == ReviewStage::kMutate ? MutateVerdict(request, reviewer, lookup)
                                            : ValidateVerdict(request, reviewer, lookup);
  return AnswerText(request, verdict);
}

std::string WebhookPath(ReviewStage stage, std::string_view group, std::string_view version,
                        std::string_view kind) {
  std::string path(group);
  std::ranges::replace(path, '.', '-');
  path = (stage == ReviewStage::kMutate ? "/mutate-" : "/validate-") + path + "-" +
         std::string(version) + "-";
  for (const char c : kind) path += static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  return path;
}

}  // namespace berth::webhook_server
