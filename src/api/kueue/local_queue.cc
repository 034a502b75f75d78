#include "api/kueue/local_queue.h"

#include "api/kueue/well_known.h"
#include "api/meta/list_keys.h"
#include "api/meta/names.h"

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
      Member<&LocalQueueSpec::cluster_queue>(
          "clusterQueue", "clusterQueue is the name of the ClusterQueue that provides quota.")
          .MaxLength(kMaxSubdomainLength)
          .Matches(kDnsSubdomainPattern)
          .Rules(kStays),
      Member<&LocalQueueSpec::stop_policy>(
          "stopPolicy",
          "stopPolicy stops admission (Hold) or also evicts admitted workloads (HoldAndDrain).")
          .OneOf(kStopPolicies)
          .Default("\"None\""),
      Member<&LocalQueueSpec::fair_sharing>(
          "fairSharing", "fairSharing holds the weight among the LocalQueues of the ClusterQueue."),
  };
  static constexpr auto kStruct = schema::Describe<LocalQueueSpec>(
      "LocalQueueSpec", "LocalQueueSpec is the desired state of a LocalQueue.", kFields);
  return kStruct;
}

const schema::Struct& LocalQueueResourceUsage::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&LocalQueueResourceUsage::name>("name", "name is the name of the resource.")
          .Required(),
      Member<&LocalQueueResourceUsage::total>("total", "total is the amount in use."),
  };
  static constexpr auto kStruct = schema::Describe<LocalQueueResourceUsage>(
      "LocalQueueResourceUsage", "LocalQueueResourceUsage is the usage of a resource.", kFields);
  return kStruct;
}

const schema::Struct& LocalQueueFlavorUsage::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&LocalQueueFlavorUsage::name>("name", "name is the name of the flavor.")
          .Required()
          .MaxLength(kMaxSubdomainLength)
          .Matches(kDnsSubdomainPattern),
      Member<&LocalQueueFlavorUsage::resources>(
          "resources", "resources lists the usage of each resource of the flavor.")
          .Required()
          .MaxItems(64)
          .MapBy(kByName),
  };
  static constexpr auto kStruct = schema::Describe<LocalQueueFlavorUsage>(
      "LocalQueueFlavorUsage", "LocalQueueFlavorUsage is the usage of a flavor.", kFields);
  return kStruct;
}

const schema::Struct& LocalQueueStatus::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&LocalQueueStatus::conditions>(
          "conditions", "conditions holds the condition Active, with the reason if it is not True.")
          .MaxItems(16)
          .MapBy(kByType),
      Member<&LocalQueueStatus::pending_workloads>(
          "pendingWorkloads", "pendingWorkloads is the number of workloads waiting for admission."),
      Member<&LocalQueueStatus::reserving_workloads>(
          "reservingWorkloads",
          "reservingWorkloads is the number of unfinished workloads with a quota reservation."),
      Member<&LocalQueueStatus::admitted_workloads>(
          "admittedWorkloads", "admittedWorkloads is the number of unfinished admitted workloads."),
      Member<&LocalQueueStatus::flavors_reservation>(
          "flavorsReservation",
          "flavorsReservation is the quota reserved by workloads, admitted or not.")
          .MaxItems(64)
          .MapBy(kByName),
      Member<&LocalQueueStatus::flavors_usage>(
          "flavorsUsage", "flavorsUsage is the quota used by admitted workloads.")
          .MaxItems(64)
          .MapBy(kByName)
          .PreviousName("flavorUsage"),
      Member<&LocalQueueStatus::fair_sharing>(
          "fairSharing", "fairSharing holds the share and past usage of the LocalQueue."),
      Member<&LocalQueueStatus::previous_flavors>("flavors", "Removed: read the ResourceFlavors.")
          .Previous(),
  };
  static constexpr auto kStruct =
      schema::Describe<LocalQueueStatus>(
          "LocalQueueStatus", "LocalQueueStatus is the observed state of a LocalQueue.", kFields)
          .Upgrade([](void* self) { static_cast<LocalQueueStatus*>(self)->previous_flavors = {}; });
  return kStruct;
}

const schema::Struct& LocalQueue::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&LocalQueue::metadata>("metadata", "metadata is the standard object metadata."),
      Member<&LocalQueue::spec>("spec", "spec is the desired state of the LocalQueue."),
      Member<&LocalQueue::status>("status", "status is the observed state of the LocalQueue."),
  };
  static constexpr auto kStruct = schema::Describe<LocalQueue>(
      "LocalQueue", "LocalQueue is the queue of a namespace that jobs are submitted to.", kFields);
  return kStruct;
}

const schema::Kind& LocalQueue::KindInfo() {
  static constexpr std::string_view kShortNames[] = {"queue", "queues", "lq"};
  static constexpr schema::Column kColumns[] = {
      {"ClusterQueue", "string", ".spec.clusterQueue", "ClusterQueue that provides quota"},
      {"Pending Workloads", "integer", ".status.pendingWorkloads", "Pending workloads"},
      {"Admitted Workloads", "integer", ".status.admittedWorkloads",
       "Admitted, unfinished workloads"},
  };
  static constexpr schema::Kind kKind{.group = kKueueGroup,
                                      .version = kKueueVersion,
                                      .kind = "LocalQueue",
                                      .plural = "localqueues",
                                      .is_namespaced = true,
                                      .structure = &LocalQueue::Description,
                                      .previous_versions = kPreviousKueueVersions,
                                      .short_names = kShortNames,
                                      .columns = kColumns,
                                      .has_status = true,
                                      .is_converted = true};
  return kKind;
}

}  // namespace berth::api

template class std::vector<berth::api::LocalQueueFlavorUsage>;
template class std::vector<berth::api::LocalQueueResourceUsage>;
