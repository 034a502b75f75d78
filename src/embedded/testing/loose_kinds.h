#pragma once

#include <string>
#include <string_view>

namespace berth::embedded::testing {

// The CustomResourceDefinition of a job kind as JSON: any field, with the defaults that its
// operator's own definition has. "" for kinds that every API server has, or that Berth installs.
std::string LooseDefinition(std::string_view kind);

}  // namespace berth::embedded::testing
