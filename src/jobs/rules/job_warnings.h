#pragma once

#include <string>
#include <vector>

#include "api/config/feature_gates.h"
#include "api/meta/meta.h"
#include "jobs/integration.h"
#include "json/path.h"
#include "schema/problem.h"

namespace berth::jobs {

// The metadata of a pod template, and its field: "spec.template.metadata".
struct PodMetadata {
  std::string field;
  api::ObjectMeta metadata;
};

// Those of all pod templates in the object. Empty if its pods cannot be read.
std::vector<PodMetadata> TemplatesOf(const Integration& integration, const json::value& job);

// Warns of admission constraints of a job that have no effect: with their gate off, misspelt,
// written as labels, or on the pods of a kind whose own annotations count. On kinds that are queued
// through their pods, annotations of object and pods both count.
schema::Problems WarningsForJob(const Integration& integration, const json::value& job,
                                const api::FeatureGates& gates);

}  // namespace berth::jobs
