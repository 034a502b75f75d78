#include "api/limit_range.h"

namespace berth::api {

using schema::Member;

const schema::Struct& LimitRangeItem::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&LimitRangeItem::type>("type", "Container, Pod or PersistentVolumeClaim.").Required(),
      Member<&LimitRangeItem::max>("max", "The most that may be asked for."),
      Member<&LimitRangeItem::min>("min", "The least that must be asked for."),
      Member<&LimitRangeItem::default_>("default", "Limits of containers that say nothing."),
      Member<&LimitRangeItem::default_request>("defaultRequest",
                                               "Requests of containers that say nothing."),
      Member<&LimitRangeItem::max_limit_request_ratio>("maxLimitRequestRatio",
                                                       "How far a limit may be above its request."),
  };
  static constexpr auto kStruct = schema::Describe<LimitRangeItem>(
      "LimitRangeItem", "Bounds and defaults for one type of thing.", kFields);
  return kStruct;
}

const schema::Struct& LimitRangeSpec::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&LimitRangeSpec::limits>("limits", "One entry a type.").Required(),
  };
  static constexpr auto kStruct =
      schema::Describe<LimitRangeSpec>("LimitRangeSpec", "Bounds and defaults.", kFields);
  return kStruct;
}

const schema::Struct& LimitRange::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&LimitRange::metadata>("metadata", "Name, labels and the like."),
      Member<&LimitRange::spec>("spec", "Bounds and defaults."),
  };
  static constexpr auto kStruct = schema::Describe<LimitRange>(
      "LimitRange", "Bounds and defaults for requests in a namespace.", kFields);
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

}  // namespace berth::api

template class std::vector<berth::api::LimitRangeItem>;
