#include "api/core/limit_range.h"

namespace berth::api {

using schema::Member;

namespace {

void AddMissing(ResourceList& list, const ResourceList& more) {
  for (const auto& [resource, amount] : more)
    if (!list.Contains(resource)) list.Set(resource, amount);
}

}  // namespace

const schema::Struct& LimitRangeItem::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&LimitRangeItem::type>("type", "Container, Pod or PersistentVolumeClaim.").Required(),
      Member<&LimitRangeItem::max>("max", "Maximum amount of each resource."),
      Member<&LimitRangeItem::min>("min", "Minimum amount of each resource."),
      Member<&LimitRangeItem::default_>("default", "Default limits of containers."),
      Member<&LimitRangeItem::default_request>("defaultRequest", "Default requests of containers."),
      Member<&LimitRangeItem::max_limit_request_ratio>("maxLimitRequestRatio",
                                                       "Maximum ratio of a limit to its request."),
  };
  static constexpr auto kStruct = schema::Describe<LimitRangeItem>(
      "LimitRangeItem", "LimitRangeItem holds limits and defaults of one type of object.", kFields);
  return kStruct;
}

const schema::Struct& LimitRangeSpec::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&LimitRangeSpec::limits>("limits", "Limits and defaults by type.").Required(),
  };
  static constexpr auto kStruct = schema::Describe<LimitRangeSpec>(
      "LimitRangeSpec", "LimitRangeSpec holds limits and defaults.", kFields);
  return kStruct;
}

const schema::Struct& LimitRange::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&LimitRange::metadata>("metadata", "Standard object metadata."),
      Member<&LimitRange::spec>("spec", "Limits and defaults."),
  };
  static constexpr auto kStruct = schema::Describe<LimitRange>(
      "LimitRange", "LimitRange sets limits and defaults of requests in a namespace.", kFields);
  return kStruct;
}

const schema::Kind& LimitRange::KindInfo() {
  static constexpr std::string_view kShortNames[] = {"limits"};
  static constexpr schema::Kind kKind{
      .group = "",
      .version = "v1",
      .kind = "LimitRange",
      .plural = "limitranges",
      .is_namespaced = true,
      .structure = &LimitRange::Description,
      .short_names = kShortNames,
  };
  return kKind;
}

void ApplyDependentDefaults(LimitRangeSpec& spec) {
  for (LimitRangeItem& item : spec.limits) {
    if (item.type != kLimitContainer) continue;
    AddMissing(item.default_, item.max);
    AddMissing(item.default_request, item.default_);
    AddMissing(item.default_request, item.min);
  }
}

}  // namespace berth::api

template class std::vector<berth::api::LimitRangeItem>;
