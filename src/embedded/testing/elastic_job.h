#pragma once

// The elastic job of a test, its slices and its pods.

#include <string>
#include <string_view>
#include <vector>

#include "embedded/testing/live_cluster.h"

namespace berth::embedded::testing {

inline constexpr std::string_view kElasticAnnotation = "kueue.x-k8s.io/elastic-job: 'true'";
inline constexpr std::string_view kElasticJob = "Job team/train";

// The elastic job kElasticJob of two pods with one cpu each, in a team with `cpu`.
void StartElasticJob(LiveCluster& cluster, int cpu);
// With kElasticJob's spec, as "  parallelism: 2\n", and labels.
void StartElasticJob(LiveCluster& cluster, int cpu, std::string_view spec,
                     std::string_view labels = "");
void Scale(LiveCluster& cluster, int parallelism);

// "3 Admitted" for each slice, sorted: its count, and Waits, Admitted, or the reason of Finished.
std::vector<std::string> Slices(LiveCluster& cluster);
void AwaitSlices(LiveCluster& cluster, const std::vector<std::string>& slices);

// A gated pod of the job; no job controller creates pods where there are no simulated nodes. It
// names the first slice, or `slice`.
std::string ElasticPod(LiveCluster& cluster, std::string_view name, std::string_view slice = "");
bool HasElasticGate(LiveCluster& cluster, std::string_view pod);

}  // namespace berth::embedded::testing
