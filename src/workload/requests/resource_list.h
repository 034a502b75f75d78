#pragma once

#include "api/core/resource_requirements.h"

// Merges resource lists by name. Names that are in only one of the two lists are kept.
namespace berth::workload {

// Sums; quantities that are new to `list` keep their text.
void AddTo(api::ResourceList& list, const api::ResourceList& other);
// Adds only names that `list` does not have.
void AddMissing(api::ResourceList& list, const api::ResourceList& other);
void KeepHigher(api::ResourceList& list, const api::ResourceList& other);
void KeepLower(api::ResourceList& list, const api::ResourceList& other);

}  // namespace berth::workload
