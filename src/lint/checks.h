#pragma once

#include "lint/catalog.h"
#include "lint/report.h"

// The checks. Quoted text is the rule of the findings.
namespace berth::lint {

// --- Of single objects -------------------------------------------------------------------------

// Decoding, schema and webhook errors, and webhook warnings. The rule is the type of the problem:
// "syntax", "unknown-field", "required", "invalid" and so on; "no-effect" for warnings.
void CheckObjects(const Catalog& catalog, Report& report);

// Invalid names and labels: "invalid-name", "required"; a namespace on a cluster-scoped object:
// "namespace-ignored".
void CheckMetadata(const Catalog& catalog, Report& report);

// "unknown-kind": an unknown kind of a known apiVersion, with a suggestion.
void CheckKinds(const Catalog& catalog, Report& report);

// "required": queued jobs of pods without containers. "invalid": pods of a group with different
// admission constraints.
void CheckPods(const Catalog& catalog, Report& report);

// "no-effect": admission constraints that are misspelt, written as labels, written where they are
// not read, or with their gate off. "invalid": a contradiction between an object and its pods.
void CheckConstraints(const Catalog& catalog, Report& report);

// --- Of all objects together -------------------------------------------------------------------

// "duplicate-object": two objects of the same name. An error if they differ and are in one file; a
// warning if they are equal, or in two files, which may be alternatives.
void CheckDuplicates(const Catalog& catalog, Report& report);

// References of queues: "flavor-not-found",
// "cluster-queue-not-found", "admission-check-not-found", "parameters-not-found",
// "cluster-not-found", "topology-not-found".
void CheckQueueReferences(const Catalog& catalog, Report& report);

// References of jobs and Workloads: "local-queue-not-found", "priority-class-not-found".
void CheckJobReferences(const Catalog& catalog, Report& report);

// Cohorts that are their own ancestors: "cohort-cycle".
void CheckCohorts(const Catalog& catalog, Report& report);

// "namespace-selector-matches-nothing" and, of a LocalQueue, "namespace-not-selected".
void CheckNamespaceSelectors(const Catalog& catalog, Report& report);

// "never-admits": jobs and Workloads whose requests exceed the quota of their ClusterQueue,
// including all it can borrow (unless they cannot borrow), without other usage.
void CheckFit(const Catalog& catalog, Report& report);

// "undeclared-resource": requested resources that the ClusterQueue does not declare, the jobs, and
// the patch that excludes the resources.
void CheckUndeclared(const Catalog& catalog, Report& report);

// "prefix-differs": with the gate ClusterQueueResourceExclusion, an exclusion prefix with which a
// resource of the set begins, and that does not match it. Kueue's matching would.
void CheckPrefixes(const Catalog& catalog, Report& report);

// Device classes: "device-class-conflict" between queues and cohorts of a tree;
// "device-class-not-found", and "claim-not-found" of jobs.
void CheckDevices(const Catalog& catalog, Report& report);

// Topology requests of jobs and Workloads: "topology-level-not-found", in no Topology or in none
// that a flavor of the queue uses; "no-topology-in-queue".
void CheckTopologyRequests(const Catalog& catalog, Report& report);

// Nodes of flavors with a Topology: "node-lacks-level"; "duplicate-hostname" where hostnames
// identify nodes.
void CheckTopologyNodes(const Catalog& catalog, Report& report);

// "topology-never-fits": pods that have no place on the nodes of the set with all of them empty,
// ready and without taints. Silent about flavors without a node, and queues with admission checks.
void CheckTopologyFit(const Catalog& catalog, Report& report);

// Effects of a Configuration in the set: "queue-name-ignored", a queue name on an unmanaged job;
// "no-queue-name", a managed job that names no queue and gets none.
void CheckManagedJobs(const Catalog& catalog, Report& report);

}  // namespace berth::lint
