#include "jobs/managed.h"

#include <algorithm>

#include "api/config/integration_names.h"
#include "api/kueue/well_known.h"
#include "api/meta/problem_report.h"
#include "objects/owner_chain.h"

namespace berth::jobs {
namespace {

constexpr std::string_view kPodFramework = "pod";
constexpr std::string_view kSparkFramework = "sparkoperator.k8s.io/sparkapplication";
// The kinds that the deprecated podOptions apply to.
constexpr std::string_view kPodOptionsFrameworks[] = {kPodFramework, "deployment", "statefulset"};

ManagedJobsPolicy::Kind KindOf(std::string_view api_version, std::string_view kind) {
  return {.group = std::string(GroupOf(api_version)), .kind = std::string(kind)};
}

bool IsOf(const ObjectView& object, const api::IntegrationName& integration) {
  return object.kind == integration.kind && GroupOf(object.api_version) == integration.group;
}

bool IsPod(const ObjectView& object) { return object.kind == "Pod" && object.api_version == "v1"; }

bool IsInPodOptions(const ObjectView& object) {
  return std::ranges::any_of(kPodOptionsFrameworks, [&](std::string_view framework) {
    return IsOf(object, *api::FindIntegration(framework));
  });
}

// The framework of the pod's owner if it is a serving kind, whose pods are gated; otherwise "".
std::string_view SuspendingParent(const ObjectView& object) {
  if (!IsPod(object)) return {};
  const std::string* name = object.metadata->annotations.Find(api::kPodSuspendingParentAnnotation);
  return name == nullptr ? std::string_view() : std::string_view(*name);
}

api::Selector CompileOrNothing(const std::optional<api::LabelSelector>& selector) {
  return api::Selector::Compile(selector).value_or(api::Selector());
}

std::string NameOf(const ObjectView& object) {
  return std::string(object.kind) + " " + object.metadata->name;
}

}  // namespace

std::string_view GroupOf(std::string_view api_version) {
  const size_t slash = api_version.find('/');
  return slash == api_version.npos ? std::string_view() : api_version.substr(0, slash);
}

std::string_view QueueNameOf(const api::ObjectMeta& metadata) {
  const std::string* name = metadata.labels.Find(api::kQueueNameLabel);
  return name == nullptr ? std::string_view() : std::string_view(*name);
}

ManagedJobsPolicy::ManagedJobsPolicy(const api::Configuration& configuration,
                                     const api::FeatureGates& gates,
                                     std::span<const Kind> more_kinds)
    : listed_(more_kinds.begin(), more_kinds.end()),
      namespace_selector_(CompileOrNothing(configuration.managed_jobs_namespace_selector)),
      manages_without_queue_name_(configuration.manage_jobs_without_queue_name),
      respects_selector_always_(
          gates.IsOn(api::Gate::kManagedJobsNamespaceSelectorAlwaysRespected)) {
  if (!configuration.integrations) return;
  const api::IntegrationsSettings& integrations = *configuration.integrations;
  for (const std::string& framework :
       integrations.frameworks.value_or(std::vector<std::string>())) {
    const api::IntegrationName* found = api::FindIntegration(framework);
    if (found == nullptr) continue;
    if (framework == kSparkFramework && !gates.IsOn(api::Gate::kSparkApplicationIntegration))
      continue;
    frameworks_.insert(framework);
    listed_.insert({.group = std::string(found->group), .kind = std::string(found->kind)});
  }
  for (const std::string& framework : integrations.external_frameworks) {
    if (const auto kind = api::ParseKindReference(framework))
      external_.insert({.group = std::string(kind->group), .kind = std::string(kind->kind)});
  }
  if (!integrations.pod_options) return;
  const api::PodIntegrationSettings& pods = *integrations.pod_options;
  if (pods.namespace_selector) pod_namespace_selector_ = CompileOrNothing(pods.namespace_selector);
  if (pods.pod_selector) pod_selector_ = CompileOrNothing(pods.pod_selector);
}

bool ManagedJobsPolicy::IsListed(std::string_view api_version, std::string_view kind) const {
  return listed_.contains(KindOf(api_version, kind));
}

bool ManagedJobsPolicy::IsListedOrExternal(std::string_view api_version,
                                           std::string_view kind) const {
  return IsListed(api_version, kind) || external_.contains(KindOf(api_version, kind));
}

std::optional<ManagedReason> ManagedJobsPolicy::NotSelected(
    const ObjectView& object, const api::Labels& namespace_labels) const {
  if (!namespace_selector_.Matches(namespace_labels)) return ManagedReason::kNamespaceNotSelected;
  if (!IsInPodOptions(object)) return std::nullopt;
  if (pod_namespace_selector_ && !pod_namespace_selector_->Matches(namespace_labels))
    return ManagedReason::kNotInPodOptions;
  if (pod_selector_ && IsPod(object) && !pod_selector_->Matches(object.metadata->labels))
    return ManagedReason::kNotInPodOptions;
  return std::nullopt;
}

bool ManagedJobsPolicy::Selects(const ObjectView& object,
                                const api::Labels& namespace_labels) const {
  return !NotSelected(object, namespace_labels);
}

// The rules for one namespace, in order of precedence.
class ManagedDecision {
 public:
  ManagedDecision(const api::Labels& namespace_labels, const ManagedJobsPolicy& policy)
      : namespace_labels_(namespace_labels), policy_(policy) {}

  ManagedAnswer For(const ObjectView& object, std::span<const ObjectView> owners) const {
    const std::string_view parent = SuspendingParent(object);
    const bool is_waited_through = !parent.empty() && policy_.frameworks_.contains(parent);
    if (!is_waited_through && !policy_.IsListed(object.api_version, object.kind)) {
      const bool is_external = policy_.external_.contains(KindOf(object.api_version, object.kind));
      return {.reason = is_external ? ManagedReason::kExternalKind : ManagedReason::kKindNotListed};
    }
    if (auto answer = ByOwners(MatchingOwners(object, owners), parent)) return *std::move(answer);
    return {.reason = ByJob(object)};
  }

 private:
  // The owners up to the first that does not match the reference to it.
  static std::span<const ObjectView> MatchingOwners(const ObjectView& object,
                                                    std::span<const ObjectView> owners) {
    const api::ObjectMeta* child = object.metadata;
    size_t count = 0;
    for (; count < owners.size(); ++count) {
      const api::OwnerReference* reference = objects::ControllerOf(*child);
      child = owners[count].metadata;
      if (reference == nullptr || reference->uid.empty() || reference->uid != child->uid) break;
    }
    return owners.first(count);
  }

  // Decision by owners. The outermost owner that would be managed on its own is managed; all
  // objects below it are not.
  std::optional<ManagedAnswer> ByOwners(std::span<const ObjectView> owners,
                                        std::string_view parent_framework) const {
    for (size_t i = owners.size(); i-- > 0;) {
      const ObjectView& owner = owners[i];
      if (!policy_.IsListedOrExternal(owner.api_version, owner.kind)) continue;
      if (!IsManagedReason(ByJob(owner))) continue;
      return ManagedAnswer{.reason = Is(owner, parent_framework) ? ManagedReason::kPodOfManaged
                                                                 : ManagedReason::kManagedOwner,
                           .owner = NameOf(owner)};
    }
    return std::nullopt;
  }

  static bool Is(const ObjectView& object, std::string_view framework) {
    const api::IntegrationName* integration = api::FindIntegration(framework);
    return integration != nullptr && IsOf(object, *integration);
  }

  static bool IsManagedReason(ManagedReason reason) {
    return ManagedAnswer{.reason = reason, .owner = {}}.is_managed();
  }

  // Decision for a listed kind without managed owners.
  ManagedReason ByJob(const ObjectView& object) const {
    const bool has_queue = !QueueNameOf(*object.metadata).empty();
    if (has_queue && !policy_.respects_selector_always_) return ManagedReason::kQueueName;
    if (!has_queue && !policy_.manages_without_queue_name_) return ManagedReason::kNoQueueName;
    const auto not_selected = policy_.NotSelected(object, namespace_labels_);
    if (not_selected) return *not_selected;
    return has_queue ? ManagedReason::kQueueName : ManagedReason::kNamespace;
  }

  const api::Labels& namespace_labels_;
  const ManagedJobsPolicy& policy_;
};

ManagedAnswer IsManaged(const ObjectView& object, const api::Labels& namespace_labels,
                        std::span<const ObjectView> owners, const ManagedJobsPolicy& policy) {
  return ManagedDecision(namespace_labels, policy).For(object, owners);
}

namespace {

std::string SelectorText(const api::Selector& selector) {
  if (selector.is_everything()) return "every namespace";
  if (selector.is_nothing()) return "no namespace";
  return selector.ToString();
}

std::string WhyNotManaged(const ManagedAnswer& answer, const ObjectView& object,
                          const ManagedJobsPolicy& policy) {
  switch (answer.reason) {
    case ManagedReason::kKindNotListed:
      return "integrations.frameworks does not list " + std::string(object.kind);
    case ManagedReason::kExternalKind:
      return "integrations.externalFrameworks leaves " + std::string(object.kind) +
             " to another controller";
    case ManagedReason::kManagedOwner:
      return "owner " + answer.owner + " is managed";
    case ManagedReason::kNoQueueName:
      return "no queue name, and manageJobsWithoutQueueName is not set";
    case ManagedReason::kNamespaceNotSelected:
      return "managedJobsNamespaceSelector (" + SelectorText(policy.namespace_selector()) +
             ") does not match the namespace";
    case ManagedReason::kNotInPodOptions:
      return "integrations.podOptions does not select the object";
    default:
      return {};
  }
}

}  // namespace

std::string ToString(const ManagedAnswer& answer, const ObjectView& object,
                     const ManagedJobsPolicy& policy) {
  switch (answer.reason) {
    case ManagedReason::kQueueName:
      return "managed: queue name is " + api::Quoted(QueueNameOf(*object.metadata));
    case ManagedReason::kNamespace:
      return "managed: no queue name, and managedJobsNamespaceSelector (" +
             SelectorText(policy.namespace_selector()) + ") matches the namespace";
    case ManagedReason::kPodOfManaged:
      return "managed: owner " + answer.owner + " is queued through its pods";
    default:
      return "not managed: " + WhyNotManaged(answer, object, policy);
  }
}

}  // namespace berth::jobs
