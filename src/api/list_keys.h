#pragma once

#include <string_view>

// The fields that tell the elements of a list apart, for schema::Field::MapBy: one array for each
// combination that the API has, shared by every field list.
namespace berth::api {

inline constexpr std::string_view kByName[] = {"name"};
inline constexpr std::string_view kByType[] = {"type"};
inline constexpr std::string_view kByUid[] = {"uid"};
inline constexpr std::string_view kByKey[] = {"key"};
inline constexpr std::string_view kByIp[] = {"ip"};

// For schema::Field::PatchBy: a list of plain values that strategic merge patches join, such as
// finalizers. Other lists without a merge key are replaced as a whole, sets included.
inline constexpr std::string_view kPatchByValue = "$value";

}  // namespace berth::api
