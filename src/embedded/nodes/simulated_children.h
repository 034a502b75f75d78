#pragma once

// What the simulated controllers of pods have in common.

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "json/json.h"

namespace berth::embedded {

using SetChildren = std::span<const json::value>;

// A set with more pods gets only so many: a simulation is not meant for more, and a replica count
// may be a mistake.
inline constexpr int32_t kMostPodsOfSet = 10'000;
// Created in one step; the next ones follow when these are there.
inline constexpr size_t kMostPodsPerStep = 100;

// A deterministic hash of ten characters without vowels.
std::string ShortHash(std::string_view text);

std::string NameIn(const json::value& object);
bool IsTerminating(const json::value& object);
bool IsFinishedPod(const json::value& pod);
bool IsReadyPod(const json::value& pod);

void SetMetadata(json::value& object, std::string_view map, std::string_view key,
                 std::string_view text);
// An object controlled by the set, with labels, annotations and spec of the template.
json::value ChildOf(const json::value& set, std::string_view name, const json::value* pod_template);

// Pods that are neither being deleted nor finished.
struct PodCounts {
  int32_t all = 0;
  int32_t ready = 0;
};
PodCounts CountPods(SetChildren pods);

std::set<std::string> NamesOf(SetChildren children);
using ChildrenByName = std::map<std::string, const json::value*, std::less<>>;
ChildrenByName ByName(SetChildren children);

}  // namespace berth::embedded
