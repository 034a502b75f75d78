#pragma once

#include "api/cluster_queue.h"
#include "api/validation_options.h"
#include "schema/problem.h"

namespace berth::api {

// Everything wrong with a ClusterQueue that its CRD cannot say. `old` is what is stored now, null
// when it is created.
schema::Problems ValidateClusterQueue(const ClusterQueue& queue, const ClusterQueue* old,
                                      const ValidationOptions& options);

// What is allowed and probably not meant: about excludeResourcePrefixes and device classes.
schema::Problems WarningsForClusterQueue(const ClusterQueue& queue,
                                         const ValidationOptions& options);

}  // namespace berth::api
