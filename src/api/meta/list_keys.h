#pragma once

#include <string_view>

// Keys of map lists for schema::Field::MapBy: one array per combination of the API, shared by all
// field lists.
namespace berth::api {

inline constexpr std::string_view kByName[] = {"name"};
inline constexpr std::string_view kByType[] = {"type"};
inline constexpr std::string_view kByUid[] = {"uid"};
inline constexpr std::string_view kByKey[] = {"key"};
inline constexpr std::string_view kByIp[] = {"ip"};

// For schema::Field::PatchBy: a list of scalars that strategic merge patches join, such as
// finalizers. Other lists without a merge key are replaced, sets included.
inline constexpr std::string_view kPatchByValue = "$value";

}  // namespace berth::api
