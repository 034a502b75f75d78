#include "api/local_queue.h"

#include "api/list_keys.h"
#include "api/names.h"
#include "api/well_known.h"

namespace berth::api {

using schema::Member;
using schema::MustChange;

const schema::Struct& LocalQueueSpec::Description() {
  static constexpr schema::Rule kStays[] = {
      MustChange<[](const std::string& self, const std::string& old) { return self == old; }>(
          "self == oldSelf",
          "clusterQueue cannot be changed; create another LocalQueue for another ClusterQueue"),
  };
  static constexpr schema::Field kFields[] = {
      Member<&LocalQueueSpec::cluster_queue>("clusterQueue",
                                             "ClusterQueue whose quota this queue draws from.")
          .MaxLength(kMaxSubdomainLength)
          .Matches(kDnsSubdomainPattern)
          .Rules(kStays),
      Member<&LocalQueueSpec::stop_policy>(
          "stopPolicy", "Hold: admit nothing more. HoldAndDrain: also evict what was admitted.")
          .OneOf(kStopPolicies)
          .Default("\"None\""),
      Member<&LocalQueueSpec::fair_sharing>(
          "fairSharing", "Weight against the other LocalQueues of the ClusterQueue."),
  };
  static constexpr auto kStruct = schema::Describe<LocalQueueSpec>(
      "LocalQueueSpec", "Where workloads of this queue go.", kFields);
  return kStruct;
}

const schema::Struct& LocalQueueResourceUsage::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&LocalQueueResourceUsage::name>("name", "Name of the resource.").Required(),
      Member<&LocalQueueResourceUsage::total>("total", "Amount in use."),
  };
  static constexpr auto kStruct = schema::Describe<LocalQueueResourceUsage>(
      "LocalQueueResourceUsage", "How much of a resource is used.", kFields);
  return kStruct;
}

const schema::Struct& LocalQueueFlavorUsage::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&LocalQueueFlavorUsage::name>("name", "Name of the flavor.")
          .Required()
          .MaxLength(kMaxSubdomainLength)
          .Matches(kDnsSubdomainPattern),
      Member<&LocalQueueFlavorUsage::resources>("resources",
                                                "Usage of each resource of the flavor.")
          .Required()
          .MaxItems(64)
          .MapBy(kByName),
  };
  static constexpr auto kStruct = schema::Describe<LocalQueueFlavorUsage>(
      "LocalQueueFlavorUsage", "How much of a flavor is used.", kFields);
  return kStruct;
}

const schema::Struct& LocalQueueStatus::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&LocalQueueStatus::conditions>("conditions", "State: Active, or why it is not.")
          .MaxItems(16)
          .MapBy(kByType),
      Member<&LocalQueueStatus::pending_workloads>("pendingWorkloads",
                                                   "Workloads that wait for admission."),
      Member<&LocalQueueStatus::reserving_workloads>(
          "reservingWorkloads", "Unfinished workloads that have reserved quota."),
      Member<&LocalQueueStatus::admitted_workloads>("admittedWorkloads",
                                                    "Unfinished workloads that are admitted."),
      Member<&LocalQueueStatus::flavors_reservation>(
          "flavorsReservation", "Quota that workloads have reserved, admitted or not yet.")
          .MaxItems(64)
          .MapBy(kByName),
      Member<&LocalQueueStatus::flavors_usage>("flavorsUsage", "Quota that admitted workloads use.")
          .MaxItems(64)
          .MapBy(kByName)
          .FormerName("flavorUsage"),
      Member<&LocalQueueStatus::fair_sharing>("fairSharing",
                                              "How the queue fares in fair sharing."),
      Member<&LocalQueueStatus::former_flavors>("flavors", "Dropped: read the ResourceFlavors.")
          .Former(),
  };
  static constexpr auto kStruct =
      schema::Describe<LocalQueueStatus>("LocalQueueStatus", "What is used and what waits.",
                                         kFields)
          .Upgrade([](void* self) { static_cast<LocalQueueStatus*>(self)->former_flavors = {}; });
  return kStruct;
}

const schema::Struct& LocalQueue::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&LocalQueue::metadata>("metadata", "Name, labels and so on."),
      Member<&LocalQueue::spec>("spec", "Where workloads of this queue go."),
      Member<&LocalQueue::status>("status", "What is used and what waits."),
  };
  static constexpr auto kStruct = schema::Describe<LocalQueue>(
      "LocalQueue", "The queue that jobs of a namespace are submitted to.", kFields);
  return kStruct;
}

const schema::Kind& LocalQueue::KindInfo() {
  static constexpr std::string_view kShortNames[] = {"queue", "queues", "lq"};
  static constexpr schema::Column kColumns[] = {
      {"ClusterQueue", "string", ".spec.clusterQueue", "Where its quota comes from"},
      {"Pending Workloads", "integer", ".status.pendingWorkloads", "Workloads that wait"},
      {"Admitted Workloads", "integer", ".status.admittedWorkloads",
       "Admitted workloads that have not finished"},
  };
  static constexpr schema::Kind kKind{.group = kKueueGroup,
                                      .version = kKueueVersion,
                                      .kind = "LocalQueue",
                                      .plural = "localqueues",
                                      .is_namespaced = true,
                                      .structure = &LocalQueue::Description,
                                      .former_versions = kFormerKueueVersions,
                                      .short_names = kShortNames,
                                      .columns = kColumns,
                                      .has_status = true,
                                      .is_converted = true};
  return kKind;
}

}  // namespace berth::api

template class std::vector<berth::api::LocalQueueFlavorUsage>;
template class std::vector<berth::api::LocalQueueResourceUsage>;
