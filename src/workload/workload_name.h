#pragma once

#include <cstddef>
#include <string>
#include <string_view>

// Names of Workloads. They are those of Kueue, so that either controller finds the objects of the
// other.
namespace berth::workload {

// The maximum length: of an object name, or of a label value with the gate ShortWorkloadNames.
inline constexpr size_t kMaxWorkloadName = 253;
inline constexpr size_t kMaxShortWorkloadName = 63;

struct Owner {
  std::string_view group;
  std::string_view kind;
  std::string_view name;
  std::string_view uid;
};

// `<lower-case kind>-<name>`, truncated to fit, then `-` and five hexadecimal digits of the SHA-1
// of kind, group, name, uid and, unless it is empty, `extra`, each on its own line. For elastic
// jobs `extra` is the generation.
std::string WorkloadName(const Owner& owner, size_t max_length, std::string_view extra = {});

// The name of a variant of the Workload `parent` that is restricted to one flavor: the part after
// the last '-' is replaced by `variant-<flavor>` and five digits. The owner is that of the parent;
// its name is not used.
std::string VariantWorkloadName(std::string_view parent, const Owner& owner,
                                std::string_view flavor, size_t max_length);

// The name of the Workload of one group of a LeaderWorkerSet: that of an owner `<name>-<index>`.
std::string LeaderWorkerSetWorkloadName(std::string_view name, std::string_view uid,
                                        std::string_view group_index, size_t max_length);

}  // namespace berth::workload
