#include "api/kueue/fair_sharing.h"

namespace berth::api {

using schema::Member;

const schema::Struct& FairSharing::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&FairSharing::weight>("weight",
                                   "weight scales the fair share: twice the weight is twice the "
                                   "share. With 0 the node comes last.")
          .Default("1"),
  };
  static constexpr auto kStruct = schema::Describe<FairSharing>(
      "FairSharing", "FairSharing configures how unused quota is shared among siblings.", kFields);
  return kStruct;
}

const schema::Struct& FairSharingStatus::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&FairSharingStatus::weighted_share>(
          "weightedShare",
          "weightedShare is the borrowed part of the lendable quota, in thousandths, divided by "
          "the weight.")
          .Required(),
      Member<&FairSharingStatus::previous_admission_fair_sharing_status>(
          "admissionFairSharingStatus", "Moved to the status of LocalQueues.")
          .Previous(),
  };
  static constexpr auto kStruct =
      schema::Describe<FairSharingStatus>(
          "FairSharingStatus", "FairSharingStatus is the share of a node of the cohort tree.",
          kFields)
          .Upgrade([](void* self) {
            static_cast<FairSharingStatus*>(self)->previous_admission_fair_sharing_status = {};
          });
  return kStruct;
}

const schema::Struct& AdmissionFairSharingStatus::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&AdmissionFairSharingStatus::consumed_resources>(
          "consumedResources", "consumedResources is the usage over time; older usage decays.")
          .Required(),
      Member<&AdmissionFairSharingStatus::last_update>("lastUpdate",
                                                       "lastUpdate is the time of the last update.")
          .Required(),
  };
  static constexpr auto kStruct = schema::Describe<AdmissionFairSharingStatus>(
      "AdmissionFairSharingStatus", "AdmissionFairSharingStatus is the past usage of a LocalQueue.",
      kFields);
  return kStruct;
}

const schema::Struct& LocalQueueFairSharingStatus::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&LocalQueueFairSharingStatus::weighted_share>(
          "weightedShare", "weightedShare is the share of the LocalQueue divided by its weight.")
          .Required(),
      Member<&LocalQueueFairSharingStatus::admission_fair_sharing_status>(
          "admissionFairSharingStatus",
          "admissionFairSharingStatus is the past usage by which LocalQueues are ordered."),
  };
  static constexpr auto kStruct = schema::Describe<LocalQueueFairSharingStatus>(
      "LocalQueueFairSharingStatus",
      "LocalQueueFairSharingStatus is the share and past usage of a LocalQueue.", kFields);
  return kStruct;
}

const schema::Struct& AdmissionScope::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&AdmissionScope::admission_mode>(
          "admissionMode", "admissionMode decides whether LocalQueues are ordered by past usage.")
          .Required()
          .OneOf(kAdmissionModes),
  };
  static constexpr auto kStruct = schema::Describe<AdmissionScope>(
      "AdmissionScope",
      "AdmissionScope configures fair sharing between the LocalQueues of a ClusterQueue.", kFields);
  return kStruct;
}

}  // namespace berth::api
