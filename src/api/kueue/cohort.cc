#include "api/kueue/cohort.h"

#include "api/kueue/well_known.h"
#include "api/meta/names.h"

namespace berth::api {

using schema::Member;

const schema::Struct& CohortSpec::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&CohortSpec::parent_name>(
          "parentName",
          "parentName is the name of the parent Cohort. If absent, the Cohort is a root.")
          .MaxLength(kMaxSubdomainLength)
          .Matches(kDnsSubdomainPattern),
      Member<&CohortSpec::resource_groups>(
          "resourceGroups",
          "resourceGroups holds quota of the Cohort itself, available to all its descendants.")
          .MaxItems(16),
      Member<&CohortSpec::fair_sharing>(
          "fairSharing", "fairSharing holds the weight of the Cohort among its siblings."),
  };
  static constexpr auto kStruct = schema::Describe<CohortSpec>(
      "CohortSpec", "CohortSpec is the desired state of a Cohort.", kFields);
  return kStruct;
}

const schema::Struct& CohortStatus::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&CohortStatus::fair_sharing>("fairSharing",
                                          "fairSharing holds the share of the Cohort."),
  };
  static constexpr auto kStruct = schema::Describe<CohortStatus>(
      "CohortStatus", "CohortStatus is the observed state of a Cohort.", kFields);
  return kStruct;
}

const schema::Struct& Cohort::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&Cohort::metadata>("metadata", "metadata is the standard object metadata."),
      Member<&Cohort::spec>("spec", "spec is the desired state of the Cohort."),
      Member<&Cohort::status>("status", "status is the observed state of the Cohort."),
  };
  static constexpr auto kStruct = schema::Describe<Cohort>(
      "Cohort", "Cohort is a group of ClusterQueues and Cohorts that borrow quota from each other.",
      kFields);
  return kStruct;
}

const schema::Kind& Cohort::KindInfo() {
  static constexpr std::string_view kShortNames[] = {"co"};
  static constexpr schema::Kind kKind{.group = kKueueGroup,
                                      .version = kKueueVersion,
                                      .kind = "Cohort",
                                      .plural = "cohorts",
                                      .structure = &Cohort::Description,
                                      .previous_versions = kPreviousKueueVersions,
                                      .short_names = kShortNames,
                                      .has_status = true,
                                      .is_converted = true};
  return kKind;
}

}  // namespace berth::api
