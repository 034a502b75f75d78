#pragma once

#include "lint/catalog.h"
#include "lint/report.h"

// The checks, each about one thing. The text in quotes is the rule that findings carry.
namespace berth::lint {

// --- Of single objects -------------------------------------------------------------------------

// What was found while reading, what the description of the kind demands, what the webhooks demand
// and what they warn of. Rules by the type of the problem: "syntax", "unknown-field", "required",
// "invalid" and so on; "no-effect" for warnings.
void CheckObjects(const Catalog& catalog, Report& report);

// Names and labels that no object may have: "invalid-name", "required"; a namespace where there is
// none: "namespace-ignored".
void CheckMetadata(const Catalog& catalog, Report& report);

// "unknown-kind": one that Berth should know, going by its apiVersion, and what was probably meant.
void CheckKinds(const Catalog& catalog, Report& report);

// "required": queued jobs of pods without containers, which no API server would take. "invalid":
// pods of a group that differ in their constraints on admission.
void CheckPods(const Catalog& catalog, Report& report);

// --- Of all objects together -------------------------------------------------------------------

// "duplicate-object": two objects of the same name. An error where one file has two that differ; a
// warning where two files do, which may be alternatives, or where a file just repeats itself.
void CheckDuplicates(const Catalog& catalog, Report& report);

// References between queues and what they are made of: "flavor-not-found",
// "cluster-queue-not-found", "admission-check-not-found", "parameters-not-found",
// "cluster-not-found", "topology-not-found".
void CheckQueueReferences(const Catalog& catalog, Report& report);

// References of jobs and Workloads: "local-queue-not-found", "priority-class-not-found",
// "topology-level-not-found".
void CheckJobReferences(const Catalog& catalog, Report& report);

// Cohorts that are their own ancestors: "cohort-cycle".
void CheckCohorts(const Catalog& catalog, Report& report);

// "namespace-selector-matches-nothing" and, of a LocalQueue, "namespace-not-selected".
void CheckNamespaceSelectors(const Catalog& catalog, Report& report);

// "never-admits": jobs and Workloads that ask for more than their ClusterQueue could ever give
// them, with all it may borrow (unless they cannot borrow) and nobody else there.
void CheckFit(const Catalog& catalog, Report& report);

// "undeclared-resource": resources that a ClusterQueue does not declare and that keep jobs out of
// it: which, whose, and the patch after which they do not.
void CheckUndeclared(const Catalog& catalog, Report& report);

// "prefix-differs": an exclusion prefix with which a resource that the objects mention begins and
// that does not mean it, though in Kueue it would.
void CheckPrefixes(const Catalog& catalog, Report& report);

// Device classes: "device-class-conflict" between queues and cohorts of a tree;
// "device-class-not-found", and "claim-not-found" of jobs.
void CheckDevices(const Catalog& catalog, Report& report);

// What a Configuration in the set makes of its jobs: "queue-name-ignored", the name of a queue on a
// job that is left alone; "no-queue-name", a job that is managed, names no queue and gets none.
void CheckManagedJobs(const Catalog& catalog, Report& report);

}  // namespace berth::lint
