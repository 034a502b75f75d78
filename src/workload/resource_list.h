#pragma once

#include "api/resource_requirements.h"

// Resource lists put together, name by name. Names that only one of the two has are kept.
namespace berth::workload {

// The sums; quantities that are new to `list` keep their text.
void AddTo(api::ResourceList& list, const api::ResourceList& other);
// What `list` does not have.
void AddMissing(api::ResourceList& list, const api::ResourceList& other);
void KeepHigher(api::ResourceList& list, const api::ResourceList& other);
void KeepLower(api::ResourceList& list, const api::ResourceList& other);

}  // namespace berth::workload
