#pragma once

#include "api/kueue/workload.h"
#include "api/meta/object.h"
#include "base/error.h"
#include "journal/record.h"

namespace berth::journal {

// Whether the record is about a Workload.
bool IsWorkload(const Upsert& upsert);
bool IsWorkload(const Removal& removal);

// The objects of complete records. A Workload has a uid.
base::Result<api::Workload> WorkloadOf(const Upsert& upsert);
base::Result<api::Object> ObjectOf(const Upsert& upsert);

}  // namespace berth::journal
