#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/configuration.h"
#include "api/feature_gates.h"
#include "api/meta.h"
#include "api/selector.h"

// Which jobs are managed (KEP-3589). One function decides for every kind of job; webhooks,
// reconcilers and `berth lint` all ask it. It is pure: who calls it brings the labels of the
// namespace and the owners, and asks again when either changes.
//
//   1. A kind that the Configuration does not list is left alone.
//   2. What belongs to a managed object, at any depth, is left alone: its owner was queued for it.
//      Owners are matched by UID, so that a new object of an old name is nobody's owner.
//      Deployments, StatefulSets and LeaderWorkerSets wait through their pods: those are managed.
//   3. A job with a queue name is managed, wherever it is. (With the gate
//      ManagedJobsNamespaceSelectorAlwaysRespected, only where 4 would manage it without.)
//   4. A job without one is managed if manageJobsWithoutQueueName is set and its namespace matches
//      managedJobsNamespaceSelector and, of pods, Deployments and StatefulSets, the deprecated
//      integrations.podOptions as well.
namespace berth::jobs {

// An object, as far as the question goes. What it points at must outlive it.
struct ObjectView {
  std::string_view api_version;
  std::string_view kind;
  const api::ObjectMeta* metadata = nullptr;
};

enum class ManagedReason : uint8_t {
  // Managed.
  kQueueName,     // it names a queue
  kNamespace,     // it names none, and in its namespace such jobs are managed
  kPodOfManaged,  // the managed owner waits through this pod
  // Left alone.
  kKindNotListed,         // not in integrations.frameworks, or its gate is off
  kExternalKind,          // in integrations.externalFrameworks: another controller's
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

// What a Configuration says of it, made ready. Selectors that are no selectors match nothing;
// api::ValidateConfiguration reports them.
class ManagedJobsPolicy {
 public:
  // A kind of job that is managed without being listed: one whose description an admin gave.
  struct Kind {
    std::string group;
    std::string kind;
    friend auto operator<=>(const Kind&, const Kind&) = default;
  };

  // The Configuration must have its defaults.
  ManagedJobsPolicy(const api::Configuration& configuration, const api::FeatureGates& gates,
                    std::span<const Kind> more_kinds = {});

  bool manages_without_queue_name() const { return manages_without_queue_name_; }
  const api::Selector& namespace_selector() const { return namespace_selector_; }

  // Whether jobs without a queue name could be managed in a namespace with these labels, were it
  // for the selectors alone; for kinds of pods with those of podOptions. Default queues are given
  // out only there.
  bool Selects(const ObjectView& object, const api::Labels& namespace_labels) const;

  // Whether the kind is one that Berth or another controller manages. The version does not matter.
  bool IsListed(std::string_view api_version, std::string_view kind) const;
  bool IsListedOrExternal(std::string_view api_version, std::string_view kind) const;

 private:
  friend class ManagedDecision;
  // What keeps a job without a queue name from being managed here, if it is one of the selectors.
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

// `owners`: the controller of the object, the controller of that, and so on, as far as they could
// be found. Where one is not the owner that the reference before it means, the chain ends.
ManagedAnswer IsManaged(const ObjectView& object, const api::Labels& namespace_labels,
                        std::span<const ObjectView> owners, const ManagedJobsPolicy& policy);

// The answer in words for the person who wonders, such as `managed: it names the queue "main"`.
std::string ToString(const ManagedAnswer& answer, const ObjectView& object,
                     const ManagedJobsPolicy& policy);

// The value of the queue name label; "" if there is none.
std::string_view QueueNameOf(const api::ObjectMeta& metadata);

// The owner reference with `controller: true`; null if there is none.
const api::OwnerReference* ControllerOf(const api::ObjectMeta& metadata);

// "batch" of "batch/v1"; "" of "v1".
std::string_view GroupOf(std::string_view api_version);

}  // namespace berth::jobs
