#include "api/fair_sharing.h"

namespace berth::api {

using schema::Member;

const schema::Struct& FairSharing::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&FairSharing::weight>(
          "weight",
          "Advantage over the siblings: twice the weight, twice the share. 0: comes last.")
          .Default("1"),
  };
  static constexpr auto kStruct = schema::Describe<FairSharing>(
      "FairSharing", "How quota that nobody uses is shared with the siblings.", kFields);
  return kStruct;
}

const schema::Struct& FairSharingStatus::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&FairSharingStatus::weighted_share>(
          "weightedShare",
          "Part of the cohort's lendable quota that is borrowed, in thousandths over the weight.")
          .Required(),
      Member<&FairSharingStatus::former_admission_fair_sharing_status>(
          "admissionFairSharingStatus", "Moved to the status of LocalQueues.")
          .Former(),
  };
  static constexpr auto kStruct =
      schema::Describe<FairSharingStatus>("FairSharingStatus", "How much is borrowed.", kFields)
          .Upgrade([](void* self) {
            static_cast<FairSharingStatus*>(self)->former_admission_fair_sharing_status = {};
          });
  return kStruct;
}

const schema::Struct& AdmissionFairSharingStatus::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&AdmissionFairSharingStatus::consumed_resources>(
          "consumedResources", "Usage summed over time; what is long past counts less.")
          .Required(),
      Member<&AdmissionFairSharingStatus::last_update>("lastUpdate", "When it was last computed.")
          .Required(),
  };
  static constexpr auto kStruct = schema::Describe<AdmissionFairSharingStatus>(
      "AdmissionFairSharingStatus", "What the queue has used so far.", kFields);
  return kStruct;
}

const schema::Struct& LocalQueueFairSharingStatus::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&LocalQueueFairSharingStatus::weighted_share>(
          "weightedShare", "Share of the LocalQueue, divided by its weight.")
          .Required(),
      Member<&LocalQueueFairSharingStatus::admission_fair_sharing_status>(
          "admissionFairSharingStatus", "Past usage, by which the next workload is picked."),
  };
  static constexpr auto kStruct = schema::Describe<LocalQueueFairSharingStatus>(
      "LocalQueueFairSharingStatus", "How the LocalQueue fares in fair sharing.", kFields);
  return kStruct;
}

const schema::Struct& AdmissionScope::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&AdmissionScope::admission_mode>(
          "admissionMode", "Whether past usage of the LocalQueues decides which one comes next.")
          .Required()
          .OneOf(kAdmissionModes),
  };
  static constexpr auto kStruct = schema::Describe<AdmissionScope>(
      "AdmissionScope", "Fair sharing between the LocalQueues of one ClusterQueue.", kFields);
  return kStruct;
}

}  // namespace berth::api
