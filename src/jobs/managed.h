#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/config/configuration.h"
#include "api/config/feature_gates.h"
#include "api/meta/meta.h"
#include "api/meta/selector.h"

// Decides which jobs are managed (KEP-3589), for all kinds. Used by webhooks, reconcilers and
// `berth lint`. Pure: callers provide the namespace labels and the owners, and decide again when
// either changes.
//
//   1. Kinds not listed in the Configuration are not managed.
//   2. Descendants of a managed object, at any depth, are not managed: the owner is queued for
//   them.
//      Owners are matched by UID, so that a recreated object of the same name is not an owner.
//      Deployments, StatefulSets and LeaderWorkerSets are an exception: their pods are managed.
//   3. A job with a queue name is managed in every namespace. (With the gate
//      ManagedJobsNamespaceSelectorAlwaysRespected, only where rule 4 would manage it without one.)
//   4. A job without a queue name is managed if manageJobsWithoutQueueName is set and its namespace
//      matches managedJobsNamespaceSelector and, for pods, Deployments and StatefulSets, the
//      deprecated integrations.podOptions too.
namespace berth::jobs {

// The input for one object. Referenced data must outlive the view.
struct ObjectView {
  std::string_view api_version;
  std::string_view kind;
  const api::ObjectMeta* metadata = nullptr;
};

enum class ManagedReason : uint8_t {
  // Managed.
  kQueueName,     // has a queue name
  kNamespace,     // it names none, and in its namespace such jobs are managed
  kPodOfManaged,  // pod of a managed serving owner
  // Not managed.
  kKindNotListed,         // not in integrations.frameworks, or its gate is off
  kExternalKind,          // in integrations.externalFrameworks
  kManagedOwner,          // an owner is managed
  kNoQueueName,           // manageJobsWithoutQueueName is not set
  kNamespaceNotSelected,  // by managedJobsNamespaceSelector
  kNotInPodOptions,       // by integrations.podOptions
};

struct ManagedAnswer {
  ManagedReason reason = ManagedReason::kKindNotListed;
  std::string owner;  // "JobSet train" with kManagedOwner and kPodOfManaged

  bool is_managed() const { return reason <= ManagedReason::kPodOfManaged; }

  friend bool operator==(const ManagedAnswer&, const ManagedAnswer&) = default;
};

// The compiled settings of a Configuration. Invalid selectors match nothing;
// api::ValidateConfiguration reports them.
class ManagedJobsPolicy {
 public:
  // A job kind that is managed without being listed: described by an administrator.
  struct Kind {
    std::string group;
    std::string kind;
    friend auto operator<=>(const Kind&, const Kind&) = default;
  };

  // Requires a Configuration with defaults applied.
  ManagedJobsPolicy(const api::Configuration& configuration, const api::FeatureGates& gates,
                    std::span<const Kind> more_kinds = {});

  bool manages_without_queue_name() const { return manages_without_queue_name_; }
  const api::Selector& namespace_selector() const { return namespace_selector_; }

  // Whether the selectors allow jobs without a queue name in a namespace with these labels; for pod
  // kinds, those of podOptions too. Default queues apply only there.
  bool Selects(const ObjectView& object, const api::Labels& namespace_labels) const;

  // Whether the kind is managed by Berth or an external controller, regardless of the version.
  bool IsListed(std::string_view api_version, std::string_view kind) const;
  bool IsListedOrExternal(std::string_view api_version, std::string_view kind) const;

 private:
  friend class ManagedDecision;
  // The selector that rules out a job without a queue name, if any.
  std::optional<ManagedReason> NotSelected(const ObjectView& object,
                                           const api::Labels& namespace_labels) const;

  std::set<Kind> listed_;
  std::set<Kind> external_;
  std::set<std::string, std::less<>> frameworks_;
  api::Selector namespace_selector_;
  std::optional<api::Selector> pod_namespace_selector_;
  std::optional<api::Selector> pod_selector_;
  bool manages_without_queue_name_ = false;
  bool respects_selector_always_ = false;
};

// `owners`: the controller of the object, its controller, and so on, as far as known. The chain
// ends at the first owner that does not match the reference to it.
ManagedAnswer IsManaged(const ObjectView& object, const api::Labels& namespace_labels,
                        std::span<const ObjectView> owners, const ManagedJobsPolicy& policy);

// The answer as text for users, such as `managed: queue name is "main"`.
std::string ToString(const ManagedAnswer& answer, const ObjectView& object,
                     const ManagedJobsPolicy& policy);

// The value of the queue name label; "" if absent.
std::string_view QueueNameOf(const api::ObjectMeta& metadata);

// "batch" of "batch/v1"; "" of "v1".
std::string_view GroupOf(std::string_view api_version);

}  // namespace berth::jobs
