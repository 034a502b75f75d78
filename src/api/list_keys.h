#pragma once

#include <string_view>

// The fields that tell the elements of a list apart, for schema::Field::MapBy. One array for each
// combination that the API has, shared by every field list.
namespace berth::api {

inline constexpr std::string_view kByName[] = {"name"};
inline constexpr std::string_view kByType[] = {"type"};
inline constexpr std::string_view kByUid[] = {"uid"};
inline constexpr std::string_view kByKey[] = {"key"};
inline constexpr std::string_view kByIp[] = {"ip"};

}  // namespace berth::api
