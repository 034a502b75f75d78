#pragma once

#include "api/kueue/cluster_queue.h"
#include "api/meta/validation_options.h"
#include "schema/problem.h"

namespace berth::api {

// Validates the rules of a ClusterQueue that the CRD does not express. `old` is the stored object,
// null on create.
schema::Problems ValidateClusterQueue(const ClusterQueue& queue, const ClusterQueue* old,
                                      const ValidationOptions& options);

// Warns of likely mistakes: ineffective excludeResourcePrefixes and device classes.
schema::Problems WarningsForClusterQueue(const ClusterQueue& queue,
                                         const ValidationOptions& options);

}  // namespace berth::api
