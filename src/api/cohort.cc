#include "api/cohort.h"

#include "api/names.h"
#include "api/well_known.h"

namespace berth::api {

using schema::Member;

const schema::Struct& CohortSpec::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&CohortSpec::parent_name>("parentName",
                                       "Cohort above this one. Absent: this is a root.")
          .MaxLength(kMaxSubdomainLength)
          .Matches(kDnsSubdomainPattern),
      Member<&CohortSpec::resource_groups>(
          "resourceGroups", "Quota of the cohort itself, which everything below it may borrow.")
          .MaxItems(16),
      Member<&CohortSpec::fair_sharing>("fairSharing",
                                        "Weight of the cohort against its siblings."),
  };
  static constexpr auto kStruct = schema::Describe<CohortSpec>(
      "CohortSpec", "Place of the cohort in the tree, and its own quota.", kFields);
  return kStruct;
}

const schema::Struct& CohortStatus::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&CohortStatus::fair_sharing>("fairSharing", "Share that the cohort borrows."),
  };
  static constexpr auto kStruct =
      schema::Describe<CohortStatus>("CohortStatus", "How the cohort fares.", kFields);
  return kStruct;
}

const schema::Struct& Cohort::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&Cohort::metadata>("metadata", "Name, labels and so on."),
      Member<&Cohort::spec>("spec", "Place of the cohort in the tree, and its own quota."),
      Member<&Cohort::status>("status", "How the cohort fares."),
  };
  static constexpr auto kStruct = schema::Describe<Cohort>(
      "Cohort", "A group of ClusterQueues and cohorts that borrow from each other.", kFields);
  return kStruct;
}

const schema::Kind& Cohort::KindInfo() {
  static constexpr std::string_view kShortNames[] = {"co"};
  static constexpr schema::Kind kKind{.group = kKueueGroup,
                                      .version = kKueueVersion,
                                      .kind = "Cohort",
                                      .plural = "cohorts",
                                      .structure = &Cohort::Description,
                                      .former_versions = kFormerKueueVersions,
                                      .short_names = kShortNames,
                                      .has_status = true,
                                      .is_converted = true};
  return kKind;
}

}  // namespace berth::api
